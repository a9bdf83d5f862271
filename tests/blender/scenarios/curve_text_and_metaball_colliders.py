# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves, text and metaballs are colliders by their surface, and moving a point of a curve makes the cache
stale; as a cloth they are refused by name, in the operator and in the bake. Empties, lamps and curves
without thickness have no surface and say so."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 8)
    cloth = lab.make(lab.grid("Cloth", 6, 0.5, (0, 0, 0.15)), "CLOTH")
    bpy.ops.curve.primitive_bezier_curve_add()
    curve = bpy.context.object
    curve.name = "Curve"  # Blender's own name differs between versions
    lab.make(curve, "COLLIDER")
    lab.save()
    lab.refused(curve.name)
    curve.data.bevel_depth = 0.1
    lab.bake()
    held = lab.plays(cloth)
    assert max(held[7][2::3]) > 0.05, "it fell past the curve"
    curve.data.splines[0].bezier_points[0].co.x += 0.01
    assert lab.changes() == ["Curve: its mesh changed"], lab.changes()
    bpy.data.objects.remove(curve)
    bpy.ops.object.text_add(location=(-0.5, -0.2, 0))
    text = bpy.context.object
    text.data.extrude = 0.05
    lab.make(text, "COLLIDER")
    bpy.ops.object.metaball_add(radius=0.3, location=(2, 0, 0))
    ball = bpy.context.object
    lab.make(ball, "COLLIDER")
    lab.bake()
    text.data.body = "Other"
    assert lab.changes() == ["Text: its mesh changed"], lab.changes()
    message = lab.error_of(bpy.ops.tribo.add, kind="CLOTH")
    assert ball.name in message and "mesh" in message, message
    text.tribo.kind = "CLOTH"
    lab.refused("Text", "only a mesh can be simulated")
    text.tribo.kind = "NONE"
    empty = bpy.data.objects.new("Empty", None)
    scene.collection.objects.link(empty)
    empty.tribo.kind = "COLLIDER"
    lab.refused("Empty")
    empty.tribo.kind = "NONE"
    lab.bake()
