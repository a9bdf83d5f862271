# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes for the examples, and what every scene wants: a camera, a light, frames."""

import math
import sys

import bpy
from mathutils import Vector


def mesh_object(scene, name, points, faces, smooth=True, colour=None):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()
    ob = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(ob)
    if colour:
        material = bpy.data.materials.new(name)
        material.diffuse_color = (*colour, 1.0)
        material.use_nodes = True
        shader = material.node_tree.nodes.get("Principled BSDF")
        if shader:
            shader.inputs["Base Color"].default_value = (*colour, 1.0)
        mesh.materials.append(material)
    return ob


def sheet(scene, name, size, cells, **options):
    """A horizontal square of quads with UVs."""
    side = cells + 1
    points = [((i / cells - 0.5) * size, (j / cells - 0.5) * size, 0.0)
              for j in range(side) for i in range(side)]
    faces = [(j * side + i, j * side + i + 1, (j + 1) * side + i + 1, (j + 1) * side + i)
             for j in range(cells) for i in range(cells)]
    ob = mesh_object(scene, name, points, faces, **options)
    layer = ob.data.uv_layers.new(name="UVMap")
    flat = []
    for loop in ob.data.loops:
        x, y, _ = points[loop.vertex_index]
        flat += [x / size + 0.5, y / size + 0.5]
    layer.data.foreach_set("uv", flat)
    return ob


def tube(scene, name, radii, heights, around, closed=False, **options):
    """Rings of quads about the z axis; closed: with a polygon at both ends."""
    points, faces = [], []
    for radius, z in zip(radii, heights):
        for k in range(around):
            angle = 2 * math.pi * k / around
            points.append((radius * math.cos(angle), radius * math.sin(angle), z))
    for row in range(len(radii) - 1):
        for k in range(around):
            a, b = row * around + k, row * around + (k + 1) % around
            faces.append((a, b, b + around, a + around))
    if closed:
        faces.append(tuple(reversed(range(around))))
        last = (len(radii) - 1) * around
        faces.append(tuple(range(last, last + around)))
    return mesh_object(scene, name, points, faces, **options)


def ball(scene, name, radius, rows=16, around=24, **options):
    """A sphere whose poles are small polygons."""
    angles = [math.pi * (r + 0.5) / rows - math.pi / 2 for r in range(rows)]
    return tube(scene, name, [radius * math.cos(a) for a in angles],
                [radius * math.sin(a) for a in angles], around, closed=True, **options)


def box(scene, name, size, **options):
    x, y, z = (s / 2 for s in size)
    points = [(a, b, c) for c in (-z, z) for b in (-y, y) for a in (-x, x)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return mesh_object(scene, name, points, faces, smooth=False, **options)


def stage(scene, last_frame, looks_at, distance):
    """Frames, a camera and a lamp."""
    scene.frame_start, scene.frame_end = 1, last_frame
    scene.frame_set(1)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = Vector(looks_at) + Vector((0.6, -0.9, 0.45)).normalized() * distance
    camera.rotation_euler = (Vector(looks_at) - camera.location).to_track_quat("-Z", "Y").to_euler()
    lamp = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    lamp.rotation_euler, lamp.data.energy = (0.7, 0.2, 0.4), 3.0
    for ob in (camera, lamp):
        scene.collection.objects.link(ob)
    scene.camera = camera


def simulate(ob, kind, preset):
    ob.tribo.kind = kind
    ob.tribo.preset = preset
    return ob


def as_script(make):
    """Run as a script: make the scene, and save it where the command line says."""
    make(bpy.context.scene)
    if "--" in sys.argv and len(sys.argv) > sys.argv.index("--") + 1:
        bpy.ops.wm.save_as_mainfile(filepath=sys.argv[sys.argv.index("--") + 1])
