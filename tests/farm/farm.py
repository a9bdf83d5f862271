# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of wedges share: the program, small scenes, and caches as bytes."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("TRIBO_PROGRAM", "tribo"))
MAKE_SCENE = os.path.abspath(os.environ.get("TRIBO_MAKE_SCENE", "make_scene"))
# What a bake leaves that holds no clock and no number of threads.
TIMELESS = (".pc2", ".obj", ".msh", "verdict.jsonl", "state.ckpt")


def tribo(*words, check=True, **options):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300, **options)
    if check and done.returncode:
        raise AssertionError(f"tribo {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done


def make_scene(folder, name="hanging_cloth", end=12, **keys):
    words = [f"{key}={value}" for key, value in keys.items()]
    subprocess.run([MAKE_SCENE, name, folder, *words], check=True, capture_output=True)
    path = os.path.join(folder, "scene.json")
    with open(path, encoding="utf-8") as file:
        scene = json.load(file)
    scene["time"]["end"] = scene["time"]["start"] + end - 1
    write_json(path, scene)
    return path


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def report(wedge):
    return json.loads(tribo("wedge", "status", wedge, "--json").stdout)["items"]


def timeless(folder):
    """The bytes of a bake, by file."""
    out = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(TIMELESS):
            with open(os.path.join(folder, name), "rb") as file:
                out[name] = file.read()
    return out


class Case(unittest.TestCase):
    def setUp(self):
        self._work = tempfile.TemporaryDirectory(prefix="tribo_wedge_")
        self.work = self._work.name
        self.addCleanup(self._work.cleanup)

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def make(self, *words, scene=None, out="wedge"):
        """A wedge of a small scene."""
        scene = scene or make_scene(self.path("scene"), resolution=6)
        tribo("wedge", scene, "--out", self.path(out), *words)
        return self.path(out)

    def assert_as_baked_directly(self, wedge, items=None):
        """Every cache of the wedge is equal to the bit to a bake of its scene alone."""
        for item in items or report(wedge):
            if item["same_as"] != item["number"]:
                continue
            alone = self.path(f"alone{item['number']}")
            tribo("bake", os.path.join(wedge, item["scene"]), "--out", alone, "--progress", "none", "--threads", 1)
            with self.subTest(item["label"]):
                self.assertEqual(timeless(os.path.join(wedge, item["bake"])), timeless(alone))
