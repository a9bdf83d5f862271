# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what Blender shows with the cache and with the motion of colliders."""

import array

import bpy
from mathutils import Matrix, Vector

from render.objects import sample_at


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
            if thing.hide_viewport:  # and not evaluated
                continue
            evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
            for vertex, told in zip(evaluated.data.vertices, told_points(entry, points, frame)):
                worst = max(worst, (evaluated.matrix_world @ vertex.co - told).length)
                compared += 1
        for modifier in thing.modifiers:
            modifier.show_viewport = True
    print(f"check: {compared} places of moving colliders: largest difference {worst:g} m")
    if worst > 1e-5:
        raise SystemExit("render_cache: Blender does not move a collider as the scene does")
