# SPDX-License-Identifier: GPL-3.0-or-later
"""Time Remapping: what was baked for a frame shows at that frame, beside the collider of that frame; live
too; and switching it on or off after a bake keeps the frames and makes the cache out of date."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 8)
    scene.render.frame_map_old, scene.render.frame_map_new = 100, 200
    floor = lab.make(lab.box("Floor", (2, 2, 0.1)), "COLLIDER")
    lab.key(floor, "location", (1, (0, 0, 0)), (5, (0, 0, 0.4)))
    cloth = lab.make(lab.grid(cells=3, size=0.5, location=(0, 0, 0.1)), "CLOTH")
    for frame in range(1, 5):  # live
        scene.frame_set(frame)
        lab.close(cloth.modifiers["Tribo"].frame_scale, 2.0, 1e-6, "the scale of frames")
    live = lab.shown(cloth)
    lab.save()
    lab.bake()
    held = lab.plays(cloth)
    assert lab.farthest(live, held[3]) < 1e-5
    at_end = lab.shown(floor, 8)
    lab.close(max(at_end[2::3]), 0.05 + 0.4 * (8 / 2 - 1) / 4, 1e-3, "the floor, slowed")
    assert min(held[7][2::3]) > max(at_end[2::3]) - 0.01, "the cloth rides on it"
    assert lab.changes() == []
    scene.render.frame_map_new = 100
    scene.frame_set(3)
    assert lab.farthest(lab.shown(cloth), held[2]) < 1e-6
    assert lab.changes() == ["The scene's frame rate changed"], lab.changes()
