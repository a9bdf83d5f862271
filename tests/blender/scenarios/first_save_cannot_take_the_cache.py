# SPDX-License-Identifier: GPL-3.0-or-later
"""The first save of a baked file where no cache folder can be made: the file is saved, the cache stays in
the temporary folder and plays, and the message says so; the next save takes it along."""

import os

import bpy
import lab


def run():
    lab.empty_scene(1, 3)
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    temporary = lab.bake()
    with open(lab.path("tribo_cache_shot"), "w", encoding="utf-8") as file:
        file.write("in the way")
    lab.save()
    assert os.path.exists(lab.path("shot.blend"))
    assert lab.cache_folder() == temporary
    assert "stays in the temporary folder" in lab.addon("jobs").last["Scene"]
    lab.plays(cloth)
    os.unlink(lab.path("tribo_cache_shot"))
    lab.save()
    assert lab.cache_folder() == lab.path("tribo_cache_shot", "Scene")
    assert not os.path.exists(temporary)
    lab.plays(cloth)
    assert "temporary" not in lab.addon("jobs").last.get("Scene", ""), "the old message stands"
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    lab.plays(bpy.data.objects["Cloth"])
