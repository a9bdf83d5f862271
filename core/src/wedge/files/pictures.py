# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a Tribo wedge, rendered by Blender without a window. Written by Tribo into the wedge's folder.

    blender -b --factory-startup -P pictures.py -- FOLDER --task N [--frames 1,12,24]
    blender -b --factory-startup -P pictures.py -- FOLDER --png FILE | --mp4 FILE

The first renders thumbnails of a scene, pictures/HASH/FRAME.jpg: of the frames given, or of 12 that are spread. Those
that are there stay. The second puts the thumbnails of all scenes side by side, with what they are known by.
"""

import argparse
import array
import json
import math
import os
import struct
import sys

import bpy
from mathutils import Matrix, Vector

SIZE = (320, 240)
SAMPLES = 12
SPREAD = 12
COLORS = ((0.80, 0.25, 0.18), (0.20, 0.45, 0.75), (0.85, 0.62, 0.20), (0.30, 0.60, 0.35), (0.55, 0.35, 0.65))
GREY = (0.35, 0.36, 0.38)


def arguments():
    parser = argparse.ArgumentParser(prog="pictures.py")
    parser.add_argument("folder")
    parser.add_argument("--task", type=int)
    parser.add_argument("--frames", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--png")
    parser.add_argument("--mp4")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])


# ---- what a bake and a scene hold ----


def read_obj(path):
    """Points, faces, and segments of lines."""
    points, faces, lines = [], [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                points.append(tuple(map(float, words[1:4])))
            elif words[:1] == ["f"]:
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
            elif words[:1] == ["l"]:
                line = [int(word) - 1 for word in words[1:]]
                lines += zip(line, line[1:])
    return points, faces, lines


def read_msh(path):
    """Points, and the faces that bound the tets, of the Gmsh 4.1 file that a bake writes."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    at = lines.index("$Nodes") + 1
    count = int(lines[at].split()[1])
    first = at + 2 + count
    points = [tuple(map(float, line.split())) for line in lines[first : first + count]]
    at = lines.index("$Elements") + 1
    count = int(lines[at].split()[1])
    once = {}
    for line in lines[at + 2 : at + 2 + count]:
        a, b, c, d = (int(word) - 1 for word in line.split()[1:5])
        for face in ((a, c, b), (a, b, d), (b, c, d), (a, d, c)):
            key = tuple(sorted(face))
            if once.pop(key, None) is None:
                once[key] = face
    return points, list(once.values()), []


SIDES = 6


def tube_faces(lines):
    """Of a tube around every segment, whose points tube_points has."""
    faces = []
    for number in range(len(lines)):
        first = 2 * SIDES * number
        for k in range(SIDES):
            after = (k + 1) % SIDES
            faces.append((first + k, first + after, first + SIDES + after, first + SIDES + k))
    return faces


def tube_points(values, lines, radius):
    out = array.array("f")
    for ends in lines:
        a, b = (Vector(values[3 * i : 3 * i + 3]) for i in ends)
        along = (b - a).normalized()
        across = along.orthogonal().normalized()
        up = along.cross(across)
        for end in (a, b):
            for k in range(SIDES):
                angle = 2 * math.pi * k / SIDES
                out.extend(end + radius * (math.cos(angle) * across + math.sin(angle) * up))
    return out


