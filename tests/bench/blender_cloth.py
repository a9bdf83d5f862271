# SPDX-License-Identifier: GPL-3.0-or-later
"""Times Blender's own cloth on the meshes of a Tribo scene: the same cloth and colliders, the same
length of a frame, the same number of frames.

    blender -b --factory-startup --python-exit-code 1 -P tests/bench/blender_cloth.py -- BUNDLE FRAMES

BUNDLE is a folder that make_scene wrote. Prints one line, "NAME TRIANGLES SECONDS_A_FRAME". Quality
and collision quality are Blender's defaults; mass, stiffness and friction come from the scene as far
as Blender has words for them. That is for the time alone: its friction is not Coulomb's.
"""

import json
import os
import sys
import time

import bpy


def read_obj(path):
    points, faces = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words and words[0] == "f":
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return points, faces


def friction_of(scene, names):
    """The coefficient of a pair of these objects, or the default."""
    friction = scene.get("friction", {})
    for pair in friction.get("pairs", []):
        if {pair["a"], pair["b"]} <= names:
            return pair["mu"]
    return friction.get("default", {}).get("mu", 0.5)


def add_mesh(folder, definition):
    points, faces = read_obj(os.path.join(folder, definition["mesh"]))
    mesh = bpy.data.meshes.new(definition["name"])
    mesh.from_pydata(points, [], faces)
    mesh.update()
    thing = bpy.data.objects.new(definition["name"], mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def make_cloth(thing, definition, mu, frames):
    elastic = definition.get("elastic", {})
    area = sum(polygon.area for polygon in thing.data.polygons)
    modifier = thing.modifiers.new("cloth", "CLOTH")
    settings = modifier.settings
    settings.mass = elastic.get("density", 0.2) * area / len(thing.data.vertices)
    settings.tension_stiffness = settings.compression_stiffness = elastic.get("stretch", 1000)
    settings.shear_stiffness = elastic.get("shear", 300)
    modifier.collision_settings.use_self_collision = False
    modifier.collision_settings.friction = mu
    modifier.point_cache.frame_start = 1
    modifier.point_cache.frame_end = frames


def make_collider(thing, mu):
    thing.modifiers.new("collision", "COLLISION")
    thing.collision.cloth_friction = mu


def main():
    folder, frames = sys.argv[sys.argv.index("--") + 1 :]
    frames = int(frames)
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        scene = json.load(file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.context.scene
    steps = scene["time"].get("fps", 24) * scene["time"].get("substeps", 4)
    world.render.fps = round(steps)
    world.render.fps_base = world.render.fps / steps
    world.gravity = scene.get("gravity", [0, 0, -9.81])
    world.frame_start, world.frame_end = 1, frames + 1

    mu = friction_of(scene, {definition["name"] for definition in scene["objects"]})
    cloths = []
    for definition in scene["objects"]:
        thing = add_mesh(folder, definition)
        if definition["kind"] == "cloth":
            make_cloth(thing, definition, mu, frames + 1)
            cloths.append(thing)
        elif definition["kind"] == "collider":
            make_collider(thing, mu)
        else:
            raise SystemExit(f"blender_cloth: '{definition['name']}' is not a cloth or a collider")
    world.frame_set(1)
    before = [tuple(vertex.co) for vertex in shown(cloths[0])]
    began = time.perf_counter()
    for frame in range(2, frames + 2):
        world.frame_set(frame)
    seconds = time.perf_counter() - began
    if [tuple(vertex.co) for vertex in shown(cloths[0])] == before:
        raise SystemExit("blender_cloth: the cloth did not move: nothing was simulated")
    triangles = sum(len(polygon.vertices) - 2 for thing in cloths for polygon in thing.data.polygons)
    print(f"{os.path.basename(os.path.normpath(folder))} {triangles} {seconds / frames:.5f}")


def shown(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices


if __name__ == "__main__":
    main()
