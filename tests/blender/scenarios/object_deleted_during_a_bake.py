# SPDX-License-Identifier: GPL-3.0-or-later
"""An object, or the whole scene, that goes away or is renamed while the scene is read or baked: a
message or a whole cache, never a stuck job."""

import bpy
import lab


def run():
    jobs = lab.addon("jobs")
    lab.hanging()
    lab.save()
    job = lab.begin_job()
    job.sampler.read(0)
    bpy.data.objects.remove(bpy.data.objects["Cloth"])
    while job.advance():
        pass
    assert job.state == jobs.FAILED and "Cloth went away" in job.message, job.message
    assert not jobs.running

    lab.hanging()
    job = lab.begin_job(3)
    bpy.data.objects.remove(bpy.data.objects["Cloth"])
    lab.finish_job(job)
    assert lab.changes() == ["Cloth was removed"], lab.changes()

    scene, cloth = lab.hanging(last=6)
    job = lab.begin_job()
    scene.name = "Renamed while read"
    jobs.run(job)
    assert job.state == jobs.DONE, job.message
    assert lab.cache_folder(), "the renamed scene does not play its bake"
    job = lab.begin_job(2)
    scene.name = "Renamed again"
    lab.finish_job(job)
    lab.plays(cloth)
    assert not jobs.running

    other = bpy.data.scenes.new("Other")
    job = lab.begin_job()
    job.sampler.read(0)
    bpy.data.scenes.remove(scene)
    while job.advance():
        pass
    assert job.state == jobs.FAILED and "went away" in job.message, job.message
    assert not jobs.running and bpy.context.scene == other
    job.cancel()