class Samples:
    """The samples of a .pc2 file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            _, _, self.points, self.start, self.interval, self.count = struct.unpack("<12siiffi", file.read(32))

    def at(self, frame):
        number = round((frame - self.start) / (self.interval or 1))
        with open(self.path, "rb") as file:
            file.seek(32 + min(max(number, 0), self.count - 1) * self.points * 12)
            values = array.array("f", file.read(self.points * 12))
        if sys.byteorder == "big":
            values.byteswap()
        return values


def flat(points):
    return array.array("f", (x for point in points for x in point))


def transformed(points, rows):
    matrix = Matrix([rows[4 * i : 4 * i + 4] for i in range(4)])
    return [matrix @ Vector(point) for point in points]


def collider_at(about, folder, points):
    """A function of the frame: where the vertices of a collider are."""
    if "transform" in about:
        points = transformed(points, about["transform"])
    if "animation" in about:
        return Samples(os.path.join(folder, about["animation"])).at
    start, interval = about.get("motion_start", 1), about.get("motion_interval", 1)

    def sample(values, frame):
        return values[min(max(round((frame - start) / interval), 0), len(values) - 1)]

    if "points" in about:
        return lambda frame: flat(sample(about["points"], frame))
    if "transforms" in about:
        return lambda frame: flat(transformed(points, sample(about["transforms"], frame)))
    still = flat(points)
    return lambda frame: still


# ---- the stage ----


def material(name, color):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = 0.6
    return made


def add_mesh(name, points, faces, color):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(p) for p in points], [], faces)
    mesh.materials.append(material(name, color))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    shown = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(shown)
    return shown


def put(shown, values):
    shown.data.vertices.foreach_set("co", values)
    shown.data.update()


def empty_scene(size, samples):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", samples, False
    scene.cycles.max_bounces, scene.cycles.seed = 2, 0
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *size, 100
    scene.view_settings.view_transform = "Standard"
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.62, 0.70, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.4
    scene.world = world
    return scene


def box(values):
    sides = [(min(values[k::3]), max(values[k::3])) for k in range(3)]
    return [Vector((x, y, z)) for x in sides[0] for y in sides[1] for z in sides[2]]


def add_camera(scene, corners):
    """Looks at all corners from the front, a little from the side and above."""
    low = Vector([min(c[k] for c in corners) for k in range(3)])
    high = Vector([max(c[k] for c in corners) for k in range(3)])
    centre, reach = (low + high) / 2, max((high - low).length / 2, 1e-3)
    lens = bpy.data.cameras.new("Camera")
    lens.clip_start, lens.clip_end = 0.01 * reach, 100 * reach
    camera = bpy.data.objects.new("Camera", lens)
    toward = Vector((-0.45, 1, -0.4)).normalized()
    distance = reach / math.sin(0.5 * 2 * math.atan(0.5 * lens.sensor_width * SIZE[1] / SIZE[0] / lens.lens))
    camera.location = centre - toward * distance
    camera.rotation_euler = toward.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle = 2.5, 0.1
    light = bpy.data.objects.new("Sun", sun)
    light.rotation_euler = (0.7, -0.3, 0.5)
    scene.collection.objects.link(light)


# ---- thumbnails ----


def strands(name, samples, lines, about, color):
    """Tubes around segments, thick enough to be seen."""
    corners = box(samples.at(samples.start))
    seen = max((corners[0] - corners[-1]).length / 150, 1e-5)
    radius = max(about.get("elastic", {}).get("radius", 0.005), seen)

    def at(frame):
        return tube_points(samples.at(frame), lines, radius)

    values = at(samples.start)
    return add_mesh(name, list(zip(values[0::3], values[1::3], values[2::3])), tube_faces(lines), color), at


def load(folder, item):
    """What is to be seen: (object, function of the frame), simulated ones first; and the frames that are there."""
    bake, scenes = os.path.join(folder, "bakes", item["hash"]), os.path.join(folder, "scenes")
    with open(os.path.join(scenes, item["hash"] + ".json"), encoding="utf-8") as file:
        scene = json.load(file)
    moving, standing, count = [], [], None
    for number, about in enumerate(scene["objects"]):
        name = about["name"]
        cache = os.path.join(bake, name + ".pc2")
        if about["kind"] == "collider":
            points, faces, _ = read_obj(os.path.join(scenes, about["mesh"]))
            standing.append((add_mesh(name, points, faces, GREY), collider_at(about, scenes, points)))
        elif os.path.exists(cache):
            mesh = os.path.join(bake, name)
            points, faces, lines = read_msh(mesh + ".msh") if os.path.exists(mesh + ".msh") else read_obj(mesh + ".obj")
            samples = Samples(cache)
            count = samples.count if count is None else min(count, samples.count)
            color = COLORS[number % len(COLORS)]
            if lines and not faces:
                moving.append(strands(name, samples, lines, about, color))
            else:
                moving.append((add_mesh(name, points, faces, color), samples.at))
    return moving, standing, [item["start"] + i for i in range(count or 0)]


def spread(frames, count):
    if len(frames) <= count:
        return frames
    return [frames[round(i * (len(frames) - 1) / (count - 1))] for i in range(count)]


def thumbnails(folder, item, wanted):
    out = os.path.join(folder, "pictures", item["hash"])
    os.makedirs(out, exist_ok=True)
    scene = empty_scene(SIZE, SAMPLES)
    moving, standing, frames = load(folder, item)
    if not frames:
        return
    corners = [corner for _, at in moving for frame in spread(frames, 8) for corner in box(at(frame))]
    add_camera(scene, corners)
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 85
    for frame in [f for f in wanted if f in frames] if wanted else spread(frames, SPREAD):
        path = os.path.join(out, f"{frame}.jpg")
        if os.path.exists(path):
            continue
        for shown, at in moving + standing:
            put(shown, at(frame))
        # Complete or absent, as everything in a wedge: another task may look.
        scene.render.filepath = os.path.join(out, f".{frame}.{os.getpid()}.jpg")
        bpy.ops.render.render(write_still=True)
        os.replace(scene.render.filepath, path)


# ---- all of them side by side ----

CELL, TEXT, GAP = (4.0, 3.0), 0.9, 0.2
CELL_PIXELS = 240


def pictures_of(folder, item):
    place = os.path.join(folder, "pictures", item["hash"])
    names = os.listdir(place) if os.path.isdir(place) else []
    frames = sorted(int(n[:-4]) for n in names if n.endswith(".jpg") and n[:-4].lstrip("-").isdigit())
    return [os.path.join(place, f"{f}.jpg") for f in frames]


def short(key, value):
    name, inside = key, ""
    if "]" in key:
        inside = " " + key[key.index("[") + 1 : key.rindex("]")].split("]")[0]
    name = name.rsplit(".", 1)[-1]
    return f"{name}{inside} {value:.5g}" if isinstance(value, (int, float)) else f"{name}{inside} {value}"


def emission(name):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    shader, output = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    links.new(shader.outputs[0], output.inputs[0])
    return made, shader


def add_cell(number, item, columns, paper):
    """A picture and the words below it; the node that holds the picture."""
    x = (number % columns) * (CELL[0] + GAP)
    y = -(number // columns) * (CELL[1] + TEXT + GAP)
    words = bpy.data.curves.new("Text", "FONT")
    words.body = "\n".join(short(k, v) for k, v in list(item["values"].items())[:3]) or f"#{number}"
    words.size = 0.26
    words.materials.append(paper)
    text = bpy.data.objects.new("Text", words)
    text.location = (x + 0.05, y - 0.3, 0)
    bpy.context.scene.collection.objects.link(text)
    mesh = bpy.data.meshes.new("Picture")
    mesh.from_pydata([(x, y, 0), (x + CELL[0], y, 0), (x + CELL[0], y + CELL[1], 0), (x, y + CELL[1], 0)], [],
                     [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    for loop, uv in zip(layer.data, ((0, 0), (1, 0), (1, 1), (0, 1))):
        loop.uv = uv
    made, shader = emission("Picture")
    node = made.node_tree.nodes.new("ShaderNodeTexImage")
    made.node_tree.links.new(node.outputs[0], shader.inputs[0])
    mesh.materials.append(made)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Picture", mesh))
    return node


def add_sheet_camera(scene, columns, rows):
    width, height = columns * (CELL[0] + GAP) + GAP, rows * (CELL[1] + TEXT + GAP) + GAP
    lens = bpy.data.cameras.new("Camera")
    lens.type, lens.sensor_fit, lens.ortho_scale = "ORTHO", "HORIZONTAL", width
    camera = bpy.data.objects.new("Camera", lens)
    camera.location = (width / 2 - GAP, CELL[1] + GAP - height / 2, 10)
    scene.collection.objects.link(camera)
    scene.camera = camera
    pixels = CELL_PIXELS * columns
    scene.render.resolution_x = pixels // 2 * 2  # films take even numbers
    scene.render.resolution_y = round(pixels * height / width) // 2 * 2


def side_by_side(folder, items, png, mp4):
    scene = empty_scene((64, 64), 16)
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.012, 0.013, 0.014, 1)
    scene.world.node_tree.nodes["Background"].inputs[1].default_value = 1
    paper, shader = emission("Paper")
    shader.inputs[0].default_value = (0.8, 0.8, 0.8, 1)
    columns = max(1, math.ceil(math.sqrt(len(items))))
    add_sheet_camera(scene, columns, math.ceil(len(items) / columns))
    cells = []
    for number, item in enumerate(items):
        node = add_cell(number, item, columns, paper)
        images = [bpy.data.images.load(path) for path in pictures_of(folder, item)]
        if images:
            node.image = images[-1]
            cells.append((node, images))
    if png:
        scene.render.image_settings.file_format = "PNG"
        scene.render.filepath = os.path.abspath(png)
        bpy.ops.render.render(write_still=True)
    if mp4:
        film(scene, cells, os.path.abspath(mp4))


def film(scene, cells, path):
    count = max((len(images) for _, images in cells), default=1)

    def show(_scene, *_rest):
        for node, images in cells:
            node.image = images[min(scene.frame_current - 1, len(images) - 1)]

    bpy.app.handlers.frame_change_pre.append(show)
    scene.frame_start, scene.frame_end, scene.render.fps = 1, count, 8
    scene.render.image_settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format, scene.render.ffmpeg.codec = "MPEG4", "H264"
    scene.render.ffmpeg.constant_rate_factor = "HIGH"
    scene.render.use_file_extension = False
    scene.render.filepath = path
    bpy.ops.render.render(animation=True)


def main():
    args = arguments()
    with open(os.path.join(args.folder, "wedge.json"), encoding="utf-8") as file:
        items = json.load(file)["items"]
    if args.task is not None:
        thumbnails(args.folder, items[args.task], args.frames)
    else:
        side_by_side(args.folder, items, args.png, args.mp4)


main()
