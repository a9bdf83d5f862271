# SPDX-License-Identifier: GPL-3.0-or-later
"""Live, then scrubbed back, then another setting, then played again, then baked: at no time is a frame
shown that the settings do not give, and the bake equals the last live run."""

import os

import bpy
import lab


def play(scene, cloth, first, last):
    out = {}
    for frame in range(first, last + 1):
        out[frame] = lab.shown(cloth, frame)
    return out


def run():
    scene = lab.empty_scene(10, 18)
    cloth = lab.make(lab.grid("Cloth", 4), "CLOTH")
    lab.pin(cloth, [0, 4])
    live = lab.addon("live")
    first = play(scene, cloth, 10, 16)
    assert live.frames_of(scene) == (10, 16), (live.frames_of(scene), live.messages)
    scene.frame_set(12)
    scene.frame_set(11)
    assert live.frames_of(scene) == (10, 16)
    cloth.tribo.cloth.density = 3.0
    scene.gravity.z = -3
    scene.frame_set(13)
    assert live.frames_of(scene) is None, "an old frame after a change"
    second = play(scene, cloth, 10, 18)
    assert live.frames_of(scene) == (10, 18), live.messages
    assert lab.farthest(first[16], second[16]) > 1e-2
    cloth.data.vertices[7].co.z += 0.01
    cloth.data.update()
    bpy.context.view_layer.update()
    scene.frame_set(15)
    assert live.frames_of(scene) is None, "the mesh was edited"
    cloth.data.vertices[7].co.z = 0.0
    cloth.data.update()
    third = play(scene, cloth, 10, 18)
    lab.save()
    folder = lab.bake()
    assert live.frames_of(scene) is None
    for frame, points in enumerate(lab.plays(cloth), 10):
        assert lab.farthest(points, third[frame]) < 1e-5, frame
        assert lab.farthest(points, second[frame]) < 1e-5, frame
    assert not os.path.exists(os.path.join(bpy.app.tempdir, "tribo_live", "Scene"))
    bpy.ops.tribo.free()
    scene.tribo.live = False
    scene.frame_set(10)
    scene.frame_set(11)
    assert live.frames_of(scene) is None and not os.path.exists(folder)
