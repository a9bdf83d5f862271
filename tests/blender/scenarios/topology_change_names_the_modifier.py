# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider, or the input of a cloth, whose topology changes over time: the message names object,
frame, counts and modifier, and the scene is left as it was."""

import bpy
import lab


def build_over_time(ob):
    ob.modifiers.new("Harmless", "SIMPLE_DEFORM")
    grow = ob.modifiers.new("Grow", "BUILD")
    grow.frame_start, grow.frame_duration = 1, 4
    ob.modifiers.new("After", "SMOOTH")


def run():
    scene = lab.empty_scene(3, 6)
    ball = lab.make(lab.grid("Ground", 4, 2.0, (0, 0, 0)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=3), "CLOTH")
    build_over_time(ball)
    scene.frame_set(5)
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Ground has" in message and "the modifier Grow changes it" in message, message
    assert "at frame 4" in message and "at frame 3" in message, message
    assert scene.frame_current == 5
    assert all(m.show_viewport for m in ball.modifiers)
    ball.modifiers.clear()

    cloth.modifiers.clear()
    build_over_time(cloth)
    with bpy.context.temp_override(object=cloth, selected_objects=[cloth]):
        bpy.ops.tribo.place_modifier()
    lab.pin(cloth, [0, 1])
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Cloth" in message and "the modifier Grow changes it" in message, message
    cloth.modifiers.clear()
    cloth.tribo.pin_group = ""
    below = cloth.modifiers.new("Levels", "SUBSURF")
    below.levels, below.render_levels = 1, 2
    cloth.modifiers.new("Wave", "WAVE")
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Levels above Tribo has 1 levels in the viewport and 2 in renders" in message, message
