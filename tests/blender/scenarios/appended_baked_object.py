# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked cloth appended into another file: it plays, or stands still, without a complaint; its new file
bakes it into a cache of its own and never touches the old one."""

import os

import bpy
import lab


def run():
    lab.empty_scene(1, 4)
    lab.make(lab.grid("Cloth", 3), "CLOTH")
    os.makedirs(lab.path("a"))
    lab.save(os.path.join("a", "source.blend"))
    first = lab.bake()
    lab.save(os.path.join("a", "source.blend"))
    stamp = os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = lab.empty_scene(1, 4)
    os.makedirs(lab.path("b"))
    lab.save(os.path.join("b", "target.blend"))
    bpy.ops.wm.append(directory=lab.path("a", "source.blend", "Object") + os.sep, filename="Cloth")
    cloth = bpy.data.objects["Cloth"]
    assert cloth.tribo.kind == "CLOTH"
    scene.frame_set(3)
    lab.save(os.path.join("b", "target.blend"))
    bpy.ops.wm.open_mainfile(filepath=lab.path("b", "target.blend"))
    cloth = bpy.data.objects["Cloth"]
    for frame in (1, 2, 4):
        lab.shown(cloth, frame)
    assert "no bake" in lab.error_of(bpy.ops.tribo.resume)
    second = lab.bake()
    assert second == lab.path("b", "tribo_cache_target", "Scene")
    lab.plays(cloth)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns == stamp
    lab.shown(cloth, 2)
