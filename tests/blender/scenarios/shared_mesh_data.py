# SPDX-License-Identifier: GPL-3.0-or-later
"""Two cloths that share one mesh, and a collider that shares it too: each has its own motion."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 8)
    first = lab.grid("First", 4, 0.5, (0, 0, 0.2))
    second = bpy.data.objects.new("Second", first.data)
    ground = bpy.data.objects.new("Ground", first.data)
    for ob in (second, ground):
        scene.collection.objects.link(ob)
    second.location, second.rotation_euler = (0, 0, 0.02), (0, 0, 0.7)
    ground.scale = (5, 5, 1)
    for ob, kind in ((first, "CLOTH"), (second, "CLOTH"), (ground, "COLLIDER")):
        lab.make(ob, kind)
    scene.collection.objects.unlink(first)
    scene.collection.objects.link(first)
    first.location.x = 2
    ground.location.z = -0.05
    lab.save()
    lab.bake()
    one, two = lab.plays(first), lab.plays(second)
    assert lab.farthest(one[7], two[7]) > 1.0
    assert min(two[7][2::3]) > -0.06, "through the ground"
    assert [v.co.z for v in first.data.vertices] == [0.0] * 25
    assert [m.name for m in ground.modifiers] == []
