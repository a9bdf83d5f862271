# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay draws what the map says: pixels of known directions have their colour, and the strokes
run along them, on plain and on mirrored islands, also when the object has moved."""

import math

import bpy
import lab
import paint_lab
import picture_lab

WINDOW = True


def expected(angle):
    axes = lab.addon("ui.overlay_draw").AXES
    c, s = math.cos(math.radians(angle)) ** 2, math.sin(math.radians(angle)) ** 2
    return tuple(c * x + s * y for x, y in zip(axes[0], axes[1]))


def check(picture, where, angle):
    part = picture_lab.patch(picture, *where)
    colour, count = picture_lab.mean_colour(part)
    seen = picture_lab.line_angle(part)
    print(f"{angle} degrees: seen at {seen:.1f}, colour {colour}, {count} pixels")
    assert count > 300, count
    for a, b in zip(colour, expected(angle)):
        lab.close(a, b, 0.03, f"colour of {angle}")
    assert picture_lab.apart(seen, angle) < 4, seen


def run():
    yield 0.5
    ob = paint_lab.painted_sheet()
    settings = bpy.context.scene.tribo_overlay
    matrix = picture_lab.from_above((1, 0.5), 2.0)
    assert picture_lab.mean_colour(picture_lab.take(matrix)) == (None, 0), "off by default"
    settings.structure, settings.spacing, settings.opacity = True, 0.15, 1.0
    for angle in (0, 30, 90, 135):
        assert bpy.ops.tribo.comb_fill(along="NONE") == {"FINISHED"}
        d = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        stroke = [(1 - 0.5 * d[0], 0.5 - 0.5 * d[1], 0), (1 + 0.5 * d[0], 0.5 + 0.5 * d[1], 0)]
        assert paint_lab.stroke(stroke, radius=4) == {"FINISHED"}
        picture = picture_lab.take(matrix)
        check(picture, (0.05, 0.3, 0.45, 0.7), angle)
        check(picture, (0.55, 0.3, 0.95, 0.7), angle)
        yield 0.05
    assert bpy.ops.tribo.comb_fill(along="NONE") == {"FINISHED"}
    colour, count = picture_lab.mean_colour(picture_lab.take(matrix))
    assert count > 20 and max(colour) - min(colour) < 0.02, (colour, count)
    # moved as a whole, the strokes move along, without being made again
    assert bpy.ops.tribo.comb_fill(along="X") == {"FINISHED"}
    picture_lab.take(matrix)
    ob.rotation_euler[2] = math.radians(90)
    ob.location.x = 5
    bpy.context.view_layer.update()
    made = lab.addon("ops.comb_canvas").surfaces["Sheet"].version
    picture = picture_lab.take(picture_lab.from_above((4.5, 1), 2.0))
    assert lab.addon("ops.comb_canvas").surfaces["Sheet"].version == made
    part = picture_lab.patch(picture, 0.3, 0.1, 0.7, 0.9)
    assert picture_lab.apart(picture_lab.line_angle(part), 90) < 4
    yield 0.1
