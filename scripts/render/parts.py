# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials, and simple meshes with one of them: what looks, props and arrows are made of."""

import math

import bmesh
import bpy
from mathutils import Vector


def set_input(shader, value, *names):
    """Sets the first input of these names: Blender 4 renamed some."""
    for name in names:
        if name in shader.inputs:
            shader.inputs[name].default_value = value
            return


def make_material(name, color, roughness, sheen=0.0, coat=0.0):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    set_input(shader, (*color, 1), "Base Color")
    set_input(shader, roughness, "Roughness")
    set_input(shader, sheen, "Sheen Weight", "Sheen")
    set_input(shader, coat, "Coat Weight", "Clearcoat")
    return material


def add_mesh(name, points, faces, material, smooth=False):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(material)
    for face in mesh.polygons:
        face.use_smooth = smooth
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def add_rod(name, a, b, radius, material, sides=32):
    """A cylinder from a to b."""
    a, b = Vector(a), Vector(b)
    turn = (b - a).to_track_quat("Z", "Y").to_matrix()
    ring = [
        turn @ Vector((radius * math.cos(t), radius * math.sin(t), 0))
        for t in (2 * math.pi * k / sides for k in range(sides))
    ]
    points = [a + p for p in ring] + [b + p for p in ring]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    thing = add_mesh(name, points, faces, material, smooth=True)
    caps = [tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))]
    add_mesh(name + " caps", points, caps, material)
    return thing


def add_ball(name, centre, radius, material):
    work = bmesh.new()
    bmesh.ops.create_uvsphere(work, u_segments=32, v_segments=16, radius=radius)
    mesh = bpy.data.meshes.new(name)
    work.to_mesh(mesh)
    work.free()
    mesh.materials.append(material)
    for face in mesh.polygons:
        face.use_smooth = True
    thing = bpy.data.objects.new(name, mesh)
    thing.location = centre
    bpy.context.scene.collection.objects.link(thing)


def add_block(name, low, high, material):
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = add_mesh(name, points, faces, material)
    edges = thing.modifiers.new("Bevel", "BEVEL")
    edges.width = 0.012
    edges.segments = 3
    return thing
