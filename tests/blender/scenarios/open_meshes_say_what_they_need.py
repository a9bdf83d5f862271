# SPDX-License-Identifier: GPL-3.0-or-later
"""A soft body from an open mesh bakes in a lattice and is told of by a warning; a rigid body bakes as if its
holes were closed, with a note, as a monkey head does; a sheet as a rigid body is refused: all name the object and
the remedy. A collider and a cloth may be open, and one without thickness still carries."""

import bpy
import lab


def run():
    lab.empty_scene(1, 8)
    sheet = lab.make(lab.grid("Sheet", 4, 2.0, (0, 0, 0)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.6, (0, 0, 0.02)), "CLOTH")
    lab.save()
    folder = lab.bake()
    lab.plays(cloth)
    assert min(lab.cached(folder, "Cloth")[7][2::3]) > -0.01, "it fell through a sheet"
    bowl = lab.box("Bowl", (0.3, 0.3, 0.3), (3, 0, 1))
    bowl.data.clear_geometry()
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    bowl.data.from_pydata(points, [], [(0, 3, 2, 1), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    lab.make(bowl, "SOLID", fill__cells=3)
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(bpy.context.scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    assert len(job.warnings) == 1 and "Bowl" in job.warnings[0], job.warnings
    assert "the surface is open" in job.warnings[0] and "close the hole" in job.warnings[0]
    lab.plays(bowl)
    lab.make(bowl, "RIGID")
    bpy.ops.mesh.primitive_monkey_add(size=0.4, location=(-3, 0, 0.6))
    monkey = lab.make(bpy.context.object, "RIGID")
    job = jobs.run(jobs.Job(bpy.context.scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    assert not [text for text in job.warnings if "Bowl" in text or "Suzanne" in text], job.warnings
    assert any("'Bowl': its mesh has 1 hole;" in text for text in job.notes), job.notes
    lab.plays(bowl)
    lab.plays(monkey)
    found = [one for one in lab.addon("doubts").look(bpy.context.scene) if one.id == "holes"]
    assert sorted(one.object for one in found) == ["Bowl", "Suzanne"], found
    assert {one.severity for one in found} == {"NOTE"}
    lab.make(sheet, "RIGID")
    message = lab.refused("Sheet")
    assert "encloses nothing" in message and "thickness" in message, message
    bpy.data.objects.remove(bowl)
    assert cloth.tribo.kind == "CLOTH"
