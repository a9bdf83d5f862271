# SPDX-License-Identifier: GPL-3.0-or-later
"""Save As into a folder where another file of the old name has its cache: what plays is still the cache
that played before, not the one that lies where the old relative path now leads."""

import os

import bpy
import lab


def make_shot(folder, height):
    os.makedirs(lab.path(folder), exist_ok=True)
    lab.empty_scene(1, 3)
    cloth = lab.make(lab.grid(cells=2, location=(0, 0, height)), "CLOTH")
    lab.save(os.path.join(folder, "shot.blend"))
    baked = lab.bake()
    lab.save(os.path.join(folder, "shot.blend"))
    lab.plays(cloth)
    return baked


def run():
    make_shot("b", 5.0)
    first = make_shot("a", 1.0)
    lab.save(os.path.join("b", "new.blend"))
    assert lab.cache_folder() == first, lab.cache_folder()
    lab.plays(bpy.data.objects["Cloth"])
    bpy.ops.wm.open_mainfile(filepath=lab.path("b", "new.blend"))
    assert lab.cache_folder() == first, lab.cache_folder()
    held = lab.plays(bpy.data.objects["Cloth"])
    lab.close(held[0][2], 1.0, 1e-6, "height")
    assert bpy.ops.tribo.free() == {"FINISHED"}
    for folder in ("a", "b"):
        assert os.path.exists(lab.path(folder, "tribo_cache_shot", "Scene", "Cloth.pc2")), folder
