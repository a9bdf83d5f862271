# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes are undone and redone by Blender's own undo, with what was done between; and an image that was
undone away comes back painted."""

import bpy
import lab
import paint_lab

A, B, C = (0.5, 0.5, 0), (1.5, 0.5, 0), (1.0, 0.2, 0)


def has(point):
    ob = bpy.data.objects["Sheet"]
    return paint_lab.length(paint_lab.structure_at(ob, point)) > 0.5


def run():
    lab.empty_scene()
    lab.make(paint_lab.sheet(), "COLLIDER")
    bpy.ops.ed.undo_push(message="Start")
    assert bpy.ops.tribo.new_structure_map(size="256") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Map")
    for point in (A, B):
        x, y, z = point
        assert paint_lab.stroke([(x - 0.1, y, z), (x + 0.1, y, z)], radius=0.1) == {"FINISHED"}
        bpy.ops.ed.undo_push(message="Stroke")
    bpy.data.objects["Sheet"].location.z = 0.0
    assert has(A) and has(B)
    bpy.ops.ed.undo()
    assert has(A) and not has(B)
    bpy.ops.ed.undo()
    assert not has(A) and not has(B)
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    assert has(A) and has(B)
    for _ in range(3):
        bpy.ops.ed.undo()
    assert bpy.data.objects["Sheet"].tribo.structure_map is None
    for _ in range(3):
        bpy.ops.ed.redo()
    assert has(A) and has(B)
    bpy.ops.ed.undo()
    assert has(A) and not has(B)
    # a new stroke after undo ends what could be redone
    assert paint_lab.stroke([(0.9, 0.2, 0), (1.1, 0.2, 0)], radius=0.1) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Stroke")
    assert has(C) and not has(B)
    assert bpy.ops.tribo.comb_undo() == {"FINISHED"}
    assert has(A) and not has(C)
    assert bpy.ops.tribo.comb_redo() == {"FINISHED"}
    assert has(C)
    assert bpy.ops.tribo.comb_redo() == {"CANCELLED"}
