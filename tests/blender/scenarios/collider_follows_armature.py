# SPDX-License-Identifier: GPL-3.0-or-later
"""What the core gets of a collider is what Blender shows, to 1e-5 m: moved by an armature, with a
modifier before and one after it, on an object that is scaled."""

import json
import os

import bpy
import lab


def bend(ob):
    """A bone that turns the upper half."""
    rig = lab.rig()
    rig.location = (0.2, 0, 0)
    group = ob.vertex_groups.new(name="Bone")
    group.add([v.index for v in ob.data.vertices if v.co.z > 0], 1.0, "REPLACE")
    pose = rig.pose.bones["Bone"]
    for frame, angle in ((1, 0.0), (3, 0.4), (5, -0.3)):
        pose.rotation_euler = (angle, angle / 2, 0)
        pose.keyframe_insert("rotation_euler", frame=frame)
    modifier = ob.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig


def bundle_points(folder, name):
    """[samples][numbers] of a collider in the bundle."""
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        about = json.load(file)
    found = next(o for o in about["objects"] if o["name"] == name)
    if "animation" in found:
        return lab.read_pc2(os.path.join(folder, found["animation"]))
    return [[x for point in sample for x in point] for sample in found["points"]]


def compare(body, label):
    assert bpy.ops.tribo.export_farm(directory=lab.path(label)) == {"FINISHED"}
    samples = bundle_points(lab.path(label), "Body")
    assert len(samples) == 9, len(samples)
    scene = bpy.context.scene
    moved = 0.0
    for i, sample in enumerate(samples):
        scene.frame_set(1 + i // 2, subframe=(i % 2) / 2)
        seen = lab.shown(body)
        assert lab.farthest(sample, seen) < 1e-5, (label, i)
        moved = max(moved, lab.farthest(sample, samples[0]))
    assert moved > 0.05, moved


def run():
    scene = lab.empty_scene(1, 5)
    scene.tribo.samples = 2
    body = lab.box("Body", (0.4, 0.5, 0.6))
    body.scale = (1.0, 2.0, 0.5)
    bend(body)
    lab.make(body, "COLLIDER")
    lab.make(lab.grid(cells=2, location=(0, 0, 1)), "CLOTH")
    compare(body, "plain")
    first = body.modifiers.new("First", "SUBSURF")
    first.levels = 1
    with bpy.context.temp_override(object=body):
        bpy.ops.object.modifier_move_to_index(modifier="First", index=0)
    body.modifiers.new("Last", "SIMPLE_DEFORM").angle = 0.3
    compare(body, "with_modifiers")
    body.hide_set(True)
    assert bpy.ops.tribo.export_farm(directory=lab.path("hidden")) == {"FINISHED"}
    assert bundle_points(lab.path("hidden"), "Body") == bundle_points(lab.path("with_modifiers"), "Body")
    assert body.hide_get()
