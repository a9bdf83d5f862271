# SPDX-License-Identifier: GPL-3.0-or-later
"""Strength, erase, smooth, mirror and fill, through the operators."""

import bpy
import lab
import paint_lab


def at(ob, x, y):
    return paint_lab.structure_at(ob, (x, y, 0))


def run():
    ob = paint_lab.painted_sheet()
    line = [(0.3, 0.5, 0), (0.7, 0.5, 0)]
    paint_lab.stroke(line, radius=0.2, strength=0.4)
    lab.close(paint_lab.length(at(ob, 0.5, 0.5)), 0.4, 0.01, "strength")
    assert bpy.ops.tribo.comb_fill(along="Y") == {"FINISHED"}
    for x in (0.1, 0.9, 1.1, 1.9):
        lab.close(paint_lab.degrees(at(ob, x, 0.4), (0, 1, 0)), 0, 0.1, "fill")
    paint_lab.stroke([(1, 0.5, 0)], radius=0.2, mode="erase")
    assert paint_lab.length(at(ob, 1.0, 0.5)) < 1e-3 < paint_lab.length(at(ob, 1.4, 0.5))
    # brush settings are what is not said
    brush = bpy.context.scene.tribo_comb
    brush.radius, brush.mode = 0.2, "smooth"
    for _ in range(10):
        paint_lab.stroke([(1, 0.5, 0)])
    smoothed = at(ob, 1.0, 0.5)
    assert paint_lab.length(smoothed) > 0.3, smoothed
    lab.close(paint_lab.degrees(smoothed, (0, 1, 0)), 0, 1, "smooth")
    # mirrored across the object's own x = 0: the sheet lies on one side, so move its middle there
    for vertex in ob.data.vertices:
        vertex.co.x -= 1
    ob.data.update()
    ob.location.x = 1
    bpy.context.view_layer.update()
    assert bpy.ops.tribo.comb_fill(along="NONE") == {"FINISHED"}
    assert paint_lab.stroke([(0.2, 0.3, 0), (0.4, 0.4, 0)], radius=0.1, mode="comb", mirror={"X"}) == {
        "FINISHED"}
    lab.close(paint_lab.degrees(at(ob, 0.3, 0.35), (2, 1, 0)), 0, 0.5, "here")
    lab.close(paint_lab.degrees(at(ob, 1.7, 0.35), (2, -1, 0)), 0, 0.5, "mirrored")
    assert paint_lab.stroke([(9, 9, 9), (9, 9, 8)], radius=0.1, mode="comb") == {"CANCELLED"}
