# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of "Soft tissue on an animated body" in docs/blender.md, one by one: a body on an armature hops;
its back goes where the bones take it, to the bit that a file holds, and its belly swings behind by
centimetres and comes to rest. scripts/screenshots takes the guide's picture of it."""

import math

import bpy
import lab

SECONDS = 180
LAST = 48
HOP = ((1, 0.0), (7, -0.06), (14, 0.2), (21, -0.04), (26, 0.0))


def torso():
    """A closed mesh with a belly to its front, which is -y: what an artist brings along."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=16, radius=1)
    body = bpy.context.object
    body.name = "Body"
    for vertex in body.data.vertices:
        x, y, z = vertex.co
        belly = 0.09 * math.exp(-((z + 0.3) / 0.35) ** 2) * max(0.0, -y)
        vertex.co = 0.18 * x * (1 + 0.12 * z), 0.12 * y - belly, 0.34 * z
    body.data.polygons.foreach_set("use_smooth", [True] * len(body.data.polygons))
    return body


def rig():
    """Two bones along the back; the whole hops and the chest leans."""
    bpy.ops.object.armature_add(enter_editmode=True, location=(0, 0.04, -0.32))
    rig = bpy.context.object
    hips = rig.data.edit_bones[0]
    hips.name, hips.tail = "Hips", (0, 0, 0.3)
    bpy.ops.armature.select_all(action="DESELECT")
    hips.select_tail = True
    bpy.ops.armature.extrude_move(TRANSFORM_OT_translate={"value": (0, 0, 0.3)})
    rig.data.edit_bones[1].name = "Chest"
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.name = "Rig"
    for frame, z in HOP:
        rig.location.z = z - 0.32
        rig.keyframe_insert("location", frame=frame)
    chest = rig.pose.bones["Chest"]
    chest.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (14, -0.15), (26, 0.0)):
        chest.rotation_euler.x = angle
        chest.keyframe_insert("rotation_euler", frame=frame)
    return rig


def group(body, name, weight):
    """A vertex group; weight: of a vertex's place."""
    made = body.vertex_groups.new(name=name)
    for vertex in body.data.vertices:
        made.add([vertex.index], min(1.0, max(0.0, weight(*vertex.co))), "REPLACE")
    return made


def make():
    """What the guide says, in its order."""
    scene = lab.empty_scene(1, LAST)
    scene.tribo.time.substeps = 4
    body, bones = torso(), rig()
    lab.select(body, bones)
    assert bpy.ops.object.parent_set(type="ARMATURE_AUTO") == {"FINISHED"}
    # 1
    lab.make(body, "SOLID")
    assert body.tribo.preset == "flesh"
    assert [modifier.name for modifier in body.modifiers] == ["Armature", "Tribo"]
    # 2
    group(body, "Held", lambda x, y, z: 1.0 if y > 0 or z > 0.08 or z < -0.3 else 0.0)
    body.tribo.pin_group = "Held"
    # 3
    assert body.tribo.fill.fill_from == "auto"
    # 4
    group(body, "Firm", lambda x, y, z: 0.5 + 3 * z)
    body.tribo.stiffness_group = "Firm"
    body.tribo.stiffness_low = 0.4
    # 5
    scene.tribo.samples = 2
    body.modifiers.new("Subdivision", "SUBSURF")
    assert [modifier.name for modifier in body.modifiers] == ["Armature", "Tribo", "Subdivision"]
    return scene, body


def behind(body, folder):
    """How far the held vertices and the others are, at most, from where the armature alone would have them:
    two numbers a frame, in metres."""
    weights = lab.addon("bridge.shapes").weights(body, body.data, "Held")
    baked = lab.cached(folder, body.name)
    for modifier in body.modifiers:
        modifier.show_viewport = modifier.type == "ARMATURE"
    out = []
    for k, points in enumerate(baked):
        led = lab.shown(body, 1 + k)
        off = [math.dist(points[i:i + 3], led[i:i + 3]) for i in range(0, len(points), 3)]
        out.append([max(d for d, w in zip(off, weights) if w == wanted) for wanted in (1, 0)])
    for modifier in body.modifiers:
        modifier.show_viewport = True
    return out


def run():
    scene, body = make()
    lab.save()
    off = behind(body, lab.bake_without_warnings(scene))
    print("held", max(held for held, _ in off), "belly", [round(1000 * d, 1) for _, d in off])
    assert max(held for held, _ in off) < 1e-6, "pins"
    swing, rest = max(d for _, d in off), [d for _, d in off[-8:]]
    assert 0.02 < swing < 0.08, swing
    assert max(rest) - min(rest) < 5e-4 and max(rest) < swing / 2, "it comes to rest, a little lower"
    # and with pins that give
    body.tribo.pin.stiffness = 500.0
    off = behind(body, lab.bake_without_warnings(scene))
    print("soft pins", [round(1000 * d, 1) for d, _ in off])
    assert 0.001 < max(d for d, _ in off) < 0.08, off
