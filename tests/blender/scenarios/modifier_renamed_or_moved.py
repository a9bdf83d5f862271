# SPDX-License-Identifier: GPL-3.0-or-later
"""Tribo's modifier renamed, removed, moved or doubled, and a stranger of the same name: the input is still
read from above it and applied once, Bake restores what is missing, and nothing of the artist's goes."""

import bpy
import lab


def run():
    lab.empty_scene(1, 4)
    cloth = lab.grid("Cloth", 3)
    stranger = cloth.modifiers.new("Tribo", "SUBSURF")
    stranger.levels = stranger.render_levels = 1
    lab.make(cloth, "CLOTH")
    assert [m.type for m in cloth.modifiers] == ["MESH_CACHE", "SUBSURF"]
    lab.save()
    folder = lab.bake()
    held = lab.cached(folder, "Cloth")
    assert len(held[0]) == 48 and len(lab.shown(cloth, 4)) > 48
    lab.bake()
    assert [m.type for m in cloth.modifiers] == ["MESH_CACHE", "SUBSURF"], [m.name for m in cloth.modifiers]
    assert lab.cached(folder, "Cloth") == held
    cloth.modifiers.remove(cloth.modifiers["Tribo"])
    lab.plays(cloth)

    cloth.modifiers[0].name = "My cache"
    bpy.context.scene.frame_set(4)
    lab.bake()
    assert [m.name for m in cloth.modifiers] == ["My cache"], [m.name for m in cloth.modifiers]
    assert lab.cached(folder, "Cloth") == held
    cloth.modifiers.remove(cloth.modifiers[0])
    lab.bake()
    assert [m.name for m in cloth.modifiers] == ["Tribo"] and lab.cached(folder, "Cloth") == held
    lab.plays(cloth)
    mirror = cloth.modifiers.new("Mirror", "MIRROR")  # finishes: below
    mirror.use_axis = (False, True, False)
    mirror.use_mirror_merge = False
    assert len(lab.shown(cloth, 2)) == 96
    assert lab.changes() == []
    bpy.ops.tribo.free()  # Blender complains, rightly, about a cache of another vertex count
    bpy.ops.object.modifier_move_to_index(modifier="Tribo", index=1)
    lab.bake()
    assert len(lab.plays(cloth)[0]) == 96
    cloth.tribo.kind = "NONE"
    assert [m.name for m in cloth.modifiers] == ["Mirror"]
    cloth.tribo.kind = "CLOTH"
    assert [m.name for m in cloth.modifiers] == ["Mirror", "Tribo"]
