# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a Tribo cache in Blender: builds its meshes, plays the motion through Mesh Cache modifiers
named "Tribo", sets light and camera, and renders.

    blender -b --factory-startup --python-exit-code 1 -P scripts/render_cache.py -- CACHE [options]

    --out FILE.png     render one frame into this picture
    --frame N          which frame; the last one without this
    --strip A,B,C      several frames side by side instead of one
    --size WxH         of the picture (1200x675); in a strip, of the whole
    --samples N        rays a pixel (64)
    --look plain|demo  demo adds the props of the demo scene: a flag pole and a post
    --save FILE.blend  keep the scene, to open it in Blender and press play
    --check            compare what Blender shows with the cache, vertex by vertex
"""

import argparse
import array
import json
import math
import os
import struct
import sys

import bmesh
import bpy
from mathutils import Matrix, Vector

PALETTE = [
    (0.80, 0.10, 0.06),  # red
    (0.95, 0.42, 0.04),  # orange
    (0.04, 0.30, 0.42),  # teal
    (0.20, 0.08, 0.35),  # plum
    (0.10, 0.38, 0.10),  # green
]


# ---- reading --------------------------------------------------------------------------------------


def read_obj(path):
    """Points, faces, and UVs a face corner (or None)."""
    points, coords, faces, corners = [], [], [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words[0] == "vt":
                coords.append(tuple(map(float, words[1:3])))
            elif words[0] == "f":
                parts = [word.split("/") for word in words[1:]]
                faces.append([int(part[0]) - 1 for part in parts])
                corners += [int(part[1]) - 1 for part in parts if len(part) > 1 and part[1]]
    uvs = [coords[c] for c in corners] if len(corners) == sum(map(len, faces)) else None
    return points, faces, uvs


def read_msh(path):
    """Points, and the faces that bound the tets. Reads what a bake writes: Gmsh 4.1, one block."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    at = lines.index("$Nodes") + 1
    count = int(lines[at].split()[1])
    first = at + 2 + count  # two lines of numbers, then the tags
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
    return points, list(once.values()), None


