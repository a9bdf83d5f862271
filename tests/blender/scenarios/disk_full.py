# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that is full in the middle of a bake: the message names the file, what is there still plays, and
with room again Resume gives the bits of an undisturbed bake. A quota on the size of files stands in for
the disk."""

import resource
import shutil
import signal

import bpy
import lab


def run():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    scene, cloth = lab.hanging(8, 20)
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("whole"))
    bpy.ops.tribo.free()
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    jobs, caches = lab.addon("jobs"), lab.addon("bridge.caches")
    sample = 12 * len(cloth.data.vertices)
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 + sample * 8 + 5, unlimited[1]))
    try:
        job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert job.state == jobs.FAILED and job.exit_code() == 4, (job.state, job.error, job.message)
    assert folder in job.message, job.message
    assert not jobs.running
    assert caches.status(scene) in ("failed", "interrupted"), caches.status(scene)
    scene.frame_set(2)
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    lab.same_files(folder, lab.path("whole"), ["Cloth.pc2", "Cloth.local.pc2"])
    assert len(lab.plays(cloth)) == 20
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, unlimited[1]))
    try:
        message = lab.error_of(bpy.ops.tribo.bake)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert folder in message, message
    lab.bake()
    lab.same_files(folder, lab.path("whole"), ["Cloth.pc2", "Cloth.local.pc2"])
