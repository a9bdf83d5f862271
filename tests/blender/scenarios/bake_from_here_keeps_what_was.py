# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake from this frame: earlier frames stay to the bit, later ones follow the new settings; without
changes it changes nothing."""

import os
import shutil

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 8)
    lab.make(lab.box("Block", (0.6, 0.6, 0.4)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=6, location=(0, 0, 0.25)), "CLOTH")
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("before"))
    scene.frame_set(4)
    assert bpy.ops.tribo.bake_from_here() == {"FINISHED"}
    lab.same_files(folder, lab.path("before"), ["Cloth.pc2", "Cloth.local.pc2"])
    cloth.tribo.cloth.density = 2.0
    scene.gravity = (1, 0, -9.81)
    scene.frame_set(4)
    assert bpy.ops.tribo.bake_from_here() == {"FINISHED"}
    before, after = (lab.cached(f, "Cloth") for f in (lab.path("before"), folder))
    assert len(after) == 8
    for sample in range(4):
        assert before[sample] == after[sample], sample
    assert lab.farthest(before[7], after[7]) > 1e-4
    for frame in range(1, 9):
        assert lab.farthest(lab.shown(cloth, frame), after[frame - 1]) < 1e-6
    shutil.rmtree(os.path.join(folder, "states"))
    scene.frame_set(4)
    message = lab.error_of(bpy.ops.tribo.bake_from_here)
    assert "4" in message, message
