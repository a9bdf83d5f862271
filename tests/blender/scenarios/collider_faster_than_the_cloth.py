# SPDX-License-Identifier: GPL-3.0-or-later
"""A slab that crosses the cloth within one frame takes it along instead of passing through, however thin
and fast it is, moved as a whole or by its shape, and also where the cloth lies on it from the start;
samples within a frame reach the core, so that it follows a path that frames alone would cut short."""

import json
import math
import os

import bpy
import lab
from mathutils import Matrix


def by_location(slab, rise):
    lab.key(slab, "location", (1, slab.location[:]), (3, slab.location[:]), (4, (0, 0, slab.location.z + rise)))


def by_shape(slab, rise):
    """The same way by a shape key: the collider is sampled vertex by vertex."""
    slab.shape_key_add(name="Basis")
    up = slab.shape_key_add(name="Up")
    for point in up.data:
        point.co.z += rise
    lab.key(up, "value", (1, 0.0), (3, 0.0), (4, 1.0))


def taken_along(thick, substeps, start, move):
    """The lowest vertex after a slab rose by 1.5 m in a frame, from `start` below the cloth."""
    scene = lab.empty_scene(1, 6)
    scene.gravity = (0, 0, 0)
    scene.tribo.time.substeps = substeps
    slab = lab.make(lab.box("Slab", (2, 2, thick), (0, 0, -start - thick / 2)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0)), "CLOTH", surface__thickness=0.0)
    move(slab, 1.5)
    lab.save()
    lab.bake()
    top = 1.5 - start
    lowest = min(lab.plays(cloth)[5][2::3])
    assert lowest > top - 5e-5, (thick, substeps, start, move.__name__, lowest - top)
    return scene, slab


def run():
    taken_along(0.5, 16, 1, by_location)
    for move in by_location, by_shape:
        for thick, substeps in (0.1, 12), (0.1, 2), (0.01, 4):
            taken_along(thick, substeps, 0.5, move)
            scene, slab = taken_along(thick, substeps, 0, move)

    bpy.data.objects.remove(slab)
    arm = lab.make(lab.box("Arm", (0.1, 0.1, 0.1), (0, 5, 0)), "COLLIDER")
    arm.data.transform(Matrix.Translation((1, 0, 0)))
    lab.key(arm, "rotation_euler", (1, (0, 0, 0)), (2, (0, 0, math.pi)))
    scene.frame_end = 2

    def samples_in_bundle(samples):
        scene.tribo.samples = samples
        folder = lab.path(f"arm{samples}")
        assert bpy.ops.tribo.export_farm(directory=folder) == {"FINISHED"}
        with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
            found = next(o for o in json.load(file)["objects"] if o["name"] == "Arm")
        return len(found["transforms"])

    counts = [samples_in_bundle(1), samples_in_bundle(8)]
    assert counts == [2, 9], counts
