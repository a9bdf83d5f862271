# SPDX-License-Identifier: GPL-3.0-or-later
"""A longer range is resumed to the bits of one bake; a shorter one keeps playing; another first frame or
rate says so and cannot be resumed."""

import shutil

import bpy
import lab


def run():
    scene, cloth = lab.hanging(6, 6)
    lab.save()
    folder = lab.bake()
    scene.frame_end = 12
    assert lab.changes() == [], lab.changes()
    caches, missing = lab.addon("bridge.caches"), lab.addon("bridge.missing")
    assert caches.is_short(scene) and "ends at frame 6" in missing.of_render(scene)[1][0], missing.of_render(scene)
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    assert not caches.is_short(scene) and missing.of_render(scene) == ([], [])
    assert len(lab.plays(cloth)) == 12
    shutil.copytree(folder, lab.path("longer"))
    lab.bake()
    lab.same_files(folder, lab.path("longer"), ["Cloth.pc2", "Cloth.local.pc2"])
    scene.frame_end = 4
    assert lab.changes() == []
    lab.plays(cloth)
    scene.frame_end = 12
    scene.frame_start = 3
    assert lab.changes() == ["The scene's first frame changed"], lab.changes()
    message = lab.error_of(bpy.ops.tribo.resume)
    assert "scene" in message.lower() or "frame" in message.lower(), message
    lab.same_files(folder, lab.path("longer"), ["Cloth.pc2", "Cloth.local.pc2"])
    scene.frame_start, scene.frame_end = 1, 12
    scene.render.fps = 30
    assert lab.changes() == ["The scene's frame rate changed"], lab.changes()
    lab.error_of(bpy.ops.tribo.resume)
    scene.render.fps = 24
    assert bpy.ops.tribo.resume() == {"FINISHED"}  # complete: nothing to do
    lab.same_files(folder, lab.path("longer"), ["Cloth.pc2", "Cloth.local.pc2"])
