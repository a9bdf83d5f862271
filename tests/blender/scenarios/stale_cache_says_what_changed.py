# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache whose inputs changed says which object and what; one whose did not is silent, on any
frame."""

import bpy
import lab


def changes():
    return lab.changes()


def expect(text):
    lines = changes()
    assert lines == [text], (lines, text)


def change_settings(scene):
    scene.tribo.time.substeps = 3
    expect("The scene's quality changed")
    scene.tribo.time.substeps = 2
    scene.tribo.friction.mu = 0.7
    expect("The scene's friction changed")
    scene.tribo.friction.mu = 0.5
    scene.gravity.z = -1
    expect("The scene's gravity changed")
    scene.gravity.z = -9.81


def run():
    scene = lab.empty_scene(1, 3)
    block = lab.make(lab.box("Block", (0.6, 0.6, 0.4)), "COLLIDER")
    block.keyframe_insert("location", frame=1)
    block.location.z = 0.05
    block.keyframe_insert("location", frame=3)
    cloth = lab.make(lab.grid(cells=4, location=(0, 0, 0.5)), "CLOTH")
    lab.pin(cloth, [0, 1])
    lab.save()
    lab.bake()
    for frame in (1, 2, 3):
        scene.frame_set(frame)
        assert changes() == [], changes()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    cloth, block = bpy.data.objects["Cloth"], bpy.data.objects["Block"]
    scene.tribo.cache_at, scene.tribo.cache_beside  # saved before the bake: nothing plays
    assert changes() == []
    lab.bake()

    cloth.tribo.cloth.bend = 1e-3
    expect("Cloth: its material changed")
    cloth.tribo.preset = "cotton"
    cloth.tribo.surface.mu = 0.9
    expect("Cloth: its surface changed")
    cloth.tribo.preset = "cotton"
    assert changes() == []
    cloth.location.x = 0.1
    expect("Cloth: its transform changed")
    cloth.location.x = 0.0
    cloth.data.vertices[3].co.z = 0.01
    expect("Cloth: its mesh changed")
    cloth.data.vertices[3].co.z = 0.0
    cloth.vertex_groups["Pin"].add([2], 1.0, "REPLACE")
    expect("Cloth: its vertex groups changed")
    cloth.vertex_groups["Pin"].remove([2])
    lab.fcurves(block)[2].keyframe_points[1].co.y = 0.06
    expect("Block: its animation changed")
    lab.fcurves(block)[2].keyframe_points[1].co.y = 0.05
    twist = block.modifiers.new("Twist", "SIMPLE_DEFORM")
    expect("Block: its modifiers changed")
    block.modifiers.remove(twist)
    below = cloth.modifiers.new("Below", "SUBSURF")  # below Tribo: no input
    assert changes() == []
    cloth.modifiers.remove(below)
    change_settings(scene)
    block.name = "Rock"
    expect("Block is called Rock now")
    block.name = "Block"
    lab.make(lab.box("Other", location=(9, 9, 9)), "COLLIDER")
    expect("Other was added")
    bpy.data.objects.remove(bpy.data.objects["Other"])
    bpy.data.objects.remove(block)
    expect("Block was removed")
