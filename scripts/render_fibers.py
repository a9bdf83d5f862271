# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws strands that make_fibers wrote, with Cycles.

    blender -b --python scripts/render_fibers.py -- PICTURE.png FILE.obj [FILE.obj ...]

Every file is drawn beside the one before it. Comments in the files name radius, balls and plane.
"""

import math
import sys

import bpy
from mathutils import Vector


def read(path):
    points, lines, balls, radius, plane = [], [], [], 0.001, False
    with open(path, encoding="utf-8") as file:
        for words in map(str.split, file):
            if words[0] == "v":
                points.append(Vector(map(float, words[1:4])))
            elif words[0] == "l":
                lines.append([int(w) - 1 for w in words[1:]])
            elif words[:2] == ["#", "radius"]:
                radius = float(words[2])
            elif words[:2] == ["#", "ball"]:
                balls.append([float(w) for w in words[2:]])
            elif words[:2] == ["#", "plane"]:
                plane = True
    return points, lines, balls, radius, plane


def material(name, colour):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    made.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.5
    return made


def add_strands(points, lines, radius, shift, colours):
    for number, line in enumerate(lines):
        curve = bpy.data.curves.new("strand", "CURVE")
        curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", radius, 3
        curve.use_fill_caps = True
        spline = curve.splines.new("POLY")
        spline.points.add(len(line) - 1)
        for place, index in zip(spline.points, line):
            place.co = (*(points[index] + shift), 1)
        curve.materials.append(colours[number % len(colours)])
        bpy.context.collection.objects.link(bpy.data.objects.new("strand", curve))


def add_ball(ball, shift, colour):
    bpy.ops.mesh.primitive_uv_sphere_add(
        segments=48, ring_count=24, radius=ball[3], location=Vector(ball[:3]) + shift)
    bpy.context.object.data.materials.append(colour)
    bpy.ops.object.shade_smooth()


def add_light_and_camera(low, high):
    middle, size = (low + high) / 2, (high - low).length
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 3, 0.2
    lamp = bpy.data.objects.new("sun", sun)
    lamp.rotation_euler = (0.6, 0.3, 0.4)
    bpy.context.collection.objects.link(lamp)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + Vector((0.55, -1.05, 0.55)) * size
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = 45
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    colours = [material("strand", c) for c in
               ((0.8, 0.55, 0.2), (0.75, 0.3, 0.15), (0.85, 0.7, 0.4), (0.55, 0.25, 0.12))]
    grey, skin = material("plate", (0.6, 0.62, 0.65)), material("ball", (0.5, 0.55, 0.6))
    low, high = Vector((math.inf,) * 3), Vector((-math.inf,) * 3)
    shift, floor = Vector((0, 0, 0)), False
    for path in words[1:]:
        points, lines, balls, radius, plane = read(path)
        corners = [Vector(f(p[i] for p in points) for i in range(3)) for f in (min, max)]
        shift.x = -corners[0].x + (high.x + 0.2 * (corners[1].x - corners[0].x) if high.x > low.x else 0)
        add_strands(points, lines, radius, shift, colours)
        for ball in balls:
            add_ball(ball, shift, skin)
        for corner in corners:
            low = Vector(map(min, low, corner + shift))
            high = Vector(map(max, high, corner + shift))
        floor = floor or plane
    if floor:
        bpy.ops.mesh.primitive_plane_add(size=20 * (high - low).length)
        bpy.context.object.data.materials.append(grey)
    add_light_and_camera(low, high)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.92, 1, 1)
    scene = bpy.context.scene
    scene.world = world
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 24, False
    scene.render.resolution_x, scene.render.resolution_y = 800, 450
    scene.render.filepath = words[0]
    bpy.ops.render.render(write_still=True)


main()
