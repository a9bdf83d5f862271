# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter cannot be keyframed; where an F-curve is there all the same, the bake names object,
property and curve; but not for what else an action moves."""

import bpy
import lab


def new_curve(action, block, path, **more):
    if hasattr(action, "slots"):  # from 4.4 on
        return action.fcurve_ensure_for_datablock(block, path, **more)
    return action.fcurves.new(path, **more)


def run():
    lab.empty_scene(1, 3)
    block = lab.make(lab.box("Block"), "COLLIDER")
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    try:
        cloth.keyframe_insert("tribo.cloth.stretch", frame=1)
    except TypeError as refused:
        assert "not animatable" in str(refused)
    else:
        raise AssertionError("it was keyframed")
    action = bpy.data.actions.new("Push")
    cloth.animation_data_create().action = action
    curve = new_curve(action, cloth, "tribo.object.velocity", index=2)
    curve.keyframe_points.insert(1, 5.0)
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Cloth: tribo.object.velocity is keyframed" in message, message
    assert "tribo.object.velocity[2]" in message, message
    lab.fcurves(cloth).remove(curve)
    scene = bpy.context.scene
    curve = scene.animation_data_create().drivers.new("tribo.friction.mu")
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "The scene Scene: tribo.friction.mu is driven" in message, message
    scene.animation_data.drivers.remove(curve)
    if hasattr(action, "slots"):  # what another object's slot has is not keyframed here
        other = lab.box("Other")
        for ob in (other, block):
            ob.animation_data_create().action = action
            ob.animation_data.action_slot = action.slots.new("OBJECT", ob.name)
        new_curve(action, other, "tribo.surface.thickness").keyframe_points.insert(1, 1.0)
        new_curve(action, block, "location", index=0).keyframe_points.insert(1, 0.0)
    lab.bake()
