# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake from This Frame, and Resume, go on with a cache whose object was renamed since, with others beside
it and in another order now; a duplicate of it is not taken for it."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 6)
    cloth = lab.make(lab.grid("Cloth", 3), "CLOTH")
    flag = lab.make(lab.grid("Flag", 2, 1.0, (3, 0, 1)), "CLOTH")
    lab.make(lab.box("Rock", (0.4, 0.4, 0.4), (0, 0, 0.7)), "COLLIDER")
    bpy.ops.tribo.pair_add(a="Cloth", b="Rock", mu=0.1)
    lab.save()
    lab.bake()
    held, other = lab.plays(cloth), lab.plays(flag)

    cloth.name = "Shirt"
    scene.tribo.pairs[0].a = "Shirt"
    scene.frame_set(3)
    assert bpy.ops.tribo.bake_from_here() == {"FINISHED"}
    assert not lab.changes(), lab.changes()
    for frame, points in enumerate(lab.plays(cloth, "Cloth")):
        assert lab.farthest(points, held[frame]) == 0, frame
    for frame, points in enumerate(lab.plays(flag)):
        assert lab.farthest(points, other[frame]) == 0, frame

    job = lab.begin_job(frame=3)  # stopped under its new name, then renamed
    job.cancel()
    cloth.name = "Zebra"
    scene.tribo.pairs[0].a = "Zebra"
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    assert lab.farthest(lab.plays(cloth, "Shirt")[5], held[5]) == 0

    twin = cloth.copy()
    twin.data = cloth.data.copy()
    scene.collection.objects.link(twin)
    scene.frame_set(3)
    assert "Zebra.001" in lab.error_of(bpy.ops.tribo.bake_from_here)
