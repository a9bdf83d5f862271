# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers above Tribo shape the rest and move the pins, those below finish the result; neither
counts twice, and shape keys count once."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 5)
    cloth = lab.grid(cells=4, location=(0, 0, 1))
    cloth.shape_key_add(name="Basis")
    cloth.shape_key_add(name="Lift").value = 1.0
    for point in cloth.data.shape_keys.key_blocks["Lift"].data:
        point.co.z += 0.25
    move = cloth.modifiers.new("Move", "DISPLACE")  # along z, with time
    move.direction, move.mid_level, move.strength = "Z", 0.0, 0.0
    move.keyframe_insert("strength", frame=1)
    move.strength = 0.2
    move.keyframe_insert("strength", frame=5)
    for key in lab.fcurves(cloth)[0].keyframe_points:
        key.interpolation = "LINEAR"
    wave = cloth.modifiers.new("Cast", "CAST")
    wave.factor = 0.0
    finish = cloth.modifiers.new("Thick", "SOLIDIFY")
    finish.show_viewport = finish.show_render = True
    lab.make(cloth, "CLOTH")
    assert [m.name for m in cloth.modifiers] == ["Move", "Cast", "Tribo", "Thick"]
    lab.pin(cloth, range(25))
    lab.save()
    folder = lab.bake()
    held = lab.cached(folder, "Cloth")
    for sample, points in enumerate(held):
        for z in points[2::3]:
            lab.close(z, 1.25 + 0.05 * sample, 1e-6, f"height in sample {sample}")
    seen = lab.shown(cloth, 5)
    assert len(seen) == 2 * len(held[4]), "the modifier below Tribo is not applied"
    finish.show_viewport = False
    assert lab.farthest(lab.shown(cloth, 5), held[4]) < 1e-6
    assert lab.farthest(lab.shown(cloth, 3), held[2]) < 1e-6
    lab.bake()  # again, now that a cache plays: the input must be the same
    assert lab.cached(lab.cache_folder(), "Cloth") == held
    assert scene.frame_current == 3
