# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo and redo after a bake change nothing of what plays, saved or not; after Free they bring back no
path to a file that is gone."""

import bpy
import lab


def push(text):
    bpy.ops.ed.undo_push(message=text)


def run():
    lab.empty_scene(1, 4)
    lab.make(lab.grid(cells=3), "CLOTH")
    push("Set up")
    bpy.data.objects["Cloth"].location.x = 2.0
    push("Move")
    folder = lab.bake()  # into the temporary folder: the file is not saved
    push("Something")
    for step in ("undo", "undo", "redo", "redo", "undo"):
        assert getattr(bpy.ops.ed, step)() == {"FINISHED"}
        assert lab.cache_folder() == folder, (step, lab.cache_folder())
        cloth = bpy.data.objects["Cloth"]
        modifier = cloth.modifiers["Tribo"]
        assert modifier.factor == 1.0 and "Cloth.local.pc2" in modifier.filepath, step
    bpy.ops.ed.redo()
    lab.plays(bpy.data.objects["Cloth"])
    push("Before Free")
    assert bpy.ops.tribo.free() == {"FINISHED"}
    push("After Free")
    for step in ("undo", "undo", "redo"):
        getattr(bpy.ops.ed, step)()
        assert lab.cache_folder() == ""
        modifier = bpy.data.objects["Cloth"].modifiers["Tribo"]
        assert modifier.factor == 0.0, (step, modifier.filepath)
