# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider linked from a library, moved by its armature, carries a cloth as a local one does; beside a
local one of the same name both count and both are watched; so do a linked and a local cloth, and each plays
its own."""

import os

import bpy
import lab


def build():
    lab.empty_scene(1, 6)
    rig = lab.rig()
    block = lab.box("Block", (1, 1, 0.2))
    block.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    block.modifiers.new("Armature", "ARMATURE").object = rig
    lab.key(rig.pose.bones["Bone"], "location", (1, (0, 0, 0)), (6, (0, 0.3, 0)))
    lab.make(block, "COLLIDER")


def bake(name):
    lab.save(name)
    held = lab.cached(lab.bake(), "Cloth")
    assert min(held[5][2::3]) > 0.3, "not carried"
    return held


def run():
    build()
    lab.make(lab.grid("Library cloth", 2, 1, (9, 9, 9)), "CLOTH")
    lab.save("library.blend")
    bpy.data.objects.remove(bpy.data.objects["Library cloth"])
    lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0.12)), "CLOTH")
    local = bake("local.blend")

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = lab.empty_scene(1, 6)
    with bpy.data.libraries.load(lab.path("library.blend"), link=True) as (there, here):
        here.objects = ["Block", "Rig", "Library cloth"]
    for ob in here.objects[:2]:
        scene.collection.objects.link(ob)
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0.12)), "CLOTH")
    linked = bake("linked.blend")
    assert lab.farthest(local[5], linked[5]) < 1e-7
    lab.plays(cloth)
    bpy.ops.wm.open_mainfile(filepath=lab.path("linked.blend"))
    assert lab.changes() == [], lab.changes()
    mine = lab.make(lab.box("Block", (0.2, 0.2, 0.2), (5, 0, 0)), "COLLIDER")
    assert mine.library is None and mine.name == "Block"
    lab.bake()
    assert lab.changes() == []
    mine.location.x = 6
    assert lab.changes() == ["Block: its transform changed"], lab.changes()
    with bpy.data.libraries.load(lab.path("library.blend"), link=True) as (there, here):
        here.objects = ["Library cloth"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    own = lab.make(lab.grid("Library cloth", 3, 1, (9, 9, 9)), "CLOTH")
    linked = here.objects[0]
    assert own.name == linked.name
    folder = lab.bake()
    assert lab.changes() == []
    for ob, vertices in ((own, 16), (linked, 9)):
        seen = [lab.shown(ob, frame) for frame in (1, 6)]
        assert len(seen[0]) == 3 * vertices
        lab.close(seen[0][2], 9, 1e-6, "height")
        assert seen[1][2] < 8.9, ob.library
    assert len([n for n in os.listdir(folder) if n.endswith(".local.pc2")]) == 3
    lab.save("linked.blend")
    bpy.ops.wm.open_mainfile(filepath=lab.path("linked.blend"))
    for ob in bpy.context.scene.objects:
        if ob.name == "Library cloth":
            assert lab.shown(ob, 6)[2] < 8.9, (ob.library, "after loading")
