#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims about the judge of outcomes, on recordings small enough to know the answer.

    test_judge.py JUDGE
"""

import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

COLLIDER, CLOTH, SOFT, RIGID = range(4)
SQUARE = [(0, 1, 2), (0, 2, 3)]
BOX = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2),
       (2, 4, 6), (1, 3, 5), (3, 7, 5)]


def square(z=0.0, size=1.0, shift=0.0):
    return [(shift, 0, z), (shift + size, 0, z), (shift + size, size, z), (shift, size, z)]


def upright(low, high, at=0.5):
    return [(at, 0.3, low), (at, 0.6, low), (at, 0.6, high), (at, 0.3, high)]


def box(size, middle=(0, 0, 0)):
    return [tuple(m + size * (k - 0.5) for m, k in zip(middle, (i & 1, i >> 1 & 1, i >> 2)))
            for i in range(8)]


def outline(triangles):
    return sorted({tuple(sorted((t[k], t[k - 1]))) for t in triangles for k in range(3)})


def judge(*things, fps=24.0):
    """What is said of [(name, role, triangles, [points at each frame])]."""
    out = b"outcome\n" + struct.pack("<iid", len(things), len(things[0][3]), fps)
    for name, role, triangles, frames in things:
        edges = outline(triangles)
        out += struct.pack("<i", len(name)) + name.encode()
        out += struct.pack("<4i", role, len(frames[0]), len(triangles), len(edges))
        out += array("i", [i for t in triangles for i in t]).tobytes()
        out += array("i", [i for e in edges for i in e]).tobytes()
    for frame in range(len(things[0][3])):
        for thing in things:
            out += array("d", [x for point in thing[3][frame] for x in point]).tobytes()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "shot.rec")
        file.write_bytes(out)
        done = subprocess.run([JUDGE, file], capture_output=True, text=True)
        assert done.returncode == 0, done
        return json.loads(done.stdout)


class Judge(unittest.TestCase):
    def crossings(self, *args):
        return sum(pair["count"] for pair in judge(*args)["crossings"])

    def test_edge_through_a_face__is_counted_with_its_pair_and_place(self):
        told = judge(("Floor", COLLIDER, SQUARE, [square()] * 2), ("Wall", RIGID, SQUARE, [upright(-0.5, 0.5)] * 2))
        (pair,) = told["crossings"]
        self.assertEqual((pair["a"], pair["b"]), ("Floor", "Wall"))
        self.assertGreaterEqual(pair["count"], 2)
        self.assertAlmostEqual(pair["at"][2], 0)

    def test_standing_on_a_face__is_no_crossing(self):
        for gap in (0.0, 1e-3, -5e-6):  # the last is what rounding leaves
            self.assertEqual(self.crossings(("Floor", COLLIDER, SQUARE, [square()] * 2),
                                            ("Wall", RIGID, SQUARE, [upright(gap, 0.5)] * 2)), 0)

    def test_beside_a_face__is_no_crossing(self):
        self.assertEqual(self.crossings(("Floor", COLLIDER, SQUARE, [square()] * 2),
                                        ("Wall", RIGID, SQUARE, [upright(-0.5, 0.5, 1.01)] * 2)), 0)

    def test_cloth_through_itself__is_counted(self):
        points = square() + upright(-0.5, 0.5)
        faces = SQUARE + [tuple(i + 4 for i in t) for t in SQUARE]
        self.assertGreater(self.crossings(("Cloth", CLOTH, faces, [points] * 2)), 0)
        apart = square() + upright(0.1, 0.5)
        self.assertEqual(self.crossings(("Cloth", CLOTH, faces, [apart] * 2)), 0)

    def test_frames_with_crossings__are_counted_and_the_last_alone_is_the_end(self):
        told = judge(("Floor", COLLIDER, SQUARE, [square()] * 3),
                     ("Wall", RIGID, SQUARE, [upright(0.1, 1), upright(-0.5, 0.4), upright(0.1, 1)]))
        self.assertEqual((told["crossed"]["frames"], told["crossed"]["first"], told["crossings"]), (1, 1, []))

    def test_swallowed_whole__is_inside_though_nothing_crosses(self):
        told = judge(("Big", SOFT, BOX, [box(1.0)] * 2), ("Small", SOFT, BOX, [box(0.2, (0.1, 0, 0))] * 2))
        (one,) = told["inside"]
        self.assertEqual((one["what"], one["of"], one["count"], told["crossings"]), ("Small", "Big", 8, []))
        self.assertAlmostEqual(one["deepest"], 0.5 - 0.1 + 0.0, places=6)

    def test_motion_speed_and_stretch__are_those_of_the_points(self):
        told = judge(("Cloth", CLOTH, SQUARE, [square(1.0), square(1.0, 1.1)]))["things"]["Cloth"]
        self.assertAlmostEqual(told["motion"], 0.1 * math.sqrt(2), places=5)
        self.assertAlmostEqual(told["fastest"], 2.4 * math.sqrt(2), places=3)
        self.assertAlmostEqual(told["stretch"], 0.1, places=5)

    def test_energy_of_a_fall__does_not_grow_and_that_of_a_jump_does(self):
        def fall(frame):
            return square(5 - 0.5 * 9.81 * (frame / 24) ** 2)

        falls = judge(("Cloth", CLOTH, SQUARE, [fall(f) for f in range(12)]))["things"]["Cloth"]
        self.assertLess(falls["gain"], 1e-3)
        jumps = judge(("Cloth", CLOTH, SQUARE, [fall(f) for f in range(11)] + [square(6)]))["things"]["Cloth"]
        self.assertGreater(jumps["gain"], 9.81)

    def test_what_is_no_number__is_told(self):
        told = judge(("Cloth", CLOTH, SQUARE, [square(), square(math.nan)]))["things"]["Cloth"]
        self.assertFalse(told["finite"])


if __name__ == "__main__":
    JUDGE = sys.argv.pop(1)
    unittest.main()
