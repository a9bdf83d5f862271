# SPDX-License-Identifier: GPL-3.0-or-later
"""A skirt on a body that an armature bends: the waist is pinned and follows the body, the rest hangs
and swings."""

import math

import bpy

from . import shapes

HEIGHT = 1.0
AROUND = 40


def body_radius(z):
    """A torso with a waist at half its height."""
    return 0.16 + 0.05 * math.cos(2 * math.pi * z / HEIGHT)


def armature(scene):
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    scene.collection.objects.link(rig)
    layer = scene.view_layers[0]
    layer.objects.active = rig
    with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=rig, object=rig):
        bpy.ops.object.mode_set(mode="EDIT")
        low = data.edit_bones.new("Hips")
        low.head, low.tail = (0, 0, 0), (0, 0, HEIGHT / 2)
        high = data.edit_bones.new("Chest")
        high.head, high.tail, high.parent = (0, 0, HEIGHT / 2), (0, 0, HEIGHT), low
        bpy.ops.object.mode_set(mode="OBJECT")
    hips = rig.pose.bones["Hips"]
    hips.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (15, 0.25), (35, -0.25), (50, 0.0)):
        hips.rotation_euler = (angle, 0, 0)
        hips.keyframe_insert("rotation_euler", frame=frame)
    return rig


def bind(ob, rig, weight_of_chest):
    for name, weight in (("Hips", lambda z: 1.0 - weight_of_chest(z)), ("Chest", weight_of_chest)):
        group = ob.vertex_groups.new(name=name)
        for vertex in ob.data.vertices:
            group.add([vertex.index], weight(vertex.co.z), "REPLACE")
    modifier = ob.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig


def of_chest(z):
    """The weight of the upper bone at a height."""
    return min(1.0, max(0.0, (z / HEIGHT - 0.4) / 0.2))


def add_body(scene, rig):
    heights = [HEIGHT * k / 40 for k in range(41)]
    radii = [body_radius(z) for z in heights]
    # Ends of several rings: a smooth surface has a sample a triangle, and wants them all about equal.
    inward = [0.12, 0.25, 0.37, 0.5, 0.62, 0.75, 0.87]
    radii = [radii[0] * f for f in inward] + radii + [radii[-1] * f for f in reversed(inward)]
    heights = [heights[0]] * len(inward) + heights + [heights[-1]] * len(inward)
    body = shapes.tube(scene, "Body", radii, heights, AROUND, closed=True, colour=(0.55, 0.4, 0.32))
    bind(body, rig, of_chest)
    shapes.simulate(body, "COLLIDER", "flesh")


def add_skirt(scene, rig, around=AROUND, down=14):
    """Quads around and down."""
    rows = [HEIGHT * 0.5 - 0.45 * k / down for k in range(down + 1)]
    skirt = shapes.tube(scene, "Skirt", [body_radius(z) + 0.012 + 0.12 * (rows[0] - z) for z in rows],
                        rows, around, colour=(0.08, 0.14, 0.4))
    skirt.data.flip_normals()
    bind(skirt, rig, of_chest)
    waist = skirt.vertex_groups.new(name="Waist")
    waist.add(range(around), 1.0, "REPLACE")
    skirt.modifiers.new("Subdivision", "SUBSURF")
    shapes.simulate(skirt, "CLOTH", "cotton")
    skirt.tribo.pin_group = "Waist"


def make(scene):
    rig = armature(scene)
    add_body(scene, rig)
    add_skirt(scene, rig)
    scene.tribo.samples = 2
    shapes.stage(scene, 50, (0, 0, 0.4), 2.6)
