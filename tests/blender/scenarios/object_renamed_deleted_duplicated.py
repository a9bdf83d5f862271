# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked object that is renamed plays on, also when the cache moves; a duplicate does no harm and has
its own cache with the next bake; a deleted one is missed by name, and comes back with nothing broken."""

import os

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 4)
    cloth = lab.make(lab.grid(cells=3), "CLOTH")
    lab.make(lab.box("Rock", (0.4, 0.4, 0.4), (0, 0, 0.7)), "COLLIDER")
    lab.bake()
    cloth.name = "Shirt"
    assert lab.changes() == ["Cloth is called Shirt now"], lab.changes()
    held = lab.plays(cloth, "Cloth")
    lab.save()  # moves the cache
    lab.plays(cloth, "Cloth")
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene, shirt = bpy.context.scene, bpy.data.objects["Shirt"]
    lab.plays(shirt, "Cloth")

    twin = shirt.copy()
    twin.data = shirt.data.copy()
    scene.collection.objects.link(twin)
    twin.location.x += 3
    assert "Shirt.001 was added" in lab.changes(), lab.changes()
    scene.frame_set(3)
    folder = lab.bake()
    assert sorted(n for n in os.listdir(folder) if n.endswith(".local.pc2")) == [
        "Shirt.001.local.pc2", "Shirt.local.pc2"], os.listdir(folder)
    assert lab.farthest(lab.plays(shirt)[3], held[3]) < 1e-6
    lab.plays(twin)
    lab.close(lab.shown(twin, 4)[0], lab.shown(shirt, 4)[0] + 3, 1e-5, "the twin stands beside")

    bpy.data.objects.remove(twin)
    assert lab.changes() == ["Shirt.001 was removed"], lab.changes()
    lab.plays(shirt)
    lab.bake()
    assert not os.path.exists(os.path.join(folder, "Shirt.001.local.pc2"))
    bpy.data.objects.remove(shirt)
    lab.refused("Nothing to simulate")
    scene.frame_set(1)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert not os.path.exists(folder)
