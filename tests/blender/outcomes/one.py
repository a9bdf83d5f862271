# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender (../run.py): one scene, simulated by one side, recorded. The environment says which:
OUTCOME = "SCENE SIDE long|short". Leaves shot.rec and shot.json."""

import json
import os
import sys

import bpy

SECONDS = 600
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import lab  # noqa: E402
import recording  # noqa: E402
import scenes  # noqa: E402
import sides  # noqa: E402


def run():
    name, who, size = os.environ["OUTCOME"].split()
    make, long_frames, short_frames = scenes.SCENES[name]
    frames, cells = (long_frames, scenes.CELLS) if size == "long" else (short_frames, scenes.SHORT_CELLS)
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    scene.frame_set(1)
    side = sides.SIDES[who]()
    wanted = make(side, cells)
    lab.save()
    if who == "tribo" and os.environ.get("OUTCOME_BUNDLE"):
        bpy.ops.tribo.export_farm(directory=os.environ["OUTCOME_BUNDLE"])
    seconds = side.simulate(lab.addon("jobs"))
    recording.write(lab.path("shot.rec"), side.roles)
    with open(lab.path("shot.json"), "w", encoding="utf-8") as file:
        json.dump({"scene": name, "side": who, "size": size, "frames": frames, "seconds": seconds,
                   "done": side.done, "said": side.said, "wanted": wanted}, file, indent=1)
