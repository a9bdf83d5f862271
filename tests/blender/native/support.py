# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the module share: the module itself, small scenes, folders, and `tribo`.

A test is run as a program of its own, with TRIBO_MODULE and TRIBO_PROGRAM naming the two files. It
ends with 77, "skipped", where the module was not built.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

MODULE = Path(os.environ.get("TRIBO_MODULE", "none"))
PROGRAM = os.environ.get("TRIBO_PROGRAM", "tribo")
if not MODULE.is_file():
    print("skipped: the module was not built; install python3-dev and configure again")
    sys.exit(77)
sys.path.insert(0, str(MODULE.parent))

import _tribo  # noqa: E402

IDENTITY = array("d", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])


def moved(x, y, z):
    """A transform that only shifts."""
    return array("d", [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1])


def grid(side, height=1.0, width=1.0, item="f"):
    """A square of side x side cells: positions and triangles."""
    positions, triangles = array(item), array("i")
    for j in range(side + 1):
        for i in range(side + 1):
            positions.extend(((i / side - 0.5) * width, (j / side - 0.5) * width, height))
    for j in range(side):
        for i in range(side):
            a = j * (side + 1) + i
            triangles.extend((a, a + 1, a + side + 2, a, a + side + 2, a + side + 1))
    return positions, triangles


def box(x=1.0, y=1.0, z=1.0):
    """A closed box about the origin, faces outward."""
    positions = array("d")
    for corner in range(8):
        positions.extend(
            ((corner & 1) * x - x / 2, (corner >> 1 & 1) * y - y / 2, (corner >> 2) * z - z / 2)
        )
    triangles = array("i")
    for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
        triangles.extend((a, b, c, a, c, d))
    return positions, triangles


def draped(side=8, end=6, stretch=500.0):
    """A cloth held at two corners that falls on a floor."""
    scene = _tribo.Scene()
    scene.set("time.end", end)
    scene.set("time.substeps", 2)
    positions, triangles = grid(side)
    scene.add(
        "sheet",
        "cloth",
        positions,
        triangles,
        parameters={"cloth": {"stretch": stretch, "bend": 1e-5}},
        pins=[{"vertices": array("i", [0, side])}],
    )
    scene.add("floor", "collider", *grid(2, 0.8, 2.0))
    return scene


def run(scene, folder, **options):
    """Bakes to the end and returns the last poll."""
    bake = scene.bake(folder, **options)
    bake.join()
    return bake.poll()


def program(*words):
    """Runs `tribo`; its output is the test's when it fails."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"tribo {words}: {done.returncode}: {done.stderr}")
    return done.stdout


class Case(unittest.TestCase):
    """With a folder of its own, and the checks that several tests need."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tribo-module-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def refused(self, words, call, *args, status="bad_input", **keywords):
        """The call raises _tribo.Error of that status, with all of these words in its message."""
        with self.assertRaises(_tribo.Error) as caught:
            call(*args, **keywords)
        self.assertEqual(caught.exception.status, status)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, str(caught.exception))

    def same_file(self, a, b):
        self.assertTrue(filecmp.cmp(a, b, shallow=False), f"{a} and {b} differ")

    def other_file(self, a, b):
        self.assertFalse(filecmp.cmp(a, b, shallow=False), f"{a} and {b} are the same")
