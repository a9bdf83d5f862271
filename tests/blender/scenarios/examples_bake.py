# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example makes a scene of its own that bakes as it comes (here a few frames of it), and does
what its text says."""

import bpy
import lab

SECONDS = 240


def make(name, last):
    assert bpy.ops.tribo.example(name=name) == {"FINISHED"}
    scene = bpy.context.scene
    scene.frame_end = last
    scene.tribo.threads = 1
    return scene


def run():
    before = len(bpy.data.scenes)
    lab.save()
    for name, last in (("drape", 4), ("garment", 4)):
        make(name, last)
        folder = lab.bake()
        assert len(lab.bake_json(folder)["objects"]) == 1
    scene = make("painted_ramp", 24)
    folder = lab.bake()
    moved = {}
    for name in ("Holds", "Slides"):
        held = lab.cached(folder, name)
        moved[name] = lab.farthest(held[0], held[-1])
    assert moved["Holds"] < 1e-3, moved
    # a = g (sin 20 - 0.2 cos 20), for 23 frames: 0.69 m along the slope
    assert 0.3 < moved["Slides"] < 0.8, moved
    assert len(bpy.data.scenes) == before + 3
    assert scene.tribo.cache_at.endswith("Painted Ramp"), scene.tribo.cache_at
