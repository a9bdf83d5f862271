# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo and redo while the scene is read and while it is baked: the job goes on where its objects are still
there and says which one went away where not; what it baked plays."""

import bpy
import lab


def step(name):
    bpy.ops.ed.undo_push(message=name)


def run():
    jobs = lab.addon("jobs")
    lab.hanging(6, 12)
    lab.save()
    step("start")
    bpy.data.objects["Cloth"].show_in_front = True
    step("in front")
    bpy.data.objects["Cloth"].show_in_front = False
    step("behind")
    job = lab.begin_job()
    job.sampler.read(0)
    bpy.ops.ed.undo()
    job.sampler.read(0)
    bpy.ops.ed.redo()
    while not (job.poll and (job.poll["frame"] or 0) >= 2):
        assert job.advance(), job.message
    bpy.ops.ed.undo()
    lab.finish_job(job)
    assert len(lab.plays(bpy.data.objects["Cloth"])) == 12

    lab.make(lab.grid("Late", 3, 1.0, (4, 0, 1)), "CLOTH")
    step("late")
    bpy.data.objects["Late"].location.x = 5
    step("moved")
    job = lab.begin_job()
    job.sampler.read(0)
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert "Late" not in bpy.data.objects
    jobs.run(job)
    assert job.state == jobs.FAILED and "Late went away" in job.message, (job.state, job.message)
    assert not jobs.running
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    lab.bake()
    lab.plays(bpy.data.objects["Late"])
