# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo and redo around set-up, a bake and Free: the cache on disk plays, whatever the undo stack says,
and nothing is stuck."""

import bpy
import lab


def step(name):
    bpy.ops.ed.undo_push(message=name)


def run():
    lab.empty_scene(1, 5)
    lab.grid(cells=4)
    step("cloth")
    lab.make(bpy.data.objects["Cloth"], "CLOTH")
    step("tribo")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Cloth"].tribo.kind == "NONE"
    assert not bpy.data.objects["Cloth"].modifiers
    bpy.ops.ed.redo()
    assert bpy.data.objects["Cloth"].tribo.kind == "CLOTH"
    lab.save()
    folder = lab.bake()
    held = lab.cached(folder, "Cloth")
    step("baked")
    bpy.data.objects["Cloth"].tribo.cloth.bend = 1e-3
    step("bend")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()  # to before the bake, whose files are there
    assert lab.cache_folder() == folder
    assert lab.farthest(lab.shown(bpy.data.objects["Cloth"], 5), held[4]) < 1e-6
    bpy.ops.ed.redo()
    assert lab.farthest(lab.shown(bpy.data.objects["Cloth"], 3), held[2]) < 1e-6
    step("free")
    bpy.ops.tribo.free()
    step("freed")
    bpy.ops.ed.undo()
    assert lab.cache_folder() == ""
    lab.bake()
    assert not lab.addon("jobs").running
