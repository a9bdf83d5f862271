# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces without area and doubled vertices are refused by object and triangle; faces that are turned over or
share an edge by three, meshes of micrometres and of kilometres, and two cloths in one place bake to
finite positions."""

import math

import bpy
import lab

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
REFUSED = {
    "doubled": ([(0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]),
    "needle": ([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 3)]),
}
BAKED = {
    "turned": (SQUARE, [(0, 1, 2), (0, 3, 2)]),
    "fan": ([*SQUARE, (0, 0, 1)], [(0, 1, 2), (0, 2, 3), (0, 2, 4)]),
    "tiny": ([(x * 1e-5, y * 1e-5, z) for x, y, z in SQUARE], [(0, 1, 2, 3)]),
    "huge": ([(x * 1e4, y * 1e4, z) for x, y, z in SQUARE], [(0, 1, 2, 3)]),
}


def run():
    lab.empty_scene(1, 3)
    lab.make(lab.box("Block", (0.5, 0.5, 0.5)), "COLLIDER")
    for name, (points, faces) in REFUSED.items():
        ob = lab.make(lab.mesh_object(name, points, faces, (0, 0, 3)), "CLOTH")
        lab.refused(f"'{name}': triangle 0", "no area")
        bpy.data.objects.remove(ob)
    obs = [lab.make(lab.mesh_object(name, points, faces, (0, 0, 3 + i)), "CLOTH")
           for i, (name, (points, faces)) in enumerate(BAKED.items())]
    obs += [lab.make(lab.grid(name, 3, 1.0, (0, 0, 9)), "CLOTH") for name in ("one", "same")]
    lab.save()
    lab.bake()
    for ob in obs:
        held = lab.plays(ob, tolerance=1e-3 if ob.name == "huge" else 1e-6)
        assert all(map(math.isfinite, held[2])), ob.name
        lab.close(held[0][2] - held[2][2], 9.81 / 2 * (2 / 24) ** 2, 0.02, ob.name)
