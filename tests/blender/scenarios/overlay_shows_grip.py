# SPDX-License-Identifier: GPL-3.0-or-later
"""The grip overlay: black is blue, white has no colour, more than 1 is red; channel and scale count."""

from array import array

import bpy
import lab
import paint_lab
import picture_lab

WINDOW = True


def run():
    yield 0.5
    lab.empty_scene()
    ob = lab.make(paint_lab.sheet(), "COLLIDER")
    image = bpy.data.images.new("grip", 64, 64, float_buffer=True, is_data=True)
    ob.tribo.friction_map = image
    settings = bpy.context.scene.tribo_overlay
    settings.grip, settings.opacity = True, 1.0
    draw = lab.addon("ui.overlay_draw")
    matrix = picture_lab.from_above((1, 0.5), 2.0)

    def show(*pixel):
        image.pixels.foreach_set(array("f", pixel) * 4096)
        image.update()
        return picture_lab.patch(picture_lab.take(matrix), 0.1, 0.3, 0.9, 0.7)

    for pixel, wanted in (((0, 0, 0, 1), draw.ICE), ((2, 2, 2, 1), draw.ROUGH)):
        colour, count = picture_lab.mean_colour(show(*pixel))
        assert count > 10000, count
        for a, b in zip(colour, wanted):
            lab.close(a, b, 0.02, f"grip {pixel[0]}")
    assert max(p[3] for row in show(1, 1, 1, 1) for p in row) < 4, "1 has no colour"
    half = show(0.5, 0.5, 0.5, 1)
    alphas = [p[3] for row in half for p in row if p[3]]
    lab.close(sum(alphas) / len(alphas) / 255, 0.5, 0.02, "half the way to ice is half as strong")
    ob.tribo.maps.friction_channel, ob.tribo.maps.friction_scale = "g", 2.0
    assert max(p[3] for row in show(9, 0.5, 9, 1) for p in row) < 4, "green times two is 1"
    yield 0.1
