# SPDX-License-Identifier: GPL-3.0-or-later
"""Backdrop, light, camera and the render itself."""

import array
import math
import os

import bpy
from mathutils import Matrix, Vector

from render.parts import add_mesh, make_material


def add_backdrop(floor, centre, reach):
    """A floor that rises behind into a wall, as in a photographer's studio."""
    material = make_material("Backdrop", (0.10, 0.15, 0.20), roughness=0.9)
    radius, wall = 0.5 * reach, 1.1 * reach
    profile = [(-6 * reach, 0.0)]
    for k in range(17):
        t = 0.5 * math.pi * k / 16
        profile.append((wall - radius + radius * math.sin(t), radius - radius * math.cos(t)))
    profile.append((wall, 8 * reach))
    points = []
    for y, z in profile:
        for side in (-12 * reach, 12 * reach):
            points.append((centre.x + side, centre.y + y, floor + z))
    faces = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(profile) - 1)]
    add_mesh("Backdrop", points, faces, material, smooth=True)


def add_light(name, place, target, size, watts, color):
    lamp = bpy.data.lights.new(name, "AREA")
    lamp.shape = "DISK"
    lamp.size = size
    lamp.energy = watts
    lamp.color = color
    thing = bpy.data.objects.new(name, lamp)
    thing.location = place
    thing.rotation_euler = (target - place).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)


def light(centre, reach):
    key = centre + Vector((-1.7, -0.9, 1.2)) * reach
    fill = centre + Vector((1.8, -1.2, 0.5)) * reach
    rim = centre + Vector((0.8, 0.7, 1.5)) * reach
    strength = reach * reach
    add_light("Key", key, centre, 0.7 * reach, 70 * strength, (1, 0.95, 0.88))
    add_light("Fill", fill, centre, 1.6 * reach, 14 * strength, (0.82, 0.90, 1))
    add_light("Rim", rim, centre, 0.6 * reach, 34 * strength, (1, 0.97, 0.92))
    world = bpy.data.worlds.new("Studio")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.75, 0.82, 0.92, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.2
    bpy.context.scene.world = world


def frame_points(shown, frames):
    """Where the objects are on these frames: the corners of each one's box."""
    corners = []
    for _, cache in shown:
        for frame in frames:
            values = cache.read(frame - bpy.context.scene.frame_start)
            sides = [(min(values[k::3]), max(values[k::3])) for k in range(3)]
            corners += [Vector((x, y, z)) for x in sides[0] for y in sides[1] for z in sides[2]]
    return corners


def aim(points, toward, shape, margin):
    """A camera that looks along `toward` and holds all points; shape is width over height."""
    lens = bpy.data.cameras.new("Camera")
    lens.lens = 60
    lens.sensor_fit = "HORIZONTAL"
    lens.clip_start = 0.001  # a glass is looked at from near
    camera = bpy.data.objects.new("Camera", lens)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera

    toward = toward.normalized()
    turn = toward.to_track_quat("-Z", "Y")
    across, up = turn @ Vector((1, 0, 0)), turn @ Vector((0, 1, 0))
    half_x = 0.5 * lens.sensor_width / lens.lens * margin
    half_y = half_x / shape

    # A point p is in the picture when |p.axis - place| <= half (p.toward - depth): the nearest place
    # at which this holds for all points.
    def nearest(axis, half):
        low = max(p.dot(axis) - half * p.dot(toward) for p in points)
        high = min(p.dot(axis) + half * p.dot(toward) for p in points)
        return 0.5 * (low + high), (high - low) / (2 * half)

    (x, depth_x), (y, depth_y) = nearest(across, half_x), nearest(up, half_y)
    depth = min(depth_x, depth_y)
    camera.matrix_world = Matrix.Translation(across * x + up * y + toward * depth) @ (
        turn.to_matrix().to_4x4()
    )
    return camera


def prepare_render(size, samples):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.16 / math.sqrt(samples)
    scene.cycles.use_denoising = False  # Debian builds Blender without the denoiser
    scene.cycles.max_bounces = 6
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "High Contrast"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 90


def render(path, frame):
    scene = bpy.context.scene
    scene.frame_set(frame)
    for thing in scene.objects:
        if "tribo_frame" in thing:
            thing.hide_render = thing["tribo_frame"] != frame
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


def render_strip(path, frames, size):
    """Renders each frame and puts them side by side."""
    scene = bpy.context.scene
    width, height = size
    joined = array.array("f", [0.0]) * (4 * width * height)
    part = width // len(frames)
    scene.render.resolution_x = part
    for number, frame in enumerate(frames):
        single = f"{path}.{frame}.png"
        render(single, frame)
        image = bpy.data.images.load(single)
        pixels = array.array("f", [0.0]) * (4 * part * height)
        image.pixels.foreach_get(pixels)
        for row in range(height):
            at = 4 * (row * width + number * part)
            joined[at : at + 4 * part] = pixels[4 * part * row : 4 * part * (row + 1)]
        bpy.data.images.remove(image)
        os.remove(single)
    whole = bpy.data.images.new("Strip", width, height)
    whole.pixels.foreach_set(joined)
    whole.filepath_raw = path
    whole.file_format = "PNG"
    whole.save()
