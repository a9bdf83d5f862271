# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a bake, the space bar simulates as the timeline plays; another press stops it, and what was
played can be seen again."""

import bpy
import hand
import lab

WINDOW = True
SECONDS = 280


def run():
    scene = lab.empty_scene(1, 250)  # Blender's own range; a short one would wrap to the first frame
    lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=6, size=0.8, location=(0, 0, 0.5)), "CLOTH")
    rest = lab.shown(cloth)
    bpy.ops.ed.undo_push(message="made")
    live = lab.addon("live")
    live.forget()  # as in a file that was just opened
    yield from hand.key("SPACE", hand.middle(hand.region("VIEW_3D")))
    yield from hand.wait_for(lambda: (live.frames_of(scene) or (1, 1))[1] > 5 or live.messages)
    yield from hand.key("SPACE")
    assert not bpy.context.screen.is_animation_playing
    first, last = live.frames_of(scene)
    assert first == 1 and last > 5 and not live.messages, live.messages
    assert lab.farthest(lab.shown(cloth, last), rest) > 0.01, "it did not fall"
    assert lab.farthest(lab.shown(cloth, 1), rest) < 1e-6
    yield from hand.picture("live")
