# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygons with five corners and more, bent and with a hole's shape, as cloth and as collider: they bake,
and every vertex is shown where the cache has it."""

import math

import lab


def ring(name, corners, radius, location):
    """One polygon, not flat."""
    points = [(radius * math.cos(2 * math.pi * i / corners), radius * math.sin(2 * math.pi * i / corners),
               0.02 * (i % 2)) for i in range(corners)]
    return lab.mesh_object(name, points, [tuple(range(corners))], location)


def run():
    lab.empty_scene(1, 6)
    lab.make(lab.box("Block", (2, 2, 0.4)), "COLLIDER")
    disc = lab.make(ring("Disc", 11, 0.3, (0, 0, 0.26)), "CLOTH")
    points = [(0, 0, 0), (0.4, 0, 0), (0.4, 0.4, 0), (0.2, 0.1, 0), (0, 0.4, 0)]  # not convex
    arrow = lab.make(lab.mesh_object("Arrow", points, [(0, 1, 2, 3, 4)], (0.5, 0.5, 0.26)), "CLOTH")
    lab.save()
    lab.bake()
    for ob in (disc, arrow):
        held = lab.plays(ob)
        assert len(held[0]) == 3 * len(ob.data.vertices)
        assert min(held[5][2::3]) > 0.19, "it fell through"
        assert held[5][2] < held[0][2]
