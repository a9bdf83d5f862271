# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of 0 and of 1 vertex and those without a face, as every kind: a message that names the object,
and nothing left behind."""

import bpy
import lab

POINTS = {
    "none": ([], [], []),
    "one": ([(0, 0, 0)], [], []),
    "wire": ([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1), (1, 2)], []),
}


def run():
    scene = lab.empty_scene(1, 3)
    lab.make(lab.grid("Good", 2, location=(5, 0, 1)), "CLOTH")
    for label, (points, edges, faces) in POINTS.items():
        mesh = bpy.data.meshes.new(label)
        mesh.from_pydata(points, edges, faces)
        ob = bpy.data.objects.new("Odd " + label, mesh)
        scene.collection.objects.link(ob)
        for kind in ("CLOTH", "SOLID", "RIGID", "COLLIDER"):
            lab.make(ob, kind)
            lab.refused("Odd " + label)
            assert lab.cache_folder() == ""
            scene.frame_set(1)  # live mode refuses too, and says why
            live = lab.addon("live")
            assert "Odd " + label in live.messages["Scene"], live.messages
        bpy.data.objects.remove(ob)
    scene.frame_set(1)
    lab.bake()
