# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode with an object deleted, added, renamed or pinned to nothing while it plays, the scene switched,
the file saved or another one loaded: it stops or starts anew and says why; no file of it stays."""

import os

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 20)
    lab.make(lab.grid("Cloth", 3), "CLOTH")
    other = lab.make(lab.grid("Other", 3, 1.0, (3, 0, 1)), "CLOTH")
    live = lab.addon("live")

    def begin():
        scene.frame_set(1)
        scene.frame_set(2)
        assert live.frames_of(scene) == (1, 2), live.messages

    begin()
    bpy.data.objects.remove(other)
    scene.frame_set(3)
    assert live.frames_of(scene) is None
    begin()
    lab.make(lab.grid("Third", 2, 1.0, (5, 0, 1)), "CLOTH")
    bpy.context.view_layer.update()
    scene.frame_set(3)
    assert live.frames_of(scene) is None
    begin()
    bpy.data.objects["Third"].name = "Fourth"
    bpy.context.view_layer.update()
    scene.frame_set(3)
    scene.frame_set(4)
    begin()
    bpy.data.objects["Fourth"].tribo.pin_group = "Nothing"
    scene.frame_set(1)
    assert live.frames_of(scene) is None and "Nothing" in live.messages["Scene"], live.messages
    bpy.data.objects["Fourth"].tribo.pin_group = ""
    begin()
    lab.save()
    assert live.frames_of(scene) == (1, 2)
    scene.frame_set(3)
    assert live.frames_of(scene) == (1, 3), live.messages
    bpy.context.window.scene = bpy.data.scenes.new("Second")
    bpy.context.scene.frame_set(5)
    bpy.context.window.scene = scene
    scene.frame_set(4)
    assert live.frames_of(scene) == (1, 4), live.messages
    scene.name = "Renamed"
    scene.frame_set(5)
    scene.frame_set(1)
    scene.frame_set(2)
    assert live.frames_of(scene) == (1, 2), (live.running.keys(), live.messages)
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert not live.running
    left = [f for _, _, files in os.walk(os.path.join(bpy.app.tempdir, "tribo_live")) for f in files]
    assert left == [], left
    bpy.context.scene.frame_set(4)
    lab.shown(bpy.data.objects["Cloth"])
