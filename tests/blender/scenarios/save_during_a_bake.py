# SPDX-License-Identifier: GPL-3.0-or-later
"""Saving while the scene is read or baked: the file on disk never says that it is being baked, keeps
the artist's frame, and finds the bake when it is opened; the bake goes on undisturbed. The first save of
a new file takes the cache along when the bake has ended."""

import os
import shutil

import bpy
import lab


def run():
    scene, cloth = lab.hanging()
    scene.frame_set(17)
    job = lab.begin_job()
    job.sampler.read(0)
    job.sampler.read(0)
    assert scene.frame_current != 17
    lab.save()
    assert job.is_alive()
    job_on_disk = lab.another_blender(
        "--factory-startup", lab.path("shot.blend"), "--python-exit-code", "1", "--python-expr",
        "import bpy; s = bpy.context.scene; print('FRAME', s.frame_current)")
    assert "FRAME 17" in job_on_disk.stdout, job_on_disk.stdout
    while not (job.poll and (job.poll["frame"] or 0) >= 4):
        assert job.advance(), job.message
    lab.save()
    folder = lab.finish_job(job)
    assert scene.frame_current == 17
    assert folder == lab.path("tribo_cache_shot", "Scene"), folder
    held = lab.plays(cloth)
    assert len(held) == 30
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert not lab.addon("jobs").running
    assert lab.cache_folder() == folder
    lab.plays(bpy.data.objects["Cloth"])
    shutil.copytree(folder, lab.path("disturbed"))
    lab.bake()
    lab.same_files(folder, lab.path("disturbed"), ["Cloth.pc2", "Cloth.local.pc2"])
    assert not [n for n in os.listdir(bpy.app.tempdir) if n.startswith("tribo_cache")]
