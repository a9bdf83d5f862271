# SPDX-License-Identifier: GPL-3.0-or-later
"""Names with slashes, other scripts, dots, 63 bytes, devices of Windows, and names that differ only in what a
file system cannot hold, case and accents among it: every object plays its own cache, and no two scenes or files share a folder."""

import os

import bpy
import lab

NAMES = ["a/b", "a:b", "a_b", "A_b", "a_b_2", "..", ".hidden", "Füße 左", "emoji 🧵", "con", "Cloth",
         "Cloth.local", "cloth.obj", "bake", "state", "x" * 63, "trailing ", "trailing.", "per%cent", "quote\"'\\",
         "Lpt1.left", "_con", "R\u00e9", "re\u0301", "\u03a3ig", "\u03c3ig", "de\x7fl"]


def run():
    lab.empty_scene(1, 3)
    obs = []
    for i, name in enumerate(NAMES):
        ob = lab.grid("New", 2, 1.0, (2 * i, 0, 1 + i))
        ob.name = name
        assert ob.name == name, (ob.name, name)
        obs.append(lab.make(ob, "CLOTH"))
    bpy.context.scene.name = "Shot/1"
    lab.save()
    folder = lab.bake()
    assert len([n for n in os.listdir(folder) if n.endswith(".local.pc2")]) == len(NAMES)
    files = set()
    for i, ob in enumerate(obs):
        lab.close(lab.shown(ob, 1)[2], 1 + i, 1e-6, ob.name)
        assert lab.shown(ob, 3)[2] < 1 + i - 1e-3, ob.name
        files.add(ob.modifiers["Tribo"].filepath)
    assert len(files) == len(NAMES)
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    assert lab.cache_folder() == folder and lab.changes() == []
    ob = bpy.data.objects["a/b"]
    ob.data.polygons[1].flip()
    ob.data.update()
    told = [one.message for one in lab.addon("doubts").look(scene) if one.id == "winding"]
    assert len(told) == 1 and "object 'a/b':" in told[0], told
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert told[0] in job.warnings, job.warnings
    other = bpy.data.scenes.new("Shot:1")
    caches = lab.addon("bridge.caches")
    homes = {caches.home(scene), caches.home(other), caches.home(bpy.data.scenes.new("Shot_1"))}
    assert len(homes) == 3, homes
    lab.save("a*b.blend")
    star = caches.home(scene)
    lab.save("a?b.blend")
    assert caches.home(scene) != star
