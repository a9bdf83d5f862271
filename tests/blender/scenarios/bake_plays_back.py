# SPDX-License-Identifier: GPL-3.0-or-later
"""From an empty scene to a bake by operators alone; what Blender shows is what the cache holds, on an
object that is turned, scaled and moving."""

import bpy
import lab


def run():
    scene = lab.empty_scene(3, 8)
    ball = lab.box("Block", (0.6, 0.6, 0.4))
    lab.make(ball, "COLLIDER")
    cloth = lab.grid(cells=6, location=(0, 0, 0.4))
    cloth.rotation_euler, cloth.scale = (0.1, 0.2, 0.3), (1.0, 1.5, 2.0)
    cloth.keyframe_insert("location", frame=3)
    cloth.location = (5, 5, 5)
    cloth.keyframe_insert("location", frame=8)
    cloth.modifiers.new("Finish", "SUBSURF").show_viewport = False
    lab.make(cloth, "CLOTH")
    assert [m.name for m in cloth.modifiers] == ["Tribo", "Finish"]
    lab.save()
    folder = lab.bake()
    assert folder == lab.path("tribo_cache_shot", "Scene"), folder
    held = lab.cached(folder, "Cloth")
    assert len(held) == 6
    for frame in range(3, 9):
        worst = lab.farthest(lab.shown(cloth, frame), held[frame - 3])
        assert worst < 1e-6, (frame, worst)
    assert lab.farthest(held[0], held[5]) > 1e-3, "nothing moved"
