# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider that is there only as an instance of a collection is not touched, and the bake says so by
name; made real it is."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 8)
    cloth = lab.make(lab.grid("Cloth", 3, 0.5, (0, 0, 0.13)), "CLOTH")
    block = lab.make(lab.box("Block", (1, 1, 0.2)), "COLLIDER")
    rocks = bpy.data.collections.new("Rocks")
    rocks.objects.link(block)
    scene.collection.objects.unlink(block)
    empty = bpy.data.objects.new("Field", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", rocks
    scene.collection.objects.link(empty)
    lab.save()
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    assert len(job.warnings) == 1, job.warnings
    assert "Block" in job.warnings[0] and "Field" in job.warnings[0], job.warnings
    assert lab.plays(cloth)[7][2] < 0.0, "it fell on something"
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob == empty)
    bpy.context.view_layer.objects.active = empty
    bpy.ops.object.duplicates_make_real()
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE and job.warnings == [], (job.message, job.warnings)
    assert min(lab.plays(cloth)[7][2::3]) > 0.09
