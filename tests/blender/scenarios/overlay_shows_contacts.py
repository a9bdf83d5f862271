# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes on a ramp: what sticks is green, what slips is orange, and the arrows of friction point up
the ramp. From a bake, and live."""

import math

import bpy
import lab
import picture_lab
from paint_lab import TILT, two_boxes_on_a_ramp

WINDOW = True
SECONDS = 180


def check():
    """Green on the left, orange on the right; arrows reach up the ramp (towards +y) from the contacts."""
    draw = lab.addon("ui.overlay_draw")
    picture = picture_lab.take(picture_lab.from_above((0, 0), 2.0))
    for part, wanted in (((0, 0, 0.5, 1), draw.STICKS), ((0.5, 0, 1, 1), draw.SLIPS)):
        seen = picture_lab.patch(picture, *part)
        colour, count = picture_lab.mean_colour(seen)
        print(f"{count} pixels of {colour}")
        assert count > 60, count
        for a, b in zip(colour, wanted):
            lab.close(a, b, 0.03, "colour")
    left = picture_lab.patch(picture, 0, 0, 0.5, 1)
    rows = [y for y, row in enumerate(left) for pixel in row if pixel[3] > 250]
    top = (max(rows) / picture_lab.SIZE - 0.5) * 2  # metres along y
    low = (min(rows) / picture_lab.SIZE - 0.5) * 2
    corner = 0.15 * math.cos(TILT)
    print(f"marks from y = {low:.3f} to {top:.3f}; the box from {-corner:.3f} to {corner:.3f}")
    lab.close(low, -corner, 0.04, "the lowest contact")
    assert corner + 0.08 < top < corner + 0.35, top


def run():
    yield 0.5
    scene = two_boxes_on_a_ramp()
    settings = scene.tribo_overlay
    settings.contacts, settings.arrows = True, 0.3
    scene.tribo.contacts = True
    lab.save()
    assert bpy.ops.tribo.bake() == {"FINISHED"}
    scene.frame_set(3)
    yield 0.1
    check()
    data = lab.addon("ui.overlay_data")
    found = data.contacts(scene)
    told = lab.addon("library").tribo.Cache(lab.cache_folder()).contacts(3)
    assert found[3] == told.count and found[4] == sum(told.state), (found, told.count)
    before = found[0]
    assert data.contacts(scene)[0] is before, "made once"
    assert bpy.ops.tribo.free() == {"FINISHED"}
    scene.frame_set(1)
    for frame in (2, 3):
        scene.frame_set(frame)
        yield 0.1
    if scene.name in lab.addon("live").running:
        check()
    else:
        print("live:", lab.addon("live").messages)
        raise AssertionError("live mode does not run")
    scene.frame_set(2)
    picture_lab.take(picture_lab.from_above((0, 0), 2.0))
    assert "the last one played" in str(data.messages), data.messages
