# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake that is stopped and resumed ends as one that was not, and says in between what it is."""

import os
import time

import bpy
import lab


def run():
    lab.empty_scene(1, 30)
    cloth = lab.make(lab.grid(cells=16), "CLOTH")  # hangs by two corners
    lab.pin(cloth, [0, 16])
    lab.save()
    jobs, caches = lab.addon("jobs"), lab.addon("bridge.caches")
    scene = bpy.context.scene
    job = jobs.Job(scene, bpy.context.view_layer)
    while job.advance() and not (job.poll and (job.poll["frame"] or 0) >= 5):
        pass
    held = lab.cached(lab.cache_folder(), "Cloth")  # plays while it is baked
    assert lab.farthest(lab.shown(cloth, 4), held[3]) < 1e-6
    assert "bake" in lab.error_of(bpy.ops.tribo.bake).lower()  # one at a time
    begin = time.monotonic()
    job.cancel()
    assert time.monotonic() - begin < 2.0
    assert job.state == jobs.CANCELLED and job.exit_code() == 130
    assert not jobs.running
    folder = lab.cache_folder()
    assert caches.status(scene) == "cancelled", caches.status(scene)
    stopped = len(lab.cached(folder, "Cloth"))
    assert 5 <= stopped < 30, stopped
    lab.resumes_to_the_bits(scene, folder, 30)
    assert not os.path.exists(os.path.join(folder, "bake.lock"))
