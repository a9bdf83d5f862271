# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache folder that cannot be made or written: the message names it, nothing runs on, and another folder
works. A file where a folder should be, and a name that is too long, are such folders for everybody, also
for root."""

import os

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 3)
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    lab.save()
    with open(lab.path("tribo_cache_shot"), "w", encoding="utf-8") as file:
        file.write("a file")
    lab.refused("tribo_cache_shot")
    assert lab.cache_folder() == ""
    scene.frame_set(1)
    assert "tribo_cache_shot" in lab.error_of(bpy.ops.tribo.export_farm,
                                              directory=lab.path("tribo_cache_shot", "farm"))
    scene.tribo.use_custom_folder = True
    scene.tribo.custom_folder = lab.path("x" * 300)
    lab.refused("xxx")
    scene.tribo.custom_folder = "/proc/tribo"
    lab.refused("/proc/tribo")
    scene.tribo.custom_folder = "//here/and there"
    assert lab.bake() == lab.path("here", "and there")
    lab.plays(cloth)
    scene.tribo.use_custom_folder = False
    os.unlink(lab.path("tribo_cache_shot"))
    assert lab.bake() == lab.path("tribo_cache_shot", "Scene")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = lab.empty_scene(1, 2)
    scene.tribo.use_custom_folder, scene.tribo.custom_folder = True, "//beside what is not saved"
    lab.make(lab.grid(cells=2), "CLOTH")
    assert lab.bake().startswith(bpy.app.tempdir), lab.cache_folder()
