# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios share: small scenes, and ways to measure what Blender shows."""

import json
import math
import os
import struct
import subprocess
from array import array

import bpy

WORK = os.environ.get("TRIBO_WORK", "")


def path(*parts):
    """A path in the folder of the scenario."""
    return os.path.join(WORK, *parts)


def addon(name):
    """A module of the add-on: addon("jobs")."""
    import importlib

    return importlib.import_module("tribo." + name)


def empty_scene(first=1, last=5):
    """Nothing in it; frames and time as small as a test wants them."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = first, last
    scene.frame_set(first)
    scene.tribo.time.substeps = 2
    scene.tribo.threads = 1  # tiny problems, many tests at once
    return scene


def mesh_object(name, points, faces, location=(0, 0, 0)):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.update()
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    ob.location = location
    return ob


def grid(name="Cloth", cells=6, size=1.0, location=(0, 0, 1)):
    """A square of quads, horizontal."""
    side = cells + 1
    step = size / cells
    points = [(i * step - size / 2, j * step - size / 2, 0) for j in range(side) for i in range(side)]
    faces = [(j * side + i, j * side + i + 1, (j + 1) * side + i + 1, (j + 1) * side + i)
             for j in range(cells) for i in range(cells)]
    return mesh_object(name, points, faces, location)


def box(name="Box", size=(1, 1, 1), location=(0, 0, 0)):
    x, y, z = (s / 2 for s in size)
    points = [(a, b, c) for c in (-z, z) for b in (-y, y) for a in (-x, x)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return mesh_object(name, points, faces, location)


def make(ob, kind, **settings):
    """Through the operator, as an artist would. settings: surface_mu=0.3 or pin_group="Group"."""
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    bpy.context.view_layer.objects.active = ob
    assert bpy.ops.tribo.add(kind=kind) == {"FINISHED"}
    for name, value in settings.items():
        owner, _, parameter = name.partition("__")
        if parameter:
            setattr(getattr(ob.tribo, owner), parameter, value)
        else:
            setattr(ob.tribo, name, value)
    return ob


def pin(ob, vertices, name="Pin", weight=1.0):
    """A vertex group, as pin group."""
    group = ob.vertex_groups.get(name) or ob.vertex_groups.new(name=name)
    group.add(list(vertices), weight, "REPLACE")
    ob.tribo.pin_group = name
    return group


def save(name="shot.blend"):
    bpy.ops.wm.save_as_mainfile(filepath=path(name))


def bake():
    assert bpy.ops.tribo.bake() == {"FINISHED"}
    return cache_folder()


def cache_folder():
    return addon("bridge.caches").playing(bpy.context.scene)


def error_of(operator, **arguments):
    """The message with which an operator refuses."""
    try:
        result = operator(**arguments)
    except RuntimeError as failure:
        return str(failure)
    raise AssertionError(f"no refusal: {result}")


def shown(ob, frame=None):
    """Points of the evaluated mesh in the world, flat."""
    scene = bpy.context.scene
    if frame is not None:
        scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = ob.evaluated_get(depsgraph)
    mesh = found.to_mesh()
    place = found.matrix_world
    out = [x for vertex in mesh.vertices for x in place @ vertex.co]
    found.to_mesh_clear()
    return out


def read_pc2(file):
    """[frames][numbers], as stored."""
    with open(file, "rb") as stream:
        _, _, count, _, _, frames = struct.unpack("<12siiffi", stream.read(32))
        out = []
        for _ in range(frames):
            values = array("f")
            values.frombytes(stream.read(12 * count))
            out.append(list(values))
    return out


def cached(folder, name):
    """World positions of an object in a bake, [frames][numbers]."""
    return read_pc2(os.path.join(folder, name + ".pc2"))


def farthest(a, b):
    """The largest difference of two lists of numbers."""
    assert len(a) == len(b), (len(a), len(b))
    worst = max((abs(x - y) for x, y in zip(a, b)), default=0.0)
    assert math.isfinite(worst)
    return worst


def same_files(folder, other, names):
    for name in names:
        with open(os.path.join(folder, name), "rb") as a, open(os.path.join(other, name), "rb") as b:
            assert a.read() == b.read(), f"{name} differs between {folder} and {other}"


def bake_json(folder):
    with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
        return json.load(file)


def tribo(*arguments, expect=0):
    """The command-line program."""
    done = subprocess.run([os.environ["TRIBO_CLI"], *arguments], capture_output=True, text=True)
    assert done.returncode == expect, (done.returncode, done.stdout, done.stderr)
    return done


def another_blender(*arguments, expect=0, timeout=60):
    """A second Blender, headless, with the same user folders."""
    line = [os.environ["TRIBO_BLENDER"], "-b", *arguments]
    done = subprocess.run(line, capture_output=True, text=True, timeout=timeout)
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    assert expect is None or done.returncode == expect, (done.returncode, output)
    return done


def close(a, b, tolerance, what=""):
    assert abs(a - b) <= tolerance, f"{what}: {a} is not {b} within {tolerance}"
