# SPDX-License-Identifier: GPL-3.0-or-later
"""The first stroke after loading, or on a picture from elsewhere, is undone as any other; the picture's file
is never overwritten, nor is the map of a copy."""

import bpy
import lab
import paint_lab

A, B = (0.5, 0.5, 0), (1.5, 0.5, 0)


def has(point):
    return paint_lab.length(paint_lab.structure_at(bpy.data.objects["Sheet"], point)) > 0.5


def stroke_at(point):
    x, y, z = point
    assert paint_lab.stroke([(x - 0.1, y, z), (x + 0.1, y, z)], radius=0.1) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Stroke")


def first_stroke_comes_and_goes():
    bpy.context.view_layer.objects.active = bpy.data.objects["Sheet"]
    bpy.ops.ed.undo_push(message="Start")
    stroke_at(B)
    assert has(B)
    bpy.ops.ed.undo()
    assert not has(B)
    bpy.ops.ed.redo()
    assert has(B)


def run():
    paint_lab.painted_sheet("256")
    stroke_at(A)
    lab.save()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    first_stroke_comes_and_goes()
    assert has(A)

    # a picture from elsewhere
    picture = bpy.data.images.new("elsewhere", 256, 256, is_data=True)
    picture.generated_color = (0.5, 0.5, 0, 1)
    picture.filepath_raw, picture.file_format = lab.path("elsewhere.png"), "PNG"
    picture.save()
    bpy.data.images.remove(picture)
    with open(lab.path("elsewhere.png"), "rb") as file:
        before = file.read()
    ob = bpy.data.objects["Sheet"]
    assert bpy.ops.tribo.import_map(filepath=lab.path("elsewhere.png"), to="STRUCTURE") == {"FINISHED"}
    first_stroke_comes_and_goes()
    lab.save()
    with open(lab.path("elsewhere.png"), "rb") as file:
        assert file.read() == before, "the picture was overwritten"
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert has(B)

    # a copy has strokes of its own
    ob = bpy.data.objects["Sheet"]
    bpy.context.view_layer.objects.active = ob
    stroke_at(A)
    lab.save()  # Blender copies what is packed, not what is seen
    original = ob.tribo.structure_map
    ob.tribo.structure_map = original.copy()
    kept = paint_lab.image_pixels(original)
    stroke_at((0.2, 0.2, 0))
    assert paint_lab.image_pixels(original) == kept
    assert has((0.2, 0.2, 0)) and has(A) and has(B)
