# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that Tribo did not write stay through Bake, Free and the move beside the file, also those that
look like Tribo's; and one that stands where Tribo would write is never overwritten."""

import os

import bpy
import lab


def put(folder, *names):
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("mine " + name)


def check(folder, *names):
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            assert file.read() == "mine " + name


def run():
    scene = lab.empty_scene(1, 3)
    lab.make(lab.grid(cells=2), "CLOTH")
    lab.save()
    folder = lab.bake()
    mine = ("notes.txt", "Cloth.abc", "Cloth_old.pc2", "states/readme.md", "bake.json.bak")
    put(folder, *mine)
    lab.bake()
    check(folder, *mine)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    check(folder, *mine)
    left = sorted(os.path.relpath(os.path.join(at, f), folder)
                  for at, _, files in os.walk(folder) for f in files)
    assert left == sorted(mine), left

    scene.tribo.use_custom_folder, scene.tribo.custom_folder = True, lab.path("project")
    put(lab.path("project"), "Cloth.pc2", "Cloth.local.pc2", "blender.json", "photo.jpg")
    lab.refused("project")
    check(lab.path("project"), "Cloth.pc2", "Cloth.local.pc2", "blender.json", "photo.jpg")
    assert bpy.ops.tribo.free() == {"FINISHED"}
    check(lab.path("project"), "Cloth.pc2", "Cloth.local.pc2", "blender.json", "photo.jpg")
    assert len(os.listdir(lab.path("project"))) == 4, os.listdir(lab.path("project"))
