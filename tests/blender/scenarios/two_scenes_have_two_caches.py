# SPDX-License-Identifier: GPL-3.0-or-later
"""Two scenes of a file bake into folders of their own, at the same time too, with an object in both;
freeing one leaves the other."""

import os

import bpy
import lab


def run():
    first = lab.empty_scene(1, 6)
    cloth = lab.make(lab.grid(cells=4), "CLOTH")
    second = bpy.data.scenes.new("Second")
    second.frame_start, second.frame_end = 1, 4
    second.tribo.threads = 1
    second.gravity = (0, 0, 1)
    other = cloth.copy()
    other.name = "Other"
    second.collection.objects.link(other)
    lab.save()
    jobs, caches = lab.addon("jobs"), lab.addon("bridge.caches")
    both = [jobs.Job(scene, scene.view_layers[0]) for scene in (first, second)]
    while [job for job in both if job.advance()]:
        pass
    assert [job.state for job in both] == ["done", "done"], [job.message for job in both]
    folders = [caches.playing(scene) for scene in (first, second)]
    assert folders == [lab.path("tribo_cache_shot", n) for n in ("Scene", "Second")], folders
    down, up = lab.cached(folders[0], "Cloth"), lab.cached(folders[1], "Other")
    assert len(down) == 6 and len(up) == 4
    assert down[3][2] < 1.0 < up[3][2]
    bpy.ops.tribo.free()
    assert not os.path.exists(folders[0]) and os.path.exists(folders[1])
    assert caches.playing(second) == folders[1]
    second.name = "Renamed"
    assert caches.playing(second) == folders[1] and not caches.is_at_home(second)
