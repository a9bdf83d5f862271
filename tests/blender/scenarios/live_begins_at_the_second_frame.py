# SPDX-License-Identifier: GPL-3.0-or-later
"""A timeline that goes from the first frame to the second without telling of the first, as Blender's does
when play is pressed: the simulation begins at the first all the same, with colliders and pins as they are
there, and the frames are those of a bake."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 250)
    block = lab.make(lab.box("Block", (2.0, 2.0, 0.4)), "COLLIDER")
    lab.key(block, "location", (1, (0, 0, 0)), (8, (0.3, 0, 0.03)))
    cloth = lab.make(lab.grid(cells=5, size=0.8, location=(0, 0, 0.3)), "CLOTH")
    lab.pin(cloth, [0])
    lab.key(cloth, "location", (1, (0, 0, 0.3)), (8, (0, 0.2, 0.3)))
    live = lab.addon("live")
    live.forget()
    scene.frame_set(2)
    assert live.frames_of(scene) == (1, 2), (live.frames_of(scene), live.messages)
    assert scene.frame_current == 2
    seen = {frame: lab.shown(cloth, frame) for frame in range(2, 9)}
    assert live.frames_of(scene) == (1, 8), live.messages
    scene.frame_end = 8
    lab.save()
    held = lab.cached(lab.bake(), "Cloth")
    for frame, points in seen.items():
        worst = lab.farthest(held[frame - 1], points)
        assert worst < 1e-5, (frame, worst)
    bpy.ops.tribo.free()
    cloth.tribo.pin_group = "Nothing"
    scene.frame_set(2)
    assert scene.frame_current == 2 and "Nothing" in live.messages["Scene"], live.messages
