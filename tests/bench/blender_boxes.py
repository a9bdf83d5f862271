# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes the boxes of boxes_in_bin.py with Blender's rigid bodies (Bullet): the same boxes, bin, frames
and steps a frame.

    blender -b --factory-startup --python-exit-code 1 -P tests/bench/blender_boxes.py -- FOLDER

FOLDER holds scene.json. Writes bullet.json beside it: processor seconds of the frames, setting up left
out, and where every box is in the last two.
"""

import json
import os
import sys
import time

import bpy
import mathutils


def read_obj(path):
    points, faces = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words and words[0] == "f":
                faces.append([int(word) - 1 for word in words[1:]])
    return points, faces


def add(definition, mesh, scene):
    thing = bpy.data.objects.new(definition["name"], mesh)
    scene.collection.objects.link(thing)
    if "transform" in definition:
        rows = definition["transform"]
        thing.matrix_world = mathutils.Matrix([rows[4 * i:4 * i + 4] for i in range(4)])
    scene.rigidbody_world.collection.objects.link(thing)
    body = thing.rigid_body
    body.type = "ACTIVE" if definition["kind"] == "rigid" else "PASSIVE"
    body.collision_shape = "BOX" if definition["kind"] == "rigid" else "MESH"
    body.mass = 0.5
    body.friction = 0.5 ** 0.5  # Bullet multiplies those of both
    body.use_margin = True
    body.collision_margin = 0
    return thing


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        told = json.load(file)
    scene = bpy.context.scene
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.rigidbody.world_add()
    world, meshes, boxes = scene.rigidbody_world, {}, []
    world.collection = bpy.data.collections.new("bodies")
    world.substeps_per_frame = told["time"]["substeps"]
    scene.render.fps = told["time"]["fps"]
    world.point_cache.frame_end = scene.frame_end = told["time"]["end"]
    for definition in told["objects"]:
        path = os.path.join(folder, definition["mesh"])
        if path not in meshes:
            meshes[path] = bpy.data.meshes.new(definition["mesh"])
            points, faces = read_obj(path)
            meshes[path].from_pydata(points, [], faces)
        thing = add(definition, meshes[path], scene)
        if definition["kind"] == "rigid":
            boxes.append(thing)
    scene.frame_set(1)
    begin, places = time.process_time(), []
    for frame in range(2, scene.frame_end + 1):
        scene.frame_set(frame)
        if frame > scene.frame_end - 2:
            places.append([tuple(box.matrix_world.translation) for box in boxes])
    seconds = time.process_time() - begin
    with open(os.path.join(folder, "bullet.json"), "w", encoding="utf-8") as out:
        json.dump({"seconds": seconds, "last_two": list(zip(*places))}, out)


main()
