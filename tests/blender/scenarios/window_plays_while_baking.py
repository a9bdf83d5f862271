# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window: the timeline plays while a scene is baked, another scene is shown and baked at the same time,
and both end with whole caches that play."""

import bpy
import lab

WINDOW = True


def run():
    _, second = lab.two_scenes(25, 12)
    yield 0.3
    jobs = lab.addon("jobs")
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 0.1
    bpy.ops.screen.animation_play()
    yield 0.5
    bpy.context.window.scene = second
    yield 0.2
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from lab.wait_for(lambda: not jobs.running)
    bpy.ops.screen.animation_cancel()
    yield 0.2
    assert len(lab.plays(bpy.data.objects["Flag"])) == 12
    bpy.context.window.scene = bpy.data.scenes["Scene"]
    yield 0.2
    assert len(lab.plays(bpy.data.objects["Cloth"])) == 25
