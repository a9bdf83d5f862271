#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The history of strokes and the points of a path, without Blender."""

import importlib.util
import unittest
from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "plugin_blender" / "logic" / "strokes.py"
spec = importlib.util.spec_from_file_location("strokes", FILE)
strokes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(strokes)


class HistoryClaims(unittest.TestCase):
    def made(self, count, **kind):
        history = strokes.History(**kind)
        for i in range(count):
            history.add(bytes([i]) * 10)
        return history

    def test_undo_swaps_backward_and_redo_forward(self):
        history = self.made(4)
        self.assertEqual([r[0] for r in history.move(1)], [3, 2, 1])
        self.assertEqual([r[0] for r in history.move(3)], [1, 2])
        self.assertEqual(history.position, 3)
        self.assertTrue(history.can_redo())

    def test_a_new_stroke_ends_what_could_be_redone(self):
        history = self.made(4)
        history.move(1)
        history.add(b"new")
        self.assertEqual((history.position, len(history.records)), (2, 2))
        self.assertFalse(history.can_redo())
        self.assertEqual(history.move(0), [b"new", bytes([0]) * 10])

    def test_it_goes_as_far_as_it_remembers(self):
        history = self.made(10, budget=35)
        self.assertEqual((history.first, history.position), (7, 10))
        self.assertEqual(len(history.move(0)), 3)
        self.assertEqual(history.position, 7)
        self.assertFalse(history.can_undo())
        self.assertEqual(len(history.move(99)), 3)

    def test_the_last_stroke_is_kept_however_large(self):
        history = self.made(2, budget=1)
        self.assertEqual((history.first, len(history.records)), (1, 1))

    def test_it_may_begin_at_any_number(self):
        history = self.made(1, position=5)
        self.assertEqual(history.position, 6)
        self.assertEqual(len(history.move(2)), 1)
        self.assertEqual(history.position, 5)


class PathClaims(unittest.TestCase):
    def test_points_too_close_are_held_back(self):
        path = strokes.Path(1.0)
        taken = [path.take((x / 4, 0, 0)) for x in range(13)]
        self.assertEqual([i for i, took in enumerate(taken) if took], [0, 4, 8, 12])


if __name__ == "__main__":
    unittest.main()
