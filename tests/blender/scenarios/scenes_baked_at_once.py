# SPDX-License-Identifier: GPL-3.0-or-later
"""Two scenes of a file baked at the same time: each gets the bits that it gets alone; a second bake of
the same scene, and one into the same folder, are refused."""

import os
import shutil

import bpy
import lab


def run():
    first, second = lab.two_scenes(12, 10)
    jobs = lab.addon("jobs")
    layers = [scene.view_layers[0] for scene in (first, second)]

    def job(i):
        return jobs.Job((first, second)[i], layers[i])

    alone = []
    for i in (0, 1):
        one = jobs.run(job(i))
        assert one.state == jobs.DONE, one.message
        alone.append(lab.path(f"alone{i}"))
        shutil.copytree(one.folder, alone[i])
    both = [job(0), job(1)]
    assert len(jobs.running) == 2
    try:
        job(1)
    except lab.addon("bridge.errors").Refusal as refusal:
        assert "Second is being baked already" in str(refusal)
    else:
        raise AssertionError("the same scene twice")
    while any([one.advance(0.01) for one in both]):
        pass
    assert [one.state for one in both] == [jobs.DONE] * 2, [one.message for one in both]
    lab.same_files(both[0].folder, alone[0], ["Cloth.pc2", "Cloth.local.pc2"])
    lab.same_files(both[1].folder, alone[1], ["Flag.pc2", "Flag.local.pc2"])

    for scene in (first, second):
        scene.tribo.use_custom_folder, scene.tribo.custom_folder = True, lab.path("shared")
    first.frame_end = 200
    one = job(0)
    while not (one.poll and (one.poll["frame"] or 0) >= 2):
        assert one.advance()
    two = jobs.run(job(1))
    assert two.state == jobs.FAILED and "shared" in two.message, (two.state, two.message)
    assert one.advance()
    one.cancel()
    assert os.path.exists(lab.path("shared", "Cloth.pc2"))
