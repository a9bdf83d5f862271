# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender: draws frames of recordings side by side.

    blender -b --factory-startup --python-exit-code 1 -P picture.py -- LIST

LIST is a JSON file: [{"out": FILE.jpg, "shots": [[RECORDING, FRAME], ...]}, ...]. FRAME counts from 0; -1 is the
last. What is drawn is what was recorded, as still meshes: nothing is simulated here.
"""

import json
import os
import sys
import tempfile

import bpy
from mathutils import Vector

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import recording  # noqa: E402

WIDTH, HEIGHT, SAMPLES = 280, 230, 40
REACH = 4.0  # metres: what was thrown further does not make the rest small
TOWARD = Vector((-0.45, 1.0, -0.45))
COLOURS = [(0.06, 0.16, 0.42), (0.55, 0.09, 0.06), (0.75, 0.5, 0.1), (0.1, 0.35, 0.15)]


def material(colour):
    made = bpy.data.materials.new("Paint")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = 0.7
    return made


def add_mesh(name, points, triangles, colour, smooth):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], triangles)
    mesh.materials.append(material(colour))
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))


def add_recorded(read, frame):
    moving = 0
    for (name, role, _, triangles), points in zip(read.things, read.places(frame)):
        colour = (0.62, 0.62, 0.6)
        if role:
            colour = COLOURS[moving % len(COLOURS)]
            moving += 1
        add_mesh(name, points, triangles, colour, role == 1)


def bounds(read):
    """Around all but floors, as it begins and ends."""
    points = [Vector(p) for frame in (0, read.frames - 1)
              for (name, _, _, _), places in zip(read.things, read.places(frame)) if name != "Floor"
              for p in places if max(map(abs, p)) < REACH]
    return [Vector([pick(p[k] for p in points) for k in range(3)]) for pick in (min, max)]


def light_and_camera(low, high):
    scene = bpy.context.scene
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.8, 0.85, 0.9, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
    scene.world = world
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 3.0, 0.1, (0.7, 0.3, 0.2)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = 50
    for ob in (sun, camera):
        scene.collection.objects.link(ob)
    scene.camera = camera
    centre, size = (low + high) / 2, (high - low).length
    camera.location = centre - TOWARD.normalized() * size * 1.8
    camera.rotation_euler = TOWARD.to_track_quat("-Z", "Y").to_euler()


def render(file, frame, out):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene, read = bpy.context.scene, recording.Reader(file)
    add_recorded(read, frame % read.frames)
    light_and_camera(*bounds(read))
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", SAMPLES, False
    scene.cycles.max_bounces = 3
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.image_settings.file_format, scene.render.filepath = "PNG", out
    bpy.ops.render.render(write_still=True)


def join(parts, out):
    rows = [[] for _ in range(HEIGHT)]
    for part in parts:
        image = bpy.data.images.load(part)
        pixels = image.pixels[:]
        for y in range(HEIGHT):
            rows[y].extend(pixels[4 * WIDTH * y:4 * WIDTH * (y + 1)])
    whole = bpy.data.images.new("whole", WIDTH * len(parts), HEIGHT)
    whole.pixels[:] = [number for row in rows for number in row]
    whole.file_format, whole.filepath_raw = "JPEG", out
    whole.save()


def main():
    with open(sys.argv[sys.argv.index("--") + 1], encoding="utf-8") as file:
        wanted = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        for one in wanted:
            parts = []
            for number, (file, frame) in enumerate(one["shots"]):
                parts.append(os.path.join(folder, f"{os.path.basename(one['out'])}.{number}.png"))
                render(file, frame, parts[-1])
            join(parts, one["out"])


main()
