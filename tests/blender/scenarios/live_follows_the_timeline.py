# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a bake, playing simulates: the frames are those of a bake; scrubbing back shows what is
there; a jump simulates nothing; a changed setting drops it; the artist's mesh is never touched."""

import bpy
import lab


def make_scene():
    """A collider that moves and widens below a cloth that is held and moved by one corner."""
    scene = lab.empty_scene(1, 8)
    block = lab.make(lab.box("Block", (2.0, 2.0, 0.4)), "COLLIDER")
    block.keyframe_insert("location", frame=1)
    block.location = (0.1, 0, 0.03)
    block.keyframe_insert("location", frame=8)
    block.shape_key_add(name="Basis")
    wide = block.shape_key_add(name="Wide")
    for point in wide.data:
        point.co.x *= 1.2
    wide.keyframe_insert("value", frame=1)
    wide.value = 1.0
    wide.keyframe_insert("value", frame=8)
    cloth = lab.make(lab.grid(cells=5, size=0.8, location=(0, 0, 0.25)), "CLOTH")
    lab.pin(cloth, [0])
    cloth.keyframe_insert("location", frame=1)
    cloth.location.y = 0.1
    cloth.keyframe_insert("location", frame=8)
    return scene, cloth


def run():
    scene, cloth = make_scene()
    rest = [tuple(v.co) for v in cloth.data.vertices]
    live = lab.addon("live")

    scene.frame_set(1)
    assert live.frames_of(scene) == (1, 1), live.messages
    seen = {1: lab.shown(cloth)}
    for frame in range(2, 9):
        scene.frame_set(frame)
        assert live.frames_of(scene) == (1, frame), live.messages
        seen[frame] = lab.shown(cloth)
    for frame in (3, 7, 1, 5):
        assert lab.farthest(lab.shown(cloth, frame), seen[frame]) < 1e-6, frame
    assert live.frames_of(scene) == (1, 8)
    assert rest == [tuple(v.co) for v in cloth.data.vertices]

    scene.frame_set(4)
    cloth.tribo.cloth.bend = 1e-3
    bpy.context.view_layer.update()
    scene.frame_set(5)
    assert live.frames_of(scene) is None
    scene.frame_set(1)
    scene.frame_set(2)
    scene.frame_set(6)  # a jump
    assert live.frames_of(scene) == (1, 2)
    cloth.tribo.preset = "denim"
    cloth.tribo.preset = "cotton"

    lab.save()
    folder = lab.bake()
    assert live.frames_of(scene) is None
    held = lab.cached(folder, "Cloth")
    for frame in range(1, 9):
        worst = lab.farthest(held[frame - 1], seen[frame])
        assert worst < 1e-5, (frame, worst)
    scene.frame_set(1)
    assert live.frames_of(scene) is None  # the bake plays
    bpy.ops.tribo.free()
    scene.frame_set(1)
    scene.frame_set(2)
    assert live.frames_of(scene) == (1, 2)
    lab.save()
    assert "tribo_live" in cloth.modifiers["Tribo"].filepath
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert not live.running
    assert "tribo_live" not in bpy.data.objects["Cloth"].modifiers["Tribo"].filepath
