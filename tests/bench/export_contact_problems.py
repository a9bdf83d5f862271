#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact problems of the scenes, for bench_contact_problems.

    tests/bench/export_contact_problems.py FOLDER [BUILD]        (build/release)

Makes and bakes every scene of the list below, takes as many of its problems as the list says, evenly
over the frames that have contacts, and leaves them in FOLDER as SCENE_FRAME.hdf5: 200 in all. Then

    build/release/tests/bench/bench_contact_problems --folder FOLDER --only-files
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# name, scene, options, how many problems
SCENES = [
    ("hopper_around", "hopper", ["down=0"], 25),
    ("hopper_down", "hopper", ["down=1"], 20),
    ("tower_across", "tower", ["angle=90"], 20),
    ("tower_along", "tower", ["angle=0"], 20),
    ("arch_stands", "arch", ["radial=0", "seconds=0.75"], 10),
    ("arch_falls", "arch", ["radial=1"], 20),
    ("logs_straight", "log_slide", ["spread=0"], 15),
    ("logs_spread", "log_slide", ["spread=35"], 15),
    ("stack", "stack", ["seconds=1"], 10),
    ("cloth", "cloth_cylinder", ["cells=7", "mu=0.13", "seconds=2"], 20),
    ("trampoline", "ball_on_trampoline", ["cells=5", "rings=10", "seconds=5"], 25),
]


def run(words):
    """Runs a program; stops with what it said when it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in words)}\n{done.stdout}{done.stderr}")


def contacts_of(tribo, path):
    """How many contacts a problem has."""
    said = subprocess.run([tribo, "contact-problem", "info", path], capture_output=True, text=True,
                          check=False).stdout
    found = re.search(r"(\d+) contacts?\b", said)
    return int(found.group(1)) if found else 0


def evenly(items, count):
    """`count` of the items, or all, from the first to the last."""
    if len(items) <= count:
        return items
    return [items[round(k * (len(items) - 1) / (count - 1))] for k in range(count)]


def export(build, folder, scene):
    """Bakes one scene; returns how many of its problems went to the folder."""
    name, recipe, options, count = scene
    tribo = build / "core" / "tribo"
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        run([build / "tests" / "make_scene", recipe, work / "scene", *options])
        run([tribo, "bake", work / "scene" / "scene.json", "--out", work / "bake", "--threads", "1",
             "--progress", "none", "--contact-problems", work / "problems"])
        files = [path for path in sorted((work / "problems").glob("*.hdf5"))
                 if contacts_of(tribo, path) > 0]
        taken = evenly(files, count)
        for path in taken:
            number = re.search(r"(\d+)", path.stem).group(1)
            shutil.copyfile(path, folder / f"{name}_{number}.hdf5")
    return len(taken)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, build = Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "build/release")
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for scene in SCENES:
        count = export(build, folder, scene)
        total += count
        print(f"{scene[0]:16} {count:4} of {scene[3]}", flush=True)
    print(f"{total} problems in {folder}")


if __name__ == "__main__":
    main()
