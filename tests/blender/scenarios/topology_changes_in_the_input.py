# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers above Tribo that change the mesh in time are found although nothing is pinned: animated
Decimate, Build, Mask by a keyed level, on a cloth and on a collider; the modifier is named and can be
cured by moving it below."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 4)
    cloth = lab.grid("Cloth", 6)
    decimate = cloth.modifiers.new("Thin out", "DECIMATE")
    lab.key(decimate, "ratio", (1, 1.0), (4, 0.4))
    cloth.modifiers.new("Wave", "WAVE")
    lab.make(cloth, "CLOTH")
    assert [m.name for m in cloth.modifiers] == ["Thin out", "Wave", "Tribo"]
    lab.refused("Cloth", "the modifier Thin out changes it", "at frame 2")
    assert scene.frame_current == 4 or scene.frame_current == 1
    bpy.ops.object.modifier_move_to_index(modifier="Thin out", index=2)
    lab.save()
    lab.bake()
    counts = [len(lab.shown(cloth, frame)) for frame in (1, 4)]
    assert counts[1] < counts[0], counts  # thinned out after the simulation
    cloth.modifiers.remove(cloth.modifiers["Thin out"])
    lab.plays(cloth)
    block = lab.make(lab.grid("Ground", 5, 3.0, (0, 0, -3)), "COLLIDER")
    array = block.modifiers.new("Rows", "ARRAY")
    array.fit_type = "FIXED_COUNT"
    lab.key(array, "count", (1, 1), (3, 2))
    lab.refused("Ground", "the modifier Rows changes it")
    block.modifiers.clear()
    block.animation_data_clear()
    lab.bake()
