# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose vertices and edges beside the faces of a cloth, a collider and a soft body: baked as if they were not
there and drawn where they were, or refused with a message that names the object and the vertex."""

import math

import bpy
import lab


def loose(ob):
    """Adds a vertex and an edge that belong to no face."""
    mesh = ob.data
    first = len(mesh.vertices)
    mesh.vertices.add(3)
    for i in range(3):
        mesh.vertices[first + i].co = (0.1 * i, 0.2, 0.7)
    mesh.edges.add(1)
    mesh.edges[-1].vertices = (first, first + 1)
    mesh.update()
    return ob


def run():
    scene = lab.empty_scene(1, 4)
    block = lab.make(loose(lab.box("Block", (0.6, 0.6, 0.4))), "COLLIDER")
    lab.make(lab.grid("Plain", 3, 0.5, (0, 0, 0.25)), "CLOTH")
    lab.save()
    folder = lab.bake()
    with_loose = lab.cached(folder, "Plain")
    bpy.data.objects.remove(block)
    lab.make(lab.box("Block", (0.6, 0.6, 0.4)), "COLLIDER")
    lab.bake()
    assert lab.farthest(lab.cached(folder, "Plain")[3], with_loose[3]) < 1e-6, "a loose vertex was felt"
    for kind in ("CLOTH", "SOLID", "RIGID"):
        ob = loose(lab.box("Odd " + kind, (0.3, 0.3, 0.3), (4, 0, 2)))
        lab.make(ob, kind)
        try:
            bpy.ops.tribo.bake()
        except RuntimeError as refusal:
            assert ob.name in str(refusal) and "vertex 8 belongs to no" in str(refusal), refusal
        else:
            assert all(map(math.isfinite, lab.plays(ob)[3]))
        bpy.data.objects.remove(ob)
    scene.frame_set(1)
