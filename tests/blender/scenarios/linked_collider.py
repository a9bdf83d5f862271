# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider linked from a library, moved by its armature, carries a cloth as a local one does; beside a
local one of the same name both count and both are watched; a linked cloth is refused by name."""

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
    lab.refused("Library cloth", "linked", "library.blend")
    assert os.path.exists(lab.path("tribo_cache_linked"))
