#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene that the SOP makes of a drape is the one that the Blender add-on's module makes of it.

    test_same_as_blender.py ROOT MODULE_FOLDER SOP_PROGRAM SCRATCH

The module is given what the add-on would give it for the same cloth and ball with its own defaults: floats with z up,
the materials of presets.py, quality good, the ball's samples vertex by vertex.
"""

import json
import shutil
import struct
import subprocess
import sys
from array import array
from pathlib import Path

ROOT, MODULE, PROGRAM, SCRATCH = map(Path, sys.argv[1:])
sys.path.insert(0, str(MODULE))
import _tribo

END = 60


def mesh(path):
    points, triangles = array("f"), array("i")
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.extend(map(float, words[1:4]))
        elif words[:1] == ["f"]:
            triangles.extend(int(word.split("/")[0]) - 1 for word in words[1:])
    return points, triangles


def scene(sop, presets, chosen):
    made = _tribo.Scene()
    for key, value in {"time.end": END, "time.fps": 24.0, "solver.on_failure": "continue"}.items():
        made.set(key, value)
    if chosen:
        made.set("method", chosen["method"])
        made.set("time.substeps", chosen["substeps"])
    else:
        made.set("quality", "good")
    for number, (name, kind, material) in enumerate((("cloth", "cloth", "cotton"), ("collider", "collider", "wood"))):
        points, triangles = mesh(sop / f"{name}.obj")
        parameters = {group: dict(values) for group, values in presets["PRESETS"][kind.upper()][material]["values"].items()}
        if chosen:
            parameters["surface"]["thickness"] = chosen["thickness"][number]
        motion = None
        if kind == "collider":
            motion = _tribo.Samples(1.0, 1.0, len(points) // 3)
            for _ in range(END if chosen else 1):
                motion.append(points)
        made.add(name, kind, points, triangles, parameters=parameters, motion=motion)
    return made


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    sop, own = SCRATCH / "sop", SCRATCH / "blender"
    subprocess.run([PROGRAM, str(sop), "10"], check=True)
    presets = {}
    exec((ROOT / "plugin_blender/logic/presets.py").read_text(), presets)
    choice = scene(sop, presets, None).choice()
    scene(sop, presets, choice).write(str(own))
    ours, theirs = (json.loads((folder / "scene.json").read_text()) for folder in (own, sop))
    for key in {**ours, **theirs}:
        assert ours.get(key) == theirs.get(key), (key, ours.get(key), theirs.get(key))
    for name in ("cloth.obj", "collider.obj", "collider.motion.pc2"):
        assert (own / name).read_bytes() == (sop / name).read_bytes(), name
    count = struct.unpack_from("<i", (sop / "collider.motion.pc2").read_bytes(), 16)[0]
    print(f"the same scene, quality {choice['quality']}: {choice['substeps']} substeps, a ball of {count} vertices")


if __name__ == "__main__":
    main()
