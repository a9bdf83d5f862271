# SPDX-License-Identifier: GPL-3.0-or-later
"""A straight stroke across a seam to a mirrored island has one direction in the world; and the core,
given the map as a bake gives it, sees the structure."""

import bpy
import lab
import paint_lab


def run():
    for turn, mirrored in ((2.27, True), (0.6, False)):
        ob = paint_lab.painted_sheet(turn=turn, mirrored=mirrored)
        ob.location, ob.rotation_euler[2], ob.scale = (3, -1, 0.5), 0.4, (1.3, 0.8, 1)
        bpy.context.view_layer.update()
        start, end = (ob.matrix_world @ type(ob.location)(p) for p in ((0.2, 0.3, 0), (1.8, 0.7, 0)))
        assert paint_lab.stroke([start, end], radius=0.15) == {"FINISHED"}
        along = tuple(end - start)
        worst = max(paint_lab.degrees(along, paint_lab.structure_at(ob, start.lerp(end, k / 40)))
                    for k in range(1, 40))
        print(f"worst angle: {worst:.3f} degrees")
        assert worst < 2, worst
        scene = lab.addon("library").tribo.Scene()
        shapes = lab.addon("bridge.shapes")
        with shapes.evaluated(ob, bpy.context.evaluated_depsgraph_get()) as mesh:
            index = scene.add("sheet", "collider", shapes.points(mesh), shapes.triangles(mesh),
                              uvs=shapes.uvs(mesh), structure_map=shapes.pixels(ob.tribo.structure_map))
        told = scene.paint(index)
        assert told["structure"] and told["islands"] == 2, told
        assert (told["mirrored"] > 0) == mirrored, told
