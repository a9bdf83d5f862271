# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake while an object is in Edit Mode is refused by name, also for a collider, and for live mode; in
Weight Paint and Sculpt Mode it works; entering Edit Mode on a baked object shows and edits the rest."""

import bpy
import lab


def mode(ob, name):
    bpy.context.view_layer.objects.active = ob
    assert bpy.ops.object.mode_set(mode=name) == {"FINISHED"}


def run():
    scene = lab.empty_scene(1, 3)
    block = lab.make(lab.box("Block", (0.3, 0.3, 0.3)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 3), "CLOTH")
    lab.save()
    for ob in (cloth, block):
        mode(ob, "EDIT")
        lab.refused(ob.name, "Edit Mode")
        scene.frame_set(1)
        assert ob.name in lab.addon("live").messages["Scene"]
        mode(ob, "OBJECT")
    mode(cloth, "WEIGHT_PAINT")
    held = lab.cached(lab.bake(), "Cloth")
    assert cloth.mode == "WEIGHT_PAINT"
    mode(cloth, "SCULPT")
    assert lab.cached(lab.bake(), "Cloth") == held
    mode(cloth, "OBJECT")
    scene.frame_set(3)
    mode(cloth, "EDIT")
    mode(cloth, "OBJECT")
    assert [v.co.z for v in cloth.data.vertices] == [0.0] * 16, "the simulation was baked into the mesh"
    lab.plays(cloth)
    mode(cloth, "EDIT")
    scene.frame_set(1)
    scene.frame_set(3)
    mode(cloth, "OBJECT")
    assert lab.changes() == []
