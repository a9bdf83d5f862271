# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window: the timeline plays while a scene is baked, another scene is shown and baked at the same time,
and both end with whole caches that play."""

import bpy
import lab

WINDOW = True


def run():
    lab.hanging(8, 25)
    first = bpy.context.scene
    second = bpy.data.scenes.new("Second")
    second.frame_end, second.tribo.time.substeps, second.tribo.threads = 12, 2, 1
    flag = lab.grid("Flag", 6)
    first.collection.objects.unlink(flag)
    second.collection.objects.link(flag)
    flag.tribo.kind = "CLOTH"
    lab.save()
    yield 0.3
    jobs = lab.addon("jobs")
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 0.1
    bpy.ops.screen.animation_play()
    yield 0.5
    bpy.context.window.scene = second
    yield 0.2
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    for _ in range(600):
        yield 0.1
        if not jobs.running:
            break
    assert not jobs.running, [job.line() for job in jobs.running.values()]
    bpy.ops.screen.animation_cancel()
    yield 0.2
    assert len(lab.plays(bpy.data.objects["Flag"])) == 12
    bpy.context.window.scene = bpy.data.scenes["Scene"]
    yield 0.2
    assert len(lab.plays(bpy.data.objects["Cloth"])) == 25
