# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloth that starts 2 cm inside a block is pushed out on its side, lands on the block, and the bake warns
with object, vertex and depth. For a block that is touched as a box; deep inside a mesh nothing is felt."""

import math

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 10)
    lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER", surface__contact="box")
    cloth = lab.make(lab.grid("Cloth", 6, 0.8, (0, 0, 0.18)), "CLOTH", surface__thickness=0.0)
    lab.save()
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    assert len(job.warnings) == 1, job.warnings
    assert "'Cloth': vertex 0 starts 0.02 m inside the surface of 'Block'" in job.warnings[0]
    held = lab.plays(cloth)
    for points in held:
        assert all(map(math.isfinite, points))
        assert max(map(abs, points)) < 1.0, max(map(abs, points))
    assert min(held[9][2::3]) > 0.199, min(held[9][2::3])
    cloth.location.z = 0.25
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.warnings == [], job.warnings
