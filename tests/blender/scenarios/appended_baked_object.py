# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked cloth appended into another file plays its cache, also from the first frame on, where Live would
begin, and after its new file was saved and opened; that file bakes it into a cache of its own and never
touches the old one; without its cache Live simulates it. A new scene begins with quality good by it, as by a
click; one of an older file, with nothing set, keeps its numbers."""

import os

import bpy
import lab


def begins_good():
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    bpy.ops.wm.append(directory=lab.path("a", "source.blend", "Object") + os.sep, filename="Cloth")
    assert scene.tribo.world.quality == "custom"
    lab.addon("doubts").look(scene)
    assert scene.tribo.world.quality == "good"
    scene.tribo.world.property_unset("quality")
    lab.save("first.blend")
    assert scene.tribo.world.quality == "good"
    scene.tribo.world.property_unset("quality")
    bpy.app.handlers.save_pre.clear()
    lab.save("older.blend")
    bpy.ops.wm.open_mainfile(filepath=lab.path("older.blend"))
    scene = bpy.context.scene
    lab.addon("doubts").look(scene)
    assert scene.tribo.world.quality == "custom" and scene.tribo.world.is_property_set("quality")


def run():
    lab.empty_scene(1, 4)
    lab.make(lab.grid("Cloth", 3), "CLOTH")
    os.makedirs(lab.path("a"))
    lab.save(os.path.join("a", "source.blend"))
    first = lab.bake()
    lab.save(os.path.join("a", "source.blend"))
    held = lab.plays(bpy.data.objects["Cloth"])
    stamp = os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = lab.empty_scene(1, 4)
    os.makedirs(lab.path("b"))
    lab.save(os.path.join("b", "target.blend"))
    bpy.ops.wm.append(directory=lab.path("a", "source.blend", "Object") + os.sep, filename="Cloth")
    cloth = bpy.data.objects["Cloth"]
    assert cloth.tribo.kind == "CLOTH"
    live, playback = lab.addon("live"), lab.addon("bridge.playback")
    for frame in (1, 2, 3, 4):
        assert lab.farthest(lab.shown(cloth, frame), held[frame - 1]) < 1e-6, frame
    assert not live.running and playback.strangers(scene) == [cloth]
    lab.save(os.path.join("b", "target.blend"))
    bpy.ops.wm.open_mainfile(filepath=lab.path("b", "target.blend"))
    cloth = bpy.data.objects["Cloth"]
    for frame in (1, 2, 4):
        assert lab.farthest(lab.shown(cloth, frame), held[frame - 1]) < 1e-6, frame
    assert "no bake" in lab.error_of(bpy.ops.tribo.resume)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(2)
    assert lab.addon("live").running and not playback.strangers(bpy.context.scene)
    second = lab.bake()
    assert second == lab.path("b", "tribo_cache_target", "Scene")
    lab.plays(cloth)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns == stamp
    lab.shown(cloth, 2)
    begins_good()
