# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window, while a bake runs: the add-on is switched off and on, scripts are reloaded, another file is
loaded. Each ends the bake, none leaves a timer that complains, and the next bake runs to its end."""

import addon_utils
import bpy
import lab

WINDOW = True


def start():
    bpy.context.scene.frame_end = 3000
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}


def run():
    lab.hanging(8, 6)
    lab.save()
    yield 0.2
    start()
    yield 1.0
    jobs = lab.addon("jobs")
    assert jobs.running
    addon_utils.disable(lab.PACKAGE)
    assert not jobs.running
    yield 0.5
    addon_utils.enable(lab.PACKAGE)
    yield 0.3
    start()
    yield 0.6
    assert lab.addon("jobs").running
    bpy.utils.load_scripts(reload_scripts=True)
    yield 0.5
    assert not lab.addon("jobs").running
    start()
    yield 0.6
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    yield 0.5
    jobs = lab.addon("jobs")
    assert not jobs.running
    bpy.context.scene.frame_end = 6
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from lab.wait_for(lambda: not jobs.running)
    assert len(lab.plays(bpy.data.objects["Cloth"])) == 6
