# SPDX-License-Identifier: GPL-3.0-or-later
"""A map whose file is missing, a map on a mesh without UVs, a map of nothing: refused with the names of the
object and the image; the same map, once readable, bakes and its change makes the cache stale."""

import os

import bpy
import lab


def run():
    lab.empty_scene(1, 3)
    block = lab.make(lab.grid("Block", 2, 2.0, (0, 0, 0)), "COLLIDER")
    lab.make(lab.grid("Cloth", 3, 0.5, (0, 0, 0.02)), "CLOTH")
    lab.save()
    image = bpy.data.images.new("grip", 4, 4, float_buffer=True, is_data=True)
    block.tribo.friction_map = image
    message = lab.refused("Block")
    assert "UV" in message or "uv" in message, message
    block.data.uv_layers.new()
    lab.bake()
    assert lab.changes() == []
    image.filepath_raw, image.file_format = lab.path("grip.exr"), "OPEN_EXR"
    image.save()
    bpy.data.images.remove(image)
    image = bpy.data.images.load(lab.path("grip.exr"))
    image.name = "grip"
    block.tribo.friction_map = image
    assert lab.changes() == ["Block: its maps changed"], lab.changes()
    lab.bake()
    os.unlink(lab.path("grip.exr"))
    lab.save()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    lab.refused("grip")
    bpy.context.scene.frame_set(1)
    block = bpy.data.objects["Block"]
    block.tribo.friction_map = None
    block.tribo.structure_map = bpy.data.images["grip"]
    message = lab.refused("grip")
    assert "grip.exr" in message, message
    assert "grip" in lab.error_of(bpy.ops.tribo.export_farm, directory=lab.path("farm"))
