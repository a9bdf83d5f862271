# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames 1 to 250, as Blender begins, and playback that drops frames: the space bar at the first frame
simulates without leaving one out; what is changed while it plays is seen from the start; where it cannot
go on, it says what to do. window_live_by_space has the sync mode that plays every frame."""

import bpy
import hand
import lab

WINDOW = True
SECONDS = 280


def space():
    yield from hand.key("SPACE", hand.middle(hand.region("VIEW_3D")))


def run():
    scene = lab.empty_scene(1, 250)
    lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=6, size=0.8, location=(0, 0, 0.5)), "CLOTH")
    bpy.ops.ed.undo_push(message="made")
    live = lab.addon("live")

    def last():
        return (live.frames_of(scene) or (1, 0))[1]

    def file_frames():
        return len(lab.read_pc2(cloth.modifiers["Tribo"].filepath))

    scene.sync_mode = "FRAME_DROP"
    live.forget()  # as where the file was just opened at its first frame
    yield from space()
    yield from hand.wait_for(lambda: last() > 3 or live.messages)
    yield from space()
    assert live.frames_of(scene)[0] == 1 and not live.messages, live.messages
    assert file_frames() == last()
    assert scene.frame_current <= last(), (scene.frame_current, last())
    scene.sync_mode = "NONE"

    # beyond what is there: nothing is made up, and it says where to go
    scene.frame_set(100)
    before = last()
    yield from space()
    yield from hand.wait_for(lambda: scene.frame_current > 101)
    assert last() == before and f"frame {before}" in live.hint(scene), live.hint(scene)
    assert live._told, "the status bar says nothing"
    yield from hand.picture("live_away")
    yield from space()
    yield from hand.wait_for(lambda: not live._told)
    live.forget()
    scene.frame_set(100)
    assert "from frame 1 on" in live.hint(scene)

    # a change while it plays
    scene.frame_set(1)
    live.forget()
    yield from space()
    yield from hand.wait_for(lambda: last() > 5)
    cloth.tribo.cloth.density = 2.0
    yield from hand.wait_for(lambda: 0 < last() < 5)
    yield from hand.wait_for(lambda: last() > 3)
    yield from space()
    assert not live.messages and file_frames() == last()