class PointCache:
    """The frames of a .pc2 file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            magic, _, self.points, start, _, self.frames = struct.unpack("<12siiffi", file.read(32))
        if magic != b"POINTCACHE2\0":
            raise SystemExit(f"render_cache: {path} is not a PC2 file")
        self.start = int(start)

    def read(self, sample):
        sample = min(max(sample, 0), self.frames - 1)
        with open(self.path, "rb") as file:
            file.seek(32 + sample * self.points * 12)
            values = array.array("f", file.read(self.points * 12))
        if sys.byteorder == "big":
            values.byteswap()
        return values


# ---- objects --------------------------------------------------------------------------------------


def join_into_quads(mesh):
    """Pairs of flat triangles become quads, which subdivide better. Vertices stay as they are."""
    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.join_triangles(
        work,
        faces=work.faces,
        cmp_uvs=False,
        angle_face_threshold=math.radians(35),
        angle_shape_threshold=math.radians(60),
    )
    work.to_mesh(mesh)
    work.free()


def make_object(folder, entry, start):
    read = read_obj if entry["mesh"].endswith(".obj") else read_msh
    points, faces, uvs = read(os.path.join(folder, entry["mesh"]))
    mesh = bpy.data.meshes.new(entry["name"])
    mesh.from_pydata(points, [], faces)
    if uvs:
        layer = mesh.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", array.array("f", (x for uv in uvs for x in uv)))
    join_into_quads(mesh)
    mesh.polygons.foreach_set("use_smooth", array.array("b", [1]) * len(mesh.polygons))

    shown = bpy.data.objects.new(entry["name"], mesh)
    bpy.context.scene.collection.objects.link(shown)
    cache = shown.modifiers.new("Tribo", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = os.path.join(folder, entry["cache"])
    cache.frame_start = start  # sample 0 is shown on this frame
    smooth = shown.modifiers.new("Subdivision", "SUBSURF")
    smooth.levels = 1
    smooth.render_levels = 2
    shown["tribo_kind"] = entry["kind"]
    return shown


def load(folder):
    """The cache as Blender objects; the scene's frames are the cache's."""
    try:
        with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
            about = json.load(file)
    except OSError as fault:
        raise SystemExit(f"render_cache: {folder} holds no bake: {fault.strerror}")
    caches = {o["name"]: PointCache(os.path.join(folder, o["cache"])) for o in about["objects"]}
    scene = bpy.context.scene
    scene.frame_start = about["start"]
    scene.frame_end = about["start"] + min(c.frames for c in caches.values()) - 1
    scene.render.fps = max(1, round(about["fps"]))
    scene.render.fps_base = scene.render.fps / about["fps"]
    return [(make_object(folder, o, about["start"]), caches[o["name"]]) for o in about["objects"]]


def empty_scene():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


# ---- the check ------------------------------------------------------------------------------------


def check(shown):
    """Vertex positions as Blender evaluates them against the cache, on three frames."""
    scene = bpy.context.scene
    frames = sorted({scene.frame_start, (scene.frame_start + scene.frame_end) // 2, scene.frame_end})
    worst = 0.0
    for thing, cache in shown:
        thing.modifiers["Subdivision"].show_viewport = False
        for frame in frames:
            scene.frame_set(frame)
            evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
            mesh = evaluated.to_mesh()
            if len(mesh.vertices) != cache.points:
                raise SystemExit(f"render_cache: {thing.name}: {len(mesh.vertices)} vertices shown")
            seen = array.array("f", [0.0]) * (3 * cache.points)
            mesh.vertices.foreach_get("co", seen)
            evaluated.to_mesh_clear()
            told = cache.read(frame - scene.frame_start)
            worst = max(worst, max(abs(a - b) for a, b in zip(seen, told)))
        thing.modifiers["Subdivision"].show_viewport = True
        moved = max(abs(a - b) for a, b in zip(cache.read(0), cache.read(cache.frames - 1)))
        if moved == 0:
            raise SystemExit(f"render_cache: {thing.name} does not move: nothing was compared")
    print(f"check: {len(shown)} objects, frames {frames}: largest difference {worst:g} m")
    if worst > 1e-6:
        raise SystemExit("render_cache: Blender does not show what the cache holds")


# ---- the look -------------------------------------------------------------------------------------


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


def stripe(material, color, bands):
    """Bands of a second colour across v, so that folds show in the print."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    coordinate = nodes.new("ShaderNodeTexCoord")
    split = nodes.new("ShaderNodeSeparateXYZ")
    scale = nodes.new("ShaderNodeMath")
    scale.operation = "MULTIPLY"
    scale.inputs[1].default_value = bands / 2
    part = nodes.new("ShaderNodeMath")
    part.operation = "FRACT"
    above = nodes.new("ShaderNodeMath")
    above.operation = "GREATER_THAN"
    above.inputs[1].default_value = 0.5
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs[1].default_value = shader.inputs["Base Color"].default_value
    mix.inputs[2].default_value = (*color, 1)
    links.new(coordinate.outputs["UV"], split.inputs[0])
    links.new(split.outputs["Y"], scale.inputs[0])
    links.new(scale.outputs[0], part.inputs[0])
    links.new(part.outputs[0], above.inputs[0])
    links.new(above.outputs[0], mix.inputs[0])
    links.new(mix.outputs[0], shader.inputs["Base Color"])


def dress(shown):
    for number, (thing, _) in enumerate(shown):
        color = PALETTE[number % len(PALETTE)]
        if thing["tribo_kind"] == "cloth":
            material = make_material(thing.name, color, roughness=0.75, sheen=0.4)
            if thing.data.uv_layers:
                stripe(material, (0.85, 0.80, 0.70), 5)
        else:
            material = make_material(thing.name, color, roughness=0.35, coat=0.5)
        thing.data.materials.append(material)


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


