#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden run itself: that every scene has a row, and that a difference is found and called what it
is: test_golden.py MAKE_SCENE."""

import importlib.util
import struct
import subprocess
import sys
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

HERE = Path(__file__).parent
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_loader("golden", SourceFileLoader("golden", str(HERE / "golden")))
golden = importlib.util.module_from_spec(spec)
spec.loader.exec_module(golden)
MAKE_SCENE = sys.argv.pop(1) if len(sys.argv) > 1 else None

CONTACT = '{"object": "a", "vertex": %d, "surface": "floor", "gap": %s}'


def contacts(*list_of):
    return ('{"frame": 2, "contacts": [' + ", ".join(CONTACT % c for c in list_of) + "]}\n").encode()


def checkpoint(x):
    data = b"TRIBOCKP" + struct.pack("<II7Q", 4, 0, 7, 1, 5, 1, 0, 0, 0)[:56]
    return data + struct.pack("<3d3d", x, 0, 0, 0, 0, 0) + bytes(8)


class Rows(unittest.TestCase):
    def test_every_scene_has_a_row(self):
        done = subprocess.run([MAKE_SCENE], capture_output=True, text=True)
        made = {line.split()[0] for line in done.stderr.splitlines() if line.startswith("  ")}
        self.assertTrue(made)
        self.assertEqual(made, {row["scene"] for row in golden.scenes.ROWS})

    def test_names_of_rows_differ(self):
        names = [row["name"] for row in golden.scenes.ROWS]
        self.assertEqual(len(names), len(set(names)))


class Differences(unittest.TestCase):
    def kinds(self, name, before, after):
        return [(d[0], d[2], d[3]) for d in golden.run_differences({name: before}, {name: after})]

    def test_a_changed_digit_is_named(self):
        found = self.kinds("stats.jsonl", b'{"a": 1, "b": 0.1}\n{"a": 2, "b": 0.1}\n',
                           b'{"a": 1, "b": 0.1}\n{"a": 2, "b": 0.10000000000000001}\n')
        self.assertEqual(found, [("number", 2, "b")])

    def test_clocks_do_not_count(self):
        self.assertEqual(self.kinds("stats.jsonl", b'{"seconds": 1}\n', b'{"seconds": 2}\n'), [])

    def test_added_keys_and_another_order_are_no_numbers(self):
        found = self.kinds("stats.jsonl", b'{"a": 1, "b": 2}\n', b'{"b": 2, "new": 3, "a": 1}\n')
        self.assertEqual({kind for kind, _, _ in found}, {"added", "order"})

    def test_a_key_that_is_gone_fails(self):
        found = self.kinds("stats.jsonl", b'{"a": 1, "b": 2}\n', b'{"a": 1}\n')
        self.assertEqual(found, [("gone", 1, "b")])
        self.assertTrue(golden.fails(("gone",), False))

    def test_contacts_in_another_order_are_the_same(self):
        one, two = (3, "0.1"), (8, "0.2")
        found = self.kinds("contacts.jsonl", contacts(one, two), contacts(two, one))
        self.assertEqual({kind for kind, _, _ in found}, {"order"})

    def test_a_changed_contact_is_named(self):
        found = self.kinds("contacts.jsonl", contacts((3, "0.1"), (8, "0.2")), contacts((8, "0.3"), (3, "0.1")))
        self.assertIn(("number", 1, "contacts[a:8>floor].gap"), found)

    def test_a_bit_of_the_state_is_named(self):
        found = self.kinds("state.ckpt", checkpoint(1.0), checkpoint(1.0000000000000002))
        self.assertEqual(found, [("number", 0, "positions[0]")])


if __name__ == "__main__":
    unittest.main()
