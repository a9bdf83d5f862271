# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a Tribo cache in Blender: builds its meshes, plays the motion through Mesh Cache modifiers
named "Tribo", sets light and camera, and renders.

    blender -b --factory-startup --python-exit-code 1 -P scripts/render_cache.py -- CACHE [options]

    --scene BUNDLE     the scene that was baked (its folder, or its scene.json): its colliders stand
                       still or move beside the objects of the cache, which holds none of them; a
                       structure map on one that stands still is shown as matchsticks
    --out FILE.png     render one frame into this picture
    --frame N          which frame; the last one without this
    --strip A,B,C      several frames side by side instead of one
    --size WxH         of the picture (1200x675); in a strip, of the whole
    --samples N        rays a pixel (64)
    --from X,Y,Z       the direction in which the camera looks (0.25,1,-0.12)
    --whole            have all of the colliders in the picture too
    --contacts A,B     arrows for the friction that B does to A, in a bake with --contacts, and the
                       camera on them: green where it sticks, orange where it slips. The longest in
                       the frames shown has a tenth of A's size; what it stands for is printed
    --hide A,B         leave these objects out: what would be in front of the arrows
    --look plain|wind  wind adds the props of the scene of that name: a flag pole and a post
    --save FILE.blend  keep the scene, to open it in Blender and press play
    --check            compare what Blender shows with the cache, vertex by vertex, and colliders
                       with their motion

