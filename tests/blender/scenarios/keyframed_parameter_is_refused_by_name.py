# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter cannot be keyframed; where an F-curve is there all the same, the bake names object,
property and curve."""

import bpy
import lab


def run():
    lab.empty_scene(1, 3)
    lab.make(lab.box("Block"), "COLLIDER")
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    try:
        cloth.keyframe_insert("tribo.cloth.stretch", frame=1)
    except TypeError as refused:
        assert "not animatable" in str(refused)
    else:
        raise AssertionError("it was keyframed")
    action = bpy.data.actions.new("Push")
    cloth.animation_data_create().action = action
    curve = action.fcurves.new("tribo.object.velocity", index=2)
    curve.keyframe_points.insert(1, 5.0)
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Cloth: tribo.object.velocity is keyframed" in message, message
    assert "tribo.object.velocity[2]" in message, message
    action.fcurves.remove(curve)
    scene = bpy.context.scene
    curve = scene.animation_data_create().drivers.new("tribo.friction.mu")
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "The scene Scene: tribo.friction.mu is driven" in message, message
    scene.animation_data.drivers.remove(curve)
    lab.bake()