def add_block(name, low, high, material):
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = add_mesh(name, points, faces, material)
    edges = thing.modifiers.new("Bevel", "BEVEL")
    edges.width = 0.012
    edges.segments = 3
    return thing


def add_demo_props(shown, floor):
    """What the pins of the demo stand for: a pole for the flag, a post for the bars and the ring."""
    metal = make_material("Metal", (0.30, 0.31, 0.33), roughness=0.3)
    set_input(metal.node_tree.nodes["Principled BSDF"], 1.0, "Metallic")
    wood = make_material("Wood", (0.20, 0.115, 0.06), roughness=0.5)
    bars = []
    for thing, cache in shown:
        start = cache.read(0)
        low = Vector([min(start[k::3]) for k in range(3)])
        high = Vector([max(start[k::3]) for k in range(3)])
        if thing.name == "flag":
            x, top = low.x - 0.018, high.z + 0.12
            add_rod("Pole", (x, low.y, floor), (x, low.y, top), 0.022, wood)
            add_ball("Pole knob", (x, low.y, top), 0.045, metal)
            add_rod("Pole foot", (x, low.y, floor), (x, low.y, floor + 0.03), 0.2, metal, 64)
        elif thing.name == "ring":
            ring_low, ring_high = low, high
        else:
            bars.append((low, high))
    face = min(low.x for low, _ in bars)
    depth = (min(low.y for low, _ in bars) - 0.06, max(high.y for _, high in bars) + 0.06)
    top = max(high.z for _, high in bars) + 0.12
    add_block("Post", (face - 0.14, depth[0], floor), (face, depth[1], top), wood)
    x, y, z = 0.5 * (ring_low.x + ring_high.x), 0.5 * (ring_low.y + ring_high.y), ring_high.z
    add_rod("Arm", (x - 0.08, y, z), (face - 0.1, y, z), 0.02, metal)


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


# ---- the program ----------------------------------------------------------------------------------


def numbers(text, separator):
    return [int(word) for word in text.split(separator)]


def read_arguments():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="render_cache.py")
    parser.add_argument("cache")
    parser.add_argument("--out")
    parser.add_argument("--frame", type=int)
    parser.add_argument("--strip", type=lambda text: numbers(text, ","))
    parser.add_argument("--size", type=lambda text: numbers(text, "x"), default=[1200, 675])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--look", choices=["plain", "demo"], default="plain")
    parser.add_argument("--save")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args(words)


def main():
    wanted = read_arguments()
    folder = os.path.abspath(wanted.cache)
    empty_scene()
    shown = load(folder)
    if wanted.check:
        check(shown)
    if not wanted.out and not wanted.save:
        return

    scene = bpy.context.scene
    frame = scene.frame_end if wanted.frame is None else wanted.frame
    frames = wanted.strip or [frame]
    points = frame_points(shown, frames)
    low = Vector([min(p[k] for p in points) for k in range(3)])
    high = Vector([max(p[k] for p in points) for k in range(3)])
    centre, reach = 0.5 * (low + high), 0.5 * (high - low).length + 0.5
    floor = 0.0 if wanted.look == "demo" else low.z - 0.05 * reach
    if wanted.look == "demo":
        add_demo_props(shown, floor)
    dress(shown)
    add_backdrop(floor, centre, reach)
    light(centre, reach)
    width, height = wanted.size
    part = width // len(frames)
    aim(points, Vector((0.25, 1, -0.12)), part / height, 0.85)
    prepare_render((part, height), wanted.samples)

    if wanted.save:
        scene.frame_set(scene.frame_start)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(wanted.save), relative_remap=True)
    if wanted.out and wanted.strip:
        render_strip(os.path.abspath(wanted.out), wanted.strip, wanted.size)
    elif wanted.out:
        render(os.path.abspath(wanted.out), frame)


main()
