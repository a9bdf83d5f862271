# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of a cache or a bundle as Blender objects that move."""

import array
import json
import math
import os

import bmesh
import bpy
from mathutils import Matrix, Vector

from render.read import PointCache, Still, read_bundle, read_msh, read_obj, write_pc2


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
    data = shown.animation_data
    if hasattr(data, "action_slot"):  # from Blender 4.4 on
        curves = data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    else:
        curves = data.action.fcurves
    for curve in curves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def key_presence(shown, ranges):
    """Shown from the first frame of a range on, and no longer at the second."""
    moments = [(frame, i == 0) for frames in ranges for i, frame in enumerate(frames)]
    for frame, there in [(moments[0][0] - 1, False)] + moments if moments else [(0, False)]:
        for path in ("hide_viewport", "hide_render"):
            setattr(shown, path, not there)
            shown.keyframe_insert(path, frame=frame)


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
    if "present" in entry:
        key_presence(shown, entry["present"])
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
