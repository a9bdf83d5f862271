# SPDX-License-Identifier: GPL-3.0-or-later
"""One click makes a cloth of any closed mesh, with UVs or without: a cube has faces across every axis, and
still every face gets a thread direction."""

import bpy
import lab


def run():
    lab.empty_scene(1, 3)
    bpy.ops.mesh.primitive_cube_add(location=(0, 0, 3))
    mapped = bpy.context.object
    plain = lab.box("Plain", (1, 1, 1), (4, 0, 3))
    turned = lab.box("Turned", (1, 1, 1), (8, 0, 3))
    turned.rotation_euler, turned.scale = (0.5, 0.4, 0.3), (1, 2, 0.5)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=4, location=(12, 0, 3))
    sphere = bpy.context.object
    for ob in (mapped, plain, turned, sphere):
        lab.make(ob, "CLOTH")
    assert mapped.tribo.cloth.warp_from == "uv" and plain.tribo.cloth.warp_from == "axis"
    lab.save()
    lab.bake()
    for ob in (mapped, plain, turned, sphere):
        held = lab.plays(ob, tolerance=1e-5)
        assert held[2][2] < held[0][2] - 1e-3, ob.name
