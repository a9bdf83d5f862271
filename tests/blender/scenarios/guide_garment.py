# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of "Garment" in docs/blender.md, one by one: a body on an armature sways, a skirt is pinned at
its waist and hangs over the hips; then a second skirt over the first, with the fast method. Nothing goes
into the body, and no layer into the other. scripts/screenshots takes the guide's picture of it."""

import math

import bpy
import lab
from mathutils import Vector
from mathutils.bvhtree import BVHTree

SECONDS = 280
LAST = 24
AROUND = 32


def width(z):
    """Of the body: hips below, a waist at half its height, shoulders."""
    return 0.15 + 0.045 * math.cos(2 * math.pi * z)


def body(scene, shapes):
    """A closed mesh of even quads: what an artist brings along."""
    inward = [0.12, 0.3, 0.5, 0.7, 0.87]
    heights = [k / 30 for k in range(31)]
    radii = [width(0) * f for f in inward] + [width(z) for z in heights]
    radii += [width(1) * f for f in reversed(inward)]
    return shapes.tube(scene, "Body", radii, [0.0] * len(inward) + heights + [1.0] * len(inward), AROUND,
                       closed=True, colour=(0.55, 0.4, 0.32))


def skirt(scene, shapes, name, off, colour):
    """From the waist down, `off` metres away from the body at the waist and more below."""
    rows = [0.52 - 0.42 * k / 14 for k in range(15)]
    radii = [max(width(z), width(0.5)) + off + 0.15 * (rows[0] - z) for z in rows]
    made = shapes.tube(scene, name, radii, rows, AROUND, colour=colour)
    made.data.flip_normals()  # rows go down: the front is outside now
    return made


def rig():
    """Hips and chest; the hips sway to both sides."""
    bpy.ops.object.armature_add(enter_editmode=True)
    made = bpy.context.object
    bone = made.data.edit_bones[0]
    bone.name, bone.tail = "Hips", (0, 0, 0.5)
    bpy.ops.armature.select_all(action="DESELECT")
    bone.select_tail = True
    bpy.ops.armature.extrude_move(TRANSFORM_OT_translate={"value": (0, 0, 0.5)})
    made.data.edit_bones[1].name = "Chest"
    bpy.ops.object.mode_set(mode="OBJECT")
    hips = made.pose.bones["Hips"]
    hips.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (9, 0.22), (20, -0.22)):
        hips.rotation_euler = (0.4 * angle, 0, angle)
        hips.keyframe_insert("rotation_euler", frame=frame)
    return made


def dress(worn, skin, bones):
    """The armature and the weights of the body, and pins at the waist, the first ring."""
    lab.select(worn, skin)
    assert bpy.ops.object.data_transfer(
        data_type="VGROUP_WEIGHTS", vert_mapping="POLYINTERP_NEAREST", layers_select_src="ALL",
        layers_select_dst="NAME") == {"FINISHED"}
    worn.modifiers.new("Armature", "ARMATURE").object = bones
    lab.make(worn, "CLOTH")
    lab.pin(worn, range(AROUND), "Waist")


def make():
    """What the guide says, in its order; (scene, body, armature, skirt)."""
    scene = lab.empty_scene(1, LAST)
    scene.tribo.time.substeps = 4
    shapes = lab.addon("examples.shapes")
    skin, bones = body(scene, shapes), rig()
    lab.select(skin, bones)
    assert bpy.ops.object.parent_set(type="ARMATURE_AUTO") == {"FINISHED"}
    # 1
    lab.make(skin, "COLLIDER", preset="flesh")
    # 2 and 3
    worn = skirt(scene, shapes, "Skirt", 0.008, (0.08, 0.14, 0.4))
    dress(worn, skin, bones)
    assert [modifier.name for modifier in worn.modifiers] == ["Armature", "Tribo"]
    scene.tribo.samples = 2
    return scene, skin, bones, worn


def deepest(ob, around, frames):
    """How far a vertex of an object is behind the surface of another, at most over the frames; metres. Rims
    do not count: past them is no inside."""
    worst = 0.0
    for frame in frames:
        points, held = lab.shown(ob, frame), lab.shown(around)
        corners = [Vector(held[i:i + 3]) for i in range(0, len(held), 3)]
        polygons = [tuple(p.vertices) for p in around.data.polygons]
        edges = {}
        for polygon in polygons:
            for pair in zip(polygon, polygon[1:] + polygon[:1]):
                key = frozenset(pair)
                edges[key] = edges.get(key, 0) + 1
        rim = {v for pair, count in edges.items() if count == 1 for v in pair}
        tree = BVHTree.FromPolygons(corners, polygons)
        for i in range(0, len(points), 3):
            point = Vector(points[i:i + 3])
            foot, normal, polygon, distance = tree.find_nearest(point)
            if not rim.intersection(polygons[polygon]) and (point - foot).dot(normal) < 0:
                worst = max(worst, distance)
    return worst


def run():
    scene, skin, bones, worn = make()
    lab.save()
    baked = lab.cached(lab.bake_without_warnings(scene), "Skirt")
    frames = range(1, LAST + 1, 3)
    into = deepest(worn, skin, frames)
    worn.modifiers["Tribo"].show_viewport = False
    led = lab.shown(worn, 20)
    worn.modifiers["Tribo"].show_viewport = True
    waist, hem = 3 * AROUND, -3 * AROUND
    followed = lab.farthest(led[:waist], baked[19][:waist])
    swung = lab.farthest(led[hem:], baked[19][hem:])
    print(f"into the body {1000 * into:.2f} mm, waist off {followed:.1e} m, hem swings {1000 * swung:.0f} mm")
    assert into < 1e-3 and followed < 1e-5 and swung > 0.01
    # 4: a second one over it
    over = skirt(scene, lab.addon("examples.shapes"), "Over", 0.018, (0.5, 0.1, 0.1))
    dress(over, skin, bones)
    scene.tribo.world.method = "projective"
    scene.tribo.time.substeps = 8
    scene.frame_set(1)
    lab.bake_without_warnings(scene)
    found = [deepest(*pair, frames) for pair in ((worn, skin), (over, skin), (over, worn))]
    print("two of them", [f"{1000 * depth:.2f} mm" for depth in found])
    assert max(found) < 1e-3, found
    swung = lab.farthest(lab.shown(over, LAST)[hem:], lab.shown(over, 1)[hem:])
    assert 0.02 < swung < 0.3, swung
