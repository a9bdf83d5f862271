# SPDX-License-Identifier: GPL-3.0-or-later
"""A slab that crosses the cloth within one frame pushes it along instead of passing through, as long as
it moves less than half its thickness a substep; samples within a frame reach the core, so that it follows
a path that frames alone would cut short."""

import json
import math
import os

import bpy
import lab
from mathutils import Matrix


def run():
    scene = lab.empty_scene(1, 6)
    scene.gravity = (0, 0, 0)
    scene.tribo.time.substeps = 16
    slab = lab.make(lab.box("Slab", (2, 2, 0.5), (0, 0, -1)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0)), "CLOTH")
    lab.key(slab, "location", (1, (0, 0, -1)), (3, (0, 0, -1)), (4, (0, 0, 0.5)))  # 36 m/s
    lab.save()
    lab.bake()
    held = lab.plays(cloth)
    assert min(held[5][2::3]) > 0.5, ("the slab went through", min(held[5][2::3]))

    bpy.data.objects.remove(slab)
    arm = lab.make(lab.box("Arm", (0.1, 0.1, 0.1), (0, 5, 0)), "COLLIDER")
    arm.data.transform(Matrix.Translation((1, 0, 0)))
    lab.key(arm, "rotation_euler", (1, (0, 0, 0)), (2, (0, 0, math.pi)))
    scene.frame_end = 2

    def samples_in_bundle(samples):
        scene.tribo.samples = samples
        folder = lab.path(f"arm{samples}")
        assert bpy.ops.tribo.export_farm(directory=folder) == {"FINISHED"}
        with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
            found = next(o for o in json.load(file)["objects"] if o["name"] == "Arm")
        return len(found["transforms"])

    counts = [samples_in_bundle(1), samples_in_bundle(8)]
    assert counts == [2, 9], counts
