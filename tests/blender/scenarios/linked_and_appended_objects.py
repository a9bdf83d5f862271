# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider and a cloth that are linked from another file, and the same appended, give the bits of the
originals; a linked collider may have the name of a local one."""

import bpy
import lab


def build():
    lab.empty_scene(1, 4)
    lab.make(lab.box("Block", (2, 2, 0.4)), "COLLIDER")
    lab.make(lab.grid(cells=4, size=0.8, location=(0, 0, 0.22)), "CLOTH")


def bring(link):
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(lab.path("library.blend"), link=link) as (source, target):
        target.objects = ["Block", "Cloth"]
    lab_scene = bpy.context.scene
    lab_scene.frame_start, lab_scene.frame_end = 1, 4
    lab_scene.tribo.time.substeps, lab_scene.tribo.threads = 2, 1
    for ob in target.objects:
        lab_scene.collection.objects.link(ob)
    return {ob.name: ob for ob in target.objects}


def run():
    build()
    lab.save("library.blend")
    held = lab.cached(lab.bake(), "Cloth")
    bring(link=False)
    lab.save("appended.blend")
    assert lab.cached(lab.bake(), "Cloth") == held
    found = bring(link=True)
    lab.save("linked.blend")
    assert lab.cached(lab.bake(), "Cloth") == held
    assert lab.farthest(lab.shown(found["Cloth"], 4), held[3]) < 1e-6
    twin = lab.box("Block", (0.1, 0.1, 0.1), (5, 5, 5))
    twin.name = "Block"
    lab.make(twin, "COLLIDER")
    assert [o.name for o in bpy.context.scene.objects].count("Block") == 2
    assert lab.cached(lab.bake(), "Cloth") == held
    assert "linked" in lab.error_of(lambda: make_linked(found["Cloth"]))


def make_linked(ob):
    bpy.context.view_layer.objects.active = ob
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    return bpy.ops.tribo.add(kind="CLOTH")
