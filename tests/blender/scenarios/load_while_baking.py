# SPDX-License-Identifier: GPL-3.0-or-later
"""Another file, a new file and the factory settings, loaded while a scene is read or baked: nothing goes
on, the frames on disk can be resumed."""

import bpy
import lab


def run():
    lab.empty_scene()
    lab.save("other.blend")
    lab.hanging()
    lab.save()
    job = lab.begin_job()
    job.sampler.read(0)
    bpy.ops.wm.open_mainfile(filepath=lab.path("other.blend"))
    assert not lab.addon("jobs").running and not job.is_alive()
    assert lab.cache_folder() == ""

    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    job = lab.begin_job(3)
    bpy.ops.wm.open_mainfile(filepath=lab.path("other.blend"))
    assert not lab.addon("jobs").running and job.state == "cancelled", job.state
    assert not bpy.data.objects
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene, caches = bpy.context.scene, lab.addon("bridge.caches")
    assert caches.status(scene) == "cancelled", caches.status(scene)
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    assert len(lab.plays(bpy.data.objects["Cloth"])) == 30

    job = lab.begin_job(2)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not job.is_alive()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    job = lab.begin_job(2)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not job.is_alive()
