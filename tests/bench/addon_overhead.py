# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on costs beside the bare core, and Blender's own cloth on the same meshes; for
tests/bench/addon_overhead.

    blender -b --factory-startup --python-exit-code 1 -P addon_overhead.py -- MODE BUNDLE FRAMES TRIBO WORK

MODE overhead: bakes BUNDLE's meshes through the add-on and, exported, with the program TRIBO, in turn,
one thread each, and compares medians of processor time. MODE body: the same for the add-on's garment with
10,240 vertices on an animated body; BUNDLE is not read. MODE ramp: how far the cloth creeps down in the
second half of the frames, in Tribo and in Blender's own cloth, with the friction of the bundle.
"""

import json
import os
import statistics
import struct
import subprocess
import sys
import time

import addon_utils
import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_cloth  # noqa: E402

RUNS = 3


def read_scene(folder):
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        return json.load(file)


def build(folder, frames):
    """The bundle's cloth and colliders in Blender, and their settings in Tribo."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("tribo", default_set=True)
    given, world = read_scene(folder), bpy.context.scene
    world.render.fps = round(given["time"]["fps"])
    world.tribo.time.substeps = given["time"].get("substeps", 1)
    world.tribo.threads = 1
    world.frame_start, world.frame_end = 1, frames + 1
    names = {definition["name"] for definition in given["objects"]}
    things = {}
    for definition in given["objects"]:
        thing = blender_cloth.add_mesh(folder, definition)
        thing.tribo.kind = definition["kind"].upper()
        thing.tribo.surface.thickness = definition.get("surface", {}).get("thickness", 0.0)
        for name, value in definition.get("elastic", {}).items():
            if name in ("density", "stretch", "shear", "bend"):
                setattr(thing.tribo.cloth, name, value)
        things[definition["kind"]] = thing
    pair = world.tribo.pairs.add()
    pair.a, pair.b = things["cloth"].name, things["collider"].name
    pair.friction.mu = blender_cloth.friction_of(given, names)
    return things["cloth"], things["collider"], pair.friction.mu


def clock():
    """Seconds of processor time of this process and of those it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def timed(action):
    before, began = clock(), time.perf_counter()
    action()
    return clock() - before, time.perf_counter() - began


def bake():
    assert bpy.ops.tribo.bake() == {"FINISHED"}


def read_pc2(path):
    with open(path, "rb") as file:
        _, _, count, _, _, frames = struct.unpack("<12siiffi", file.read(32))
        return [struct.unpack(f"<{3 * count}f", file.read(12 * count)) for _ in range(frames)]


def build_body(frames):
    """The skirt of the example on a body that an armature bends, of 10,240 vertices."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("tribo", default_set=True)
    from tribo.examples import garment

    scene = bpy.context.scene
    rig = garment.armature(scene)
    garment.add_body(scene, rig)
    garment.add_skirt(scene, rig, 160, 63)
    scene.tribo.samples, scene.tribo.threads = 2, 1
    scene.frame_start, scene.frame_end = 1, frames + 1


def overhead(folder, frames, tribo, work):
    build(folder, frames)
    compare(os.path.basename(folder), "cloth", tribo, work)


def body(_folder, frames, tribo, work):
    build_body(frames)
    compare("garment of 10,240 vertices", "Skirt", tribo, work)


def compare(title, cloth, tribo, work):
    """The add-on's bake beside the program's of what it exports."""
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(work, "bench.blend"))
    bundle, cache = os.path.join(work, "bundle"), os.path.join(work, "cache")
    bpy.ops.tribo.export_farm(directory=bundle)

    def program():
        subprocess.run([tribo, "bake", bundle + "/scene.json", "--out", cache, "--overwrite", "--threads", "1",
                        "--keep-states", "--progress", "none"], check=True, stdin=subprocess.DEVNULL)

    ours, bare = [], []
    for _ in range(RUNS):
        ours.append(timed(bake))
        bare.append(timed(program))
    from tribo.bridge import caches

    mine = os.path.join(caches.playing(bpy.context.scene), cloth + ".pc2")
    with open(mine, "rb") as a, open(os.path.join(cache, cloth + ".pc2"), "rb") as b:
        assert a.read() == b.read(), "the two bakes differ"
    add_on, core = (statistics.median(cpu for cpu, _ in runs) for runs in (ours, bare))
    walls = [statistics.median(wall for _, wall in runs) for runs in (ours, bare)]
    print(f"overhead {title}: add-on {add_on:.2f} s, program {core:.2f} s of processor time, "
          f"{100 * (add_on / core - 1):+.1f}%; by the wall clock {walls[0]:.2f} s and {walls[1]:.2f} s; same bits")


def creep(first, last):
    """Millimetres that the mean of x, the downhill axis, went."""
    mean = lambda points: sum(points[0::3]) / (len(points) // 3)
    return 1000 * (mean(last) - mean(first))


def ramp(folder, frames, _tribo, work):
    cloth, plane, mu = build(folder, frames)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(work, "ramp.blend"))
    _, seconds = timed(bake)
    from tribo.bridge import caches

    held = read_pc2(os.path.join(caches.playing(bpy.context.scene), "cloth.pc2"))
    ours = creep(held[frames // 2], held[-1])
    cloth.modifiers.remove(cloth.modifiers["Tribo"])
    cloth.tribo.kind = plane.tribo.kind = "NONE"
    definition = next(d for d in read_scene(folder)["objects"] if d["kind"] == "cloth")
    blender_cloth.make_cloth(cloth, definition, mu, frames + 1)
    blender_cloth.make_collider(plane, mu)
    scene, places, began = bpy.context.scene, {}, time.perf_counter()
    for frame in range(1, frames + 2):
        scene.frame_set(frame)
        if frame in (frames // 2 + 1, frames + 1):
            places[frame] = [x for v in blender_cloth.shown(cloth) for x in v.co]
    theirs = creep(places[frames // 2 + 1], places[frames + 1])
    print(f"ramp mu {mu:.4g}: Tribo creeps {ours:.4f} mm in {seconds / frames:.4f} s a frame, Blender's cloth "
          f"{theirs:.4f} mm in {(time.perf_counter() - began) / frames:.4f} s a frame")


def main():
    mode, folder, frames, tribo, work = sys.argv[sys.argv.index("--") + 1:]
    {"overhead": overhead, "body": body, "ramp": ramp}[mode](os.path.abspath(folder), int(frames), tribo, work)


main()
