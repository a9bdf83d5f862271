# SPDX-License-Identifier: GPL-3.0-or-later
"""New maps make UVs where there are none, keep those that are, and what cannot be painted says why."""

import bpy
import lab
import paint_lab


def run():
    lab.empty_scene()
    box = lab.make(lab.box(), "COLLIDER")
    assert "no structure map" in lab.error_of(bpy.ops.tribo.comb_stroke)
    assert bpy.ops.tribo.new_structure_map(size="256") == {"FINISHED"}
    assert len(box.data.uv_layers) == 1 and bpy.context.mode == "OBJECT"
    image = box.tribo.structure_map
    assert image.is_float and image.colorspace_settings.name == "Non-Color" and image.packed_file
    pixels = paint_lab.image_pixels(image)
    assert tuple(pixels[:4]) == (0.5, 0.5, 0.0, 1.0) and len(set(pixels[0::4])) == 1
    # around an edge of the box: down one side as it came over the other
    assert paint_lab.stroke([(-0.3, 0, 0.5), (0.5, 0, 0.5), (0.5, 0, -0.3)], radius=0.1) == {"FINISHED"}
    lab.close(paint_lab.degrees(paint_lab.structure_at(box, (0, 0, 0.5)), (1, 0, 0)), 0, 0.1)

    uvs = [tuple(loop.uv) for loop in box.data.uv_layers.active.data]
    assert bpy.ops.tribo.new_grip_map(size="256") == {"FINISHED"}
    assert uvs == [tuple(loop.uv) for loop in box.data.uv_layers.active.data]
    grip = box.tribo.friction_map
    assert set(paint_lab.image_pixels(grip)) == {1.0}
    assert bpy.context.mode == "PAINT_TEXTURE"
    assert bpy.context.tool_settings.image_paint.canvas == grip
    bpy.ops.object.mode_set(mode="OBJECT")

    picture = bpy.data.images.new("picture", 8, 8)
    picture.filepath_raw, picture.file_format = lab.path("picture.png"), "PNG"
    picture.save()
    assert bpy.ops.tribo.import_map(filepath=lab.path("picture.png"), to="GRIP") == {"FINISHED"}
    assert box.tribo.friction_map.filepath.endswith("picture.png")
    assert box.tribo.friction_map.colorspace_settings.name == "Non-Color"
    with open(lab.path("no.png"), "w", encoding="utf-8") as file:
        file.write("no picture")
    lab.error_of(bpy.ops.tribo.import_map, filepath=lab.path("no.png"), to="GRIP")

    bare = lab.make(lab.grid("Bare"), "COLLIDER")
    bare.tribo.structure_map = image
    assert "has no UVs" in lab.error_of(bpy.ops.tribo.comb_fill, along="X")
    empty = lab.mesh_object("Empty", [(0, 0, 0)], [])
    lab.make(empty, "COLLIDER")
    assert "no faces" in lab.error_of(bpy.ops.tribo.new_structure_map)
    tiled = bpy.data.images.new("tiled", 64, 64, tiled=True)
    box.tribo.structure_map = tiled
    bpy.context.view_layer.objects.active = box
    assert "tiles" in lab.error_of(bpy.ops.tribo.comb_stroke)