CACHE may also be a bundle itself: then all objects are shown as they start, and colliders move.
"""

import argparse
import array
import json
import math
import os
import struct
import sys
import tempfile

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


def write_pc2(path, samples, start):
    """Samples of flat coordinates, one a frame."""
    with open(path, "wb") as file:
        file.write(
            struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(samples[0]) // 3, start, 1, len(samples))
        )
        for sample in samples:
            values = array.array("f", sample)
            if sys.byteorder == "big":
                values.byteswap()
            values.tofile(file)


class Still:
    """What has no cache: one sample, where the mesh is."""

    def __init__(self, points):
        self.points, self.frames, self.start = len(points), 1, 0
        self.values = array.array("f", (x for point in points for x in point))

    def read(self, _):
        return self.values


def read_bundle(path):
    """The folder of a scene, and the scene."""
    if os.path.isdir(path):
        path = os.path.join(path, "scene.json")
    try:
        with open(path, encoding="utf-8") as file:
            return os.path.dirname(os.path.abspath(path)), json.load(file)
    except OSError as fault:
        raise SystemExit(f"render_cache: {path}: {fault.strerror}")


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


def crease_corners(mesh):
    """Keeps edges sharp under subdivision that are sharp in the mesh."""
    work = bmesh.new()
    work.from_mesh(mesh)
    old = hasattr(work.edges.layers, "crease")  # Blender 4 keeps creases as an attribute
    layer = (
        work.edges.layers.crease.verify() if old else work.edges.layers.float.new("crease_edge")
    )
    for edge in work.edges:
        if len(edge.link_faces) == 2 and edge.calc_face_angle(0) > math.radians(50):
            edge[layer] = 1.0
    work.to_mesh(mesh)
    work.free()


def make_mesh(folder, entry):
    """A mesh of the scene or the cache as a Blender object, and its points."""
    read = read_obj if entry["mesh"].endswith(".obj") else read_msh
    points, faces, uvs = read(os.path.join(folder, entry["mesh"]))
    mesh = bpy.data.meshes.new(entry["name"])
    mesh.from_pydata(points, [], faces)
    if uvs:
        layer = mesh.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", array.array("f", (x for uv in uvs for x in uv)))
    join_into_quads(mesh)
    mesh.polygons.foreach_set("use_smooth", array.array("b", [1]) * len(mesh.polygons))
    if entry["kind"] != "cloth":
        crease_corners(mesh)
        if hasattr(mesh, "use_auto_smooth"):
            mesh.use_auto_smooth = True
            mesh.auto_smooth_angle = math.radians(50)
    shown = bpy.data.objects.new(entry["name"], mesh)
    bpy.context.scene.collection.objects.link(shown)
    shown["tribo_kind"] = entry["kind"]
    return shown, points


def play(shown, path, start):
    cache = shown.modifiers.new("Tribo", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = path
    cache.frame_start = start  # sample 0 is shown on this frame


def subdivide(shown):
    smooth = shown.modifiers.new("Subdivision", "SUBSURF")
    smooth.levels = 1
    smooth.render_levels = 2


def make_object(folder, entry, start):
    shown, _ = make_mesh(folder, entry)
    play(shown, os.path.join(folder, entry["cache"]), start)
    subdivide(shown)
    return shown


def sample_at(samples, first, interval, frame):
    """Two neighbouring samples at a frame, and how far from the one to the other."""
    at = min(max((frame - first) / interval, 0), len(samples) - 1)
    low = min(int(at), max(len(samples) - 2, 0))
    return samples[low], samples[min(low + 1, len(samples) - 1)], at - low


def key_transforms(shown, transforms, first, interval):
    """Keyframes for a motion by transforms; quaternions on the same side as the one before."""
    shown.rotation_mode = "QUATERNION"
    last = None
    for number, m in enumerate(transforms):
        place, turn, size = Matrix([m[0:4], m[4:8], m[8:12], m[12:16]]).decompose()
        if last is not None and turn.dot(last) < 0:
            turn.negate()
        shown.location, shown.rotation_quaternion, shown.scale = place, turn, size
        for path in ("location", "rotation_quaternion", "scale"):
            shown.keyframe_insert(path, frame=first + number * interval)
        last = turn
    for curve in shown.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def make_collider(folder, entry, moved_to):
    """Points that move go into a point cache in the folder moved_to."""
    shown, points = make_mesh(folder, entry)
    if entry.get("structure_map"):
        shown["tribo_structure"] = os.path.join(folder, entry["structure_map"])
    first, interval = entry.get("motion_start", 0), entry.get("motion_interval", 1)
    if entry.get("transforms"):
        key_transforms(shown, entry["transforms"], first, interval)
    elif entry.get("points"):
        scene = bpy.context.scene
        frames = []
        for frame in range(scene.frame_start, scene.frame_end + 1):
            a, b, t = sample_at(entry["points"], first, interval, frame)
            frames.append([u + t * (v - u) for p, q in zip(a, b) for u, v in zip(p, q)])
        path = os.path.join(moved_to, entry["name"] + ".collider.pc2")
        write_pc2(path, frames, scene.frame_start)
        play(shown, path, scene.frame_start)
        subdivide(shown)
    return shown, entry, points


def crop_plane(shown, low, high):
    """A collider of one flat face or two can be very large: only its part near the objects."""
    if len(shown.data.polygons) > 2 or shown.modifiers or shown.animation_data:
        return
    work = bmesh.new()
    work.from_mesh(shown.data)
    for axis in (0, 1):
        for at, sign in ((low[axis], -1), (high[axis], 1)):
            place, normal = Vector((0, 0, 0)), Vector((0, 0, 0))
            place[axis], normal[axis] = at, sign
            everything = work.verts[:] + work.edges[:] + work.faces[:]
            bmesh.ops.bisect_plane(
                work, geom=everything, plane_co=place, plane_no=normal, clear_outer=True
            )
    work.to_mesh(shown.data)
    work.free()


def set_time(start, end, fps):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = start, end
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps


def load_start(folder, about):
    """The objects of a bundle as they start."""
    time = about["time"]
    set_time(time["start"], time["end"], time["fps"])
    shown = []
    for entry in about["objects"]:
        if entry["kind"] != "collider":
            thing, points = make_mesh(folder, entry)
            subdivide(thing)
            shown.append((thing, Still(points)))
    return shown


def load(folder):
    """The cache as Blender objects; the scene's frames are the cache's."""
    try:
        with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
            about = json.load(file)
    except OSError as fault:
        raise SystemExit(f"render_cache: {folder} holds no bake: {fault.strerror}")
    caches = {o["name"]: PointCache(os.path.join(folder, o["cache"])) for o in about["objects"]}
    frames = min(c.frames for c in caches.values())
    set_time(about["start"], about["start"] + frames - 1, about["fps"])
    return [(make_object(folder, o, about["start"]), caches[o["name"]]) for o in about["objects"]]


def load_colliders(bundle, moved_to):
    folder, about = read_bundle(bundle)
    return [make_collider(folder, o, moved_to) for o in about["objects"] if o["kind"] == "collider"]


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


def told_points(entry, points, frame):
    """Where the scene has a collider's vertices on a frame with a sample."""
    first, interval = entry.get("motion_start", 0), entry.get("motion_interval", 1)
    if entry.get("points"):
        a, b, t = sample_at(entry["points"], first, interval, frame)
        return [Vector(p).lerp(Vector(q), t) for p, q in zip(a, b)]
    m = entry["transforms"][min(max(round((frame - first) / interval), 0), len(entry["transforms"]) - 1)]
    return [Matrix([m[0:4], m[4:8], m[8:12], m[12:16]]) @ Vector(p) for p in points]


