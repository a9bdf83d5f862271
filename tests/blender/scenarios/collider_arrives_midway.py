# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider that comes in mid-way by its place touches from then on; one that comes by its scale from 0, or
by a Build modifier, is refused by name. Visibility: collider_appears_and_vanishes."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 10)
    block = lab.make(lab.box("Block", (2, 2, 0.2)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0)), "CLOTH", **lab.IN_VACUUM)
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
    assert min(lab.cached(folder, "Cloth")[9][2::3]) > -0.22, "it fell through"
    lab.key(block, "scale", (1, (0, 0, 0)), (5, (1, 1, 1)))
    lab.refused("Block", "scaled to nothing at frame 1")
    block.animation_data_clear()
    block.scale = (1, 1, 1)
    build = block.modifiers.new("Appear", "BUILD")
    build.frame_start, build.frame_duration = 1, 5
    lab.refused("Block", "the modifier Appear changes it")
    assert scene.frame_current == 10
