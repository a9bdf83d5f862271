# SPDX-License-Identifier: GPL-3.0-or-later
"""Somebody deletes the cache, or a part of it, or damages bake.json and blender.json: no traceback, no
modifier that complains, and the next bake is whole."""

import os
import shutil

import bpy
import lab


def look(words=None):
    """Everything that reads the cache."""
    scene, caches = bpy.context.scene, lab.addon("bridge.caches")
    caches.status(scene), caches.sentence(scene), lab.changes()
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    for frame in (1, 3, 2):
        scene.frame_set(frame)
    caches.status(scene), lab.changes()
    return bpy.data.objects["Cloth"]


def run():
    lab.empty_scene(1, 3).tribo.live = False
    lab.make(lab.grid(cells=2), "CLOTH")
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("kept"))

    def restore():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(lab.path("kept"), folder)

    shutil.rmtree(os.path.dirname(folder))
    cloth = look()
    assert cloth.modifiers["Tribo"].factor == 0.0 and lab.cache_folder() == ""
    assert "no bake" in lab.error_of(bpy.ops.tribo.resume)
    restore()
    assert lab.cache_folder() == folder
    lab.plays(look())
    os.unlink(os.path.join(folder, "Cloth.local.pc2"))
    assert look().modifiers["Tribo"].factor == 0.0
    for name, text in (("bake.json", "{"), ("bake.json", "[]"), ("bake.json", ""), ("blender.json", "{"),
                       ("blender.json", '"text"'), ("state.ckpt", "xx"), ("stats.jsonl", "{")):
        restore()
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        look()
        try:
            bpy.ops.tribo.resume()
        except RuntimeError as refusal:
            assert folder in str(refusal) or name in str(refusal), (name, refusal)
    restore()
    lab.plays(look())
    lab.bake()
    lab.same_files(folder, lab.path("kept"), ["Cloth.pc2", "Cloth.local.pc2"])