def check_colliders(colliders):
    scene = bpy.context.scene
    worst, compared = 0.0, 0
    for thing, entry, points in colliders:
        if not entry.get("points") and not entry.get("transforms"):
            continue
        for modifier in thing.modifiers:
            modifier.show_viewport = modifier.type == "MESH_CACHE"
        for frame in {scene.frame_start, (scene.frame_start + scene.frame_end) // 2, scene.frame_end}:
            scene.frame_set(frame)
            evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
            for vertex, told in zip(evaluated.data.vertices, told_points(entry, points, frame)):
                worst = max(worst, (evaluated.matrix_world @ vertex.co - told).length)
                compared += 1
        for modifier in thing.modifiers:
            modifier.show_viewport = True
    print(f"check: {compared} places of moving colliders: largest difference {worst:g} m")
    if worst > 1e-5:
        raise SystemExit("render_cache: Blender does not move a collider as the scene does")


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


def dress_colliders(colliders):
    material = make_material("Collider", (0.20, 0.22, 0.24), roughness=0.6)
    for thing, entry, _ in colliders:
        thing.data.materials.append(material)
        if "tribo_structure" in thing and not thing.modifiers and not thing.animation_data:
            add_matchsticks(thing, thing["tribo_structure"])


class StructureMap:
    """The red and green of a picture as a direction along u and v (docs/maps.md)."""

    def __init__(self, path):
        image = bpy.data.images.load(path)
        image.colorspace_settings.name = "Non-Color"
        (self.width, self.height), self.channels = image.size, image.channels
        self.pixels = image.pixels[:]  # the bottom row first

    def read(self, u, v):
        x = min(max(int(u * self.width), 0), self.width - 1)
        y = min(max(int(v * self.height), 0), self.height - 1)
        at = (y * self.width + x) * self.channels
        return 2 * self.pixels[at] - 1, 2 * self.pixels[at + 1] - 1


def matchstick(place, along, normal, length):
    """Corners of a thin strip."""
    half, aside = 0.5 * length * along, 0.06 * length * normal.cross(along)
    return [place - half - aside, place + half - aside, place + half + aside, place - half + aside]


def add_matchsticks(thing, path):
    """Strips a little above a still surface that lie as its painted structure does."""
    structure, mesh = StructureMap(path), thing.data
    spacing = max(thing.dimensions) / 26
    points, faces = [], []
    mesh.calc_loop_triangles()
    for triangle in mesh.loop_triangles:
        corners = [mesh.vertices[k].co for k in triangle.vertices]
        uvs = [mesh.uv_layers[0].data[k].uv for k in triangle.loops]
        # a is across from the longest side, so that the rows of two halves of a rectangle agree
        first = max(range(3), key=lambda k: (corners[k - 1] - corners[k - 2]).length)
        a, b, c = (corners[(first + k) % 3] for k in range(3))
        ua, ub, uc = (uvs[(first + k) % 3] for k in range(3))
        (e, f), (d, g) = (b - a, c - a), (ub - ua, uc - ua)
        flipped = d.x * g.y - d.y * g.x
        if flipped == 0:
            continue
        t = ((g.y * e - d.y * f) / flipped).normalized()
        across = math.copysign(1, flipped) * triangle.normal.cross(t)
        rows, columns = (max(1, round(side.length / spacing)) for side in (e, f))
        for i in range(rows):
            for j in range(columns):
                p, q = (i + 0.5) / rows, (j + 0.5) / columns
                r, s = structure.read(*(ua + p * d + q * g))
                if p + q > 1 or math.hypot(r, s) < 0.1:
                    continue
                place = a + p * e + q * f + 0.02 * spacing * triangle.normal
                along = (r * t + s * across).normalized()
                faces.append(range(len(points), len(points) + 4))
                points += matchstick(place, along, triangle.normal, 0.75 * spacing)
    paint = make_material("Structure", (0.75, 0.72, 0.62), roughness=0.8)
    sticks = add_mesh(thing.name + " structure", points, faces, paint)
    sticks.matrix_world = thing.matrix_world


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


def add_block(name, low, high, material):
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = add_mesh(name, points, faces, material)
    edges = thing.modifiers.new("Bevel", "BEVEL")
    edges.width = 0.012
    edges.segments = 3
    return thing


def add_wind_props(shown, floor):
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


# ---- arrows -----------------------------------------------------------------------------------------


def read_friction(folder, name, other, frames):
    """What the other one does to an object, frame by frame: places, friction, outward normals,
    whether it slips there."""
    path = os.path.join(folder, "contacts.jsonl")
    if not os.path.exists(path):
        raise SystemExit(f"render_cache: there is no {path}; bake with --contacts")
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            if line["frame"] not in frames:
                continue
            arrows = found.setdefault(line["frame"], [])
            for contact in line["contacts"]:
                # The force is on the feeler; the surface bears the opposite.
                pair = (contact["object"], contact["surface"])
                if pair not in ((name, other), (other, name)):
                    continue
                side = 1 if pair[0] == name else -1
                normal, force = Vector(contact["normal"]), Vector(contact["force"])
                friction = side * (force - force.dot(normal) * normal)
                out = -side * normal  # away from the object, so that arrows lie on it
                arrows.append((Vector(contact["point"]), friction, out, contact["state"] == "slip"))
    return found


def glowing(name, color):
    material = make_material(name, color, roughness=1)
    set_input(material.node_tree.nodes["Principled BSDF"], (*color, 1), "Emission", "Emission Color")
    set_input(material.node_tree.nodes["Principled BSDF"], 1.0, "Emission Strength")
    return material


def arrow_mesh(start, along, width, points, faces, sides=10):
    """Appends a shaft and a head of a third of the length."""
    length = along.length
    turn = along.to_track_quat("Z", "Y").to_matrix()
    head = min(length, max(length / 3, 3 * width))
    base = len(points)
    for radius, z in ((0.5 * width, 0), (0.5 * width, length - head), (1.5 * width, length - head)):
        for k in range(sides):
            t = 2 * math.pi * k / sides
            points.append(start + turn @ Vector((radius * math.cos(t), radius * math.sin(t), z)))
    points.append(start + along)
    for ring in (0, sides):
        for k in range(sides):
            a, b = base + ring + k, base + ring + (k + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    for k in range(sides):
        faces.append((base + 2 * sides + k, base + 2 * sides + (k + 1) % sides, base + 3 * sides))


def add_arrows(folder, thing, other, cache, frames):
    """Returns what a camera should see: the places, with some room around them."""
    found = read_friction(folder, thing.name, other, frames)
    strongest = max((f.length for arrows in found.values() for _, f, _, _ in arrows), default=0)
    if strongest == 0:
        raise SystemExit(f"render_cache: '{other}' does not rub on '{thing.name}' in these frames")
    start = cache.read(0)
    size = max(max(start[k::3]) - min(start[k::3]) for k in range(3))
    scale, width = 0.1 * size / strongest, 0.006 * size
    print(f"the longest arrow is {strongest:.4g} N, {0.1 * size:.4g} m")
    colors = {False: glowing("Sticks", (0.02, 0.55, 0.12)), True: glowing("Slips", (0.95, 0.30, 0.0))}
    for frame, arrows in found.items():
        for slips, material in colors.items():
            points, faces = [], []
            for place, friction, out, slipping in arrows:
                if slipping == slips and friction.length > 0:
                    arrow_mesh(place + width * out, scale * friction, width, points, faces)
            if points:
                add_mesh(f"Arrows {frame}", points, faces, material)["tribo_frame"] = frame
    room = [Vector([0.08 * size * (k == axis) * side for k in range(3)])
            for axis in range(3) for side in (-1, 1)]
    return [place + r for arrows in found.values() for place, _, _, _ in arrows for r in room]


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


# ---- the program ----------------------------------------------------------------------------------


def numbers(text, separator):
    return [int(word) for word in text.split(separator)]


def read_arguments():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="render_cache.py")
    parser.add_argument("cache")
    parser.add_argument("--scene")
    parser.add_argument("--out")
    parser.add_argument("--frame", type=int)
    parser.add_argument("--strip", type=lambda text: numbers(text, ","))
    parser.add_argument("--size", type=lambda text: numbers(text, "x"), default=[1200, 675])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument(
        "--from", dest="toward", type=lambda text: [float(word) for word in text.split(",")],
        default=[0.25, 1, -0.12],
    )
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--contacts", type=lambda text: text.split(","))
    parser.add_argument("--hide", type=lambda text: text.split(","), default=[])
    parser.add_argument("--look", choices=["plain", "wind"], default="plain")
    parser.add_argument("--save")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args(words)


def main():
    wanted = read_arguments()
    folder = os.path.abspath(wanted.cache)
    empty_scene()
    bundle = wanted.scene
    if os.path.exists(os.path.join(folder, "bake.json")) or not os.path.exists(
        os.path.join(folder, "scene.json")
    ):
        shown = load(folder)
    else:
        bundle = bundle or folder
        shown = load_start(*read_bundle(folder))
    moved_to = os.path.dirname(os.path.abspath(wanted.save)) if wanted.save else tempfile.mkdtemp()
    colliders = load_colliders(bundle, moved_to) if bundle else []
    if wanted.check:
        if not isinstance(shown[0][1], Still):
            check(shown)
        check_colliders(colliders)
    if not wanted.out and not wanted.save:
        return

    scene = bpy.context.scene
    frame = wanted.frame
    if frame is None:
        frame = scene.frame_start if isinstance(shown[0][1], Still) else scene.frame_end
    frames = wanted.strip or [frame]
    things = [thing for thing, _ in shown] + [thing for thing, _, _ in colliders]
    for name in [*wanted.hide, *(wanted.contacts or [])]:
        if name not in [thing.name for thing in things]:
            raise SystemExit(f"render_cache: there is no object '{name}'")
    for thing in things:
        thing.hide_render = thing.name in wanted.hide
    points = frame_points([pair for pair in shown if not pair[0].hide_render], frames)
    if wanted.whole:
        points += [Vector(p) for _, _, places in colliders for p in places]
    low = Vector([min(p[k] for p in points) for k in range(3)])
    high = Vector([max(p[k] for p in points) for k in range(3)])
    centre, reach = 0.5 * (low + high), 0.5 * (high - low).length + 0.5
    floor = 0.0 if wanted.look == "wind" else low.z - 0.05 * reach
    if wanted.look == "wind":
        add_wind_props(shown, floor)
    dress(shown)
    for thing, _, _ in colliders:
        crop_plane(thing, low - Vector((reach,) * 3), high + Vector((reach,) * 3))
    dress_colliders(colliders)
    add_backdrop(floor, centre, reach)
    light(centre, reach)
    width, height = wanted.size
    part = width // len(frames)
    if wanted.contacts:
        rubbed, by = wanted.contacts
        thing, cache = next(pair for pair in shown if pair[0].name == rubbed)
        points = add_arrows(folder, thing, by, cache, frames)
    aim(points, Vector(wanted.toward), part / height, 0.85)
    prepare_render((part, height), wanted.samples)

    if wanted.save:
        scene.frame_set(scene.frame_start)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(wanted.save), relative_remap=True)
    if wanted.out and wanted.strip:
        render_strip(os.path.abspath(wanted.out), wanted.strip, wanted.size)
    elif wanted.out:
        render(os.path.abspath(wanted.out), frame)


main()
