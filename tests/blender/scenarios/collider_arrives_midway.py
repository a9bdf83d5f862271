# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider that comes in mid-way by its place touches from then on; one that is switched by a keyframe
of hide_viewport, of its scale to 0 or of a Build modifier is refused by name; hide_render changes
nothing."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 10)
    block = lab.make(lab.box("Block", (2, 2, 0.2)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0)), "CLOTH")
    lab.key(block, "location", (1, (0, 0, -5)), (5, (0, 0, -5)), (6, (0, 0, -0.9)))
    lab.save()
    folder = lab.bake()
    held = lab.plays(cloth)
    lowest = [min(points[2::3]) for points in held]
    fall = 9.81 / 2 * (4 / 24) ** 2
    lab.close(lowest[4], -fall, 0.02, "free fall before it comes")
    assert lowest[9] > -0.82, lowest
    block.animation_data_clear()
    block.location = (0, 0, -0.3)
    lab.bake()
    reference = lab.cached(folder, "Cloth")
    assert min(reference[9][2::3]) > -0.22, "it fell through"
    block.hide_render = True
    block.keyframe_insert("hide_render", frame=1)
    block.hide_render = False
    block.keyframe_insert("hide_render", frame=5)
    lab.bake()
    assert lab.cached(folder, "Cloth") == reference
    block.animation_data_clear()
    block.keyframe_insert("hide_viewport", frame=1)
    lab.refused("Block", "hide_viewport is keyframed")
    block.animation_data_clear()
    lab.key(block, "scale", (1, (0, 0, 0)), (5, (1, 1, 1)))
    lab.refused("Block", "scaled to nothing at frame 1")
    block.animation_data_clear()
    block.scale = (1, 1, 1)
    build = block.modifiers.new("Appear", "BUILD")
    build.frame_start, build.frame_duration = 1, 5
    lab.refused("Block", "the modifier Appear changes it")
    assert scene.frame_current == 10
