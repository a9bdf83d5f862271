# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins follow an armature and a hook above Tribo, with a subdivision below it: held vertices are where the
modifiers put them, the rest is simulated, and the surface shown is subdivided from that. A pin group that
was renamed is refused by name."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 5)
    rig = lab.rig()
    cloth = lab.grid("Cloth", 4)
    cloth.vertex_groups.new(name="Bone").add(range(5), 1.0, "REPLACE")
    cloth.vertex_groups.new(name="Hooked").add([24], 1.0, "REPLACE")
    cloth.modifiers.new("Armature", "ARMATURE").object = rig
    empty = bpy.data.objects.new("Hand", None)
    scene.collection.objects.link(empty)
    hook = cloth.modifiers.new("Hook", "HOOK")
    hook.object, hook.vertex_group = empty, "Hooked"
    lab.key(rig.pose.bones["Bone"], "location", (1, (0, 0, 0)), (5, (0, 0.4, 0)))  # along the bone: up
    lab.key(empty, "location", (1, (0, 0, 0)), (5, (0.2, 0, 0)))
    subdivision = cloth.modifiers.new("Smooth", "SUBSURF")
    subdivision.levels, subdivision.render_levels = 1, 2
    lab.make(cloth, "CLOTH")
    assert [m.name for m in cloth.modifiers] == ["Armature", "Hook", "Tribo", "Smooth"]
    lab.pin(cloth, [0, 1, 2, 3, 4, 24])
    lab.save()
    held = lab.cached(lab.bake(), "Cloth")
    for sample, points in enumerate(held):
        lab.close(points[2], 1 + 0.1 * sample, 1e-5, "the armature's pin")
        lab.close(points[72], 0.5 + 0.05 * sample, 1e-5, "the hook's pin")
    assert held[4][38] < 1.0, "the middle falls"
    assert len(lab.shown(cloth, 5)) > len(held[4])
    subdivision.show_viewport = False
    lab.plays(cloth)
    cloth.vertex_groups["Pin"].name = "Nails"
    lab.refused("Cloth", "no vertex group 'Pin'", "Nails")
    cloth.tribo.pin_group = "Nails"
    lab.bake()
    assert lab.cached(lab.cache_folder(), "Cloth") == held
    bpy.data.objects.remove(empty)
    lab.bake()
