# SPDX-License-Identifier: GPL-3.0-or-later
"""A full copy of a baked scene plays the bake, but bakes to a folder of its own and frees nothing of the
original; a renamed scene plays on."""

import os

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 3)
    lab.make(lab.grid(cells=2), "CLOTH")
    lab.save()
    first = lab.bake()
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene
    assert copy != scene and copy.tribo.cache_at == first
    assert "belongs to another file or scene" in lab.error_of(bpy.ops.tribo.resume)
    second = lab.bake()
    assert second != first and os.path.exists(os.path.join(first, "Cloth.pc2")), second
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert os.path.exists(os.path.join(first, "Cloth.pc2")) and not os.path.exists(second)
    bpy.ops.scene.delete()
    assert bpy.context.scene == scene
    lab.plays(bpy.data.objects["Cloth"])
    scene.name = "Take 2"
    lab.save()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert lab.cache_folder() == first
    lab.plays(bpy.data.objects["Cloth"])
    assert lab.bake() == lab.path("tribo_cache_shot", "Take 2")
    lab.plays(bpy.data.objects["Cloth"])
