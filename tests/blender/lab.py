# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios share: small scenes, and ways to measure what Blender shows."""

import json
import math
import os
import shutil
import struct
import subprocess
import time
from array import array

import bpy

WORK = os.environ.get("TRIBO_WORK", "")
PACKAGE = os.environ.get("TRIBO_PACKAGE", "tribo")  # as an extension it has a longer name


def path(*parts):
    """A path in the folder of the scenario."""
    return os.path.join(WORK, *parts)


def addon(name):
    """A module of the add-on: addon("jobs")."""
    import importlib

    return importlib.import_module(f"{PACKAGE}.{name}")


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


def select(*obs):
    """These alone; the last one is active."""
    bpy.context.view_layer.update()  # objects that were removed are gone
    for other in bpy.context.view_layer.objects:
        other.select_set(other in obs)
    bpy.context.view_layer.objects.active = obs[-1]


def make(ob, kind, **settings):
    """Through the operator, as an artist would. settings: surface_mu=0.3 or pin_group="Group"."""
    select(ob)
    assert bpy.ops.tribo.add(kind=kind) == {"FINISHED"}
    for name, value in settings.items():
        owner, _, parameter = name.partition("__")
        if parameter:
            setattr(getattr(ob.tribo, owner), parameter, value)
        else:
            setattr(ob.tribo, name, value)
    return ob


IN_VACUUM = {"object__drag": 0.0, "cloth__damping_mass": 0.0}  # for make(): falls as the formula says


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


def bake_without_warnings(scene):
    jobs = addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE and not job.warnings, (job.message, job.warnings)
    return job.folder


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


def changes():
    """What the cache that plays says has changed."""
    return addon("stale").look(bpy.context.scene)


def begin_job(frame=None):
    """A bake under way, as the window has it between two ticks: reading the scene, or, with a frame,
    baking and that far."""
    job = addon("jobs").Job(bpy.context.scene, bpy.context.view_layer)
    while frame is not None and not (job.poll and (job.poll["frame"] or 0) >= frame):
        assert job.advance(), job.message
    return job


def finish_job(job):
    jobs = addon("jobs")
    jobs.run(job)
    assert job.state == jobs.DONE, (job.state, job.message)
    return cache_folder()


def hanging(cells=12, last=30):
    """A cloth on two corners: a bake that takes long enough to be disturbed."""
    scene = empty_scene(1, last)
    cloth = make(grid(cells=cells), "CLOTH")
    pin(cloth, [0, cells])
    return scene, cloth


def cloth_through_cloth():
    """A cloth that is held, and one that falls through the middle of it: with the accurate method cloth does not
    touch cloth."""
    scene = empty_scene(1, 10)
    scene.tribo.world.method = "forwarding"
    low = make(grid("Low", 6, 1.0, (0, 0, 0)), "CLOTH")
    pin(low, range(48))  # all but a corner
    high = make(grid("High", 3, 0.4, (0.1, 0, 0.3)), "CLOTH")
    high.rotation_euler = (0.9, 0.3, 0)
    return scene


def two_scenes(frames, second_frames):
    """A hanging cloth, and in a scene "Second" a flag; both scenes."""
    first, _ = hanging(8, frames)
    second = bpy.data.scenes.new("Second")
    second.frame_end, second.tribo.time.substeps, second.tribo.threads = second_frames, 2, 1
    flag = grid("Flag", 6)
    first.collection.objects.unlink(flag)
    second.collection.objects.link(flag)
    flag.tribo.kind = "CLOTH"
    save()
    return first, second


def wait_for(what, seconds=60):
    """Of a scenario in a window: yields until what() holds."""
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "waited in vain"
        yield 0.05


def resumes_to_the_bits(scene, folder, frames):
    """Resume makes a cache that a bake at one go makes, too."""
    status = addon("bridge.caches").status
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    assert status(scene) == "done"
    shutil.copytree(folder, path("resumed"))
    bake()
    same_files(folder, path("resumed"), ["Cloth.pc2", "Cloth.local.pc2"])
    assert len(cached(folder, "Cloth")) == frames


def fcurves(block):
    """Those of a data-block's action."""
    data = block.animation_data
    if hasattr(data, "action_slot"):  # from 4.4 on
        return data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    return data.action.fcurves


def key(owner, what, *moments):
    """Keyframes that go straight from one to the next: key(ob, "location", (1, (0, 0, 0)), ...)."""
    for frame, value in moments:
        setattr(owner, what, value)
        owner.keyframe_insert(what, frame=frame)
    curves = fcurves(owner.id_data)
    for curve in curves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return curves


def rig(name="Rig"):
    """An armature with one bone from the origin up."""
    data = bpy.data.armatures.new(name)
    ob = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    ob.pose.bones["Bone"].rotation_mode = "XYZ"
    return ob


def refused(*words):
    """Bake refuses, with all of these words in its message; nothing is left running."""
    message = error_of(bpy.ops.tribo.bake)
    for word in words:
        assert word in message, (word, message)
    assert not addon("jobs").running
    return message


def plays(ob, name=None, tolerance=1e-6, folder=None):
    """Blender shows what the cache holds at every frame of it."""
    folder = folder or cache_folder()
    held = cached(folder, name or ob.name)
    start = bake_json(folder)["start"]
    for sample, points in enumerate(held):
        worst = farthest(shown(ob, start + sample), points)
        assert worst < tolerance, (ob.name, start + sample, worst)
    return held


def script():
    """The farm script of the installed add-on."""
    return os.path.join(os.path.dirname(addon("library").__file__), "tribo_bake.py")


def made_zip():
    """The file that scripts/package-addon makes."""
    source = os.environ["TRIBO_SOURCE"]
    module = os.path.dirname(os.path.realpath(addon("library").tribo.__file__))
    if not os.path.isdir(os.path.join(module, "lib")):
        module = os.path.join(source, "build", "release", "plugin_blender")
    env = {key: value for key, value in os.environ.items() if key not in ("HOME", "PYTHONPATH")}
    made = subprocess.run(["/usr/bin/python3", os.path.join(source, "scripts", "package_addon.py"), module,
                           path("out")], capture_output=True, text=True, env=env)
    assert made.returncode == 0, made.stdout + made.stderr
    (name,) = os.listdir(path("out"))
    assert name.endswith(".zip"), name
    return path("out", name)
