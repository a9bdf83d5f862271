# SPDX-License-Identifier: GPL-3.0-or-later
"""Non-uniform and negative scale, a sheared parent and a parent that moves: what Blender shows is what
the cache holds, and the cache begins where Blender showed the object."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 5)
    empty = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(empty)
    empty.rotation_euler, empty.scale = (0.3, 0.2, 0.1), (1, 3, 0.5)
    lab.key(empty, "location", (1, (0, 0, 0)), (5, (1, 2, 3)))
    obs = []
    for i, scale in enumerate(((1, 1, 1), (0.2, 2, 5), (-1, 1, 1), (-1, -2, -0.5), (1e-3, 1e-3, 1e-3))):
        ob = lab.grid(f"Cloth{i}", 3, 1.0 if abs(scale[0]) > 0.01 else 1000.0)
        ob.parent, ob.location, ob.scale = empty, (3 * i, 0, 1), scale
        ob.rotation_euler = (0.5, 0.4, 0.3)
        lab.make(ob, "CLOTH")
        obs.append(ob)
    lab.save()
    before = {ob.name: lab.shown(ob, 1) for ob in obs}
    lab.bake()
    for ob in obs:
        held = lab.plays(ob, tolerance=2e-5)
        assert lab.farthest(held[0], before[ob.name]) < 2e-6, ob.name
        fell = held[0][2] - held[4][2]
        lab.close(fell, 9.81 / 2 * (4 / 24) ** 2, 0.05, f"{ob.name} falls by the world's g")
    flat = obs[0]
    flat.scale.z = 0
    lab.refused("Cloth0", "scale")
    flat.scale.z = 1
    lab.make(flat, "COLLIDER")
    lab.key(flat, "scale", (1, (1, 1, 1)), (5, (1, 1, -1)))
    lab.refused("Cloth0", "at frame")
