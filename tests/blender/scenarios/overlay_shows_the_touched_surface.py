# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin lies where the surface is; where a smooth surface has a hole it is striped."""

import bpy
import lab
import picture_lab

WINDOW = True


def hill(name, cells, size, height):
    """A grid with a spike in its middle: far too few points for a smooth surface there."""
    ob = lab.grid(name, cells, size, (0, 0, 0))
    middle = min(ob.data.vertices, key=lambda v: v.co.length)
    middle.co.z = height
    ob.data.update()
    return ob


def ball():
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=0.8)
    ob = bpy.context.object
    ob.name = "Ball"
    return ob


def run():
    yield 0.5
    lab.empty_scene()
    settings = bpy.context.scene.tribo_overlay
    matrix = picture_lab.from_above((0, 0), 2.0)
    ob = lab.make(ball(), "COLLIDER", surface__contact="mls")
    settings.skin = True
    picture = picture_lab.take(matrix)
    inside = [p for row in picture_lab.patch(picture, 0.3, 0.3, 0.7, 0.7) for p in row]
    outside = [p for row in picture_lab.patch(picture, 0, 0, 1, 0.06) for p in row]
    assert all(p[3] > 60 for p in inside) and not any(p[3] for p in outside)
    red, green, blue = (sum(p[k] for p in inside) / len(inside) for k in range(3))
    assert blue > green > red, (red, green, blue)
    assert ("holes", "Ball") not in lab.addon("ui.overlay_data").messages
    # moved as a whole it is not made again
    made = lab.addon("ui.overlay_data")._kept["skin", "Ball"][1]
    ob.location.x = 1.0
    bpy.context.view_layer.update()
    picture = picture_lab.take(matrix)
    assert lab.addon("ui.overlay_data")._kept["skin", "Ball"][1] is made
    assert not any(p[3] for row in picture_lab.patch(picture, 0, 0, 0.3, 1) for p in row)
    ob.hide_set(True)
    lab.make(hill("Hill", 4, 1.6, 1.5), "COLLIDER", surface__contact="mls")
    picture = picture_lab.take(matrix)
    stripes = [p for row in picture for p in row if p[0] > 200 and p[2] < 140 and p[3] > 200]
    print(f"{len(stripes)} striped pixels; {lab.addon('ui.overlay_data').messages}")
    assert len(stripes) > 100, len(stripes)
    assert "has holes at" in str(lab.addon("ui.overlay_data").messages)
    yield 0.1
