# SPDX-License-Identifier: GPL-3.0-or-later
"""In Texture Paint, too, strokes of the comb are undone and redone, and Blender's undo does not lose
any."""

import bpy
import paint_lab

A, B = (0.5, 0.5, 0), (1.5, 0.5, 0)


def has(point):
    ob = bpy.data.objects["Sheet"]
    return paint_lab.length(paint_lab.structure_at(ob, point)) > 0.5


def run():
    paint_lab.painted_sheet("256")
    bpy.ops.ed.undo_push(message="Map")
    bpy.ops.object.mode_set(mode="TEXTURE_PAINT")
    bpy.ops.ed.undo_push(message="Mode")
    for point in (A, B):
        x, y, z = point
        assert paint_lab.stroke([(x - 0.1, y, z), (x + 0.1, y, z)], radius=0.1) == {"FINISHED"}
        bpy.ops.ed.undo_push(message="Stroke")
    # Blender's undo has steps of its own here, which know nothing of the comb, and must not harm it
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    assert has(A) and has(B)
    assert bpy.ops.tribo.comb_undo() == {"FINISHED"}
    assert has(A) and not has(B)
    assert bpy.ops.tribo.comb_undo() == {"FINISHED"}
    assert not has(A) and not has(B)
    assert bpy.ops.tribo.comb_undo() == {"CANCELLED"}
    for _ in range(2):
        assert bpy.ops.tribo.comb_redo() == {"FINISHED"}
    assert has(A) and has(B)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.ed.undo_push(message="Mode")
    bpy.data.objects["Sheet"].location.x = 5
    bpy.ops.ed.undo_push(message="Move")
    bpy.ops.ed.undo()
    assert bpy.context.mode == "OBJECT" and has(A) and has(B)
