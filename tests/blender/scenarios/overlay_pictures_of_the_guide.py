# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of contacts in docs/painting.md: one box holds, one slides."""

import bpy
import lab
import paint_lab
import picture_lab

WINDOW = True
SECONDS = 180


def run():
    yield 1.0
    scene = paint_lab.two_boxes_on_a_ramp()
    scene.tribo.contacts = True
    lab.save()
    assert bpy.ops.tribo.bake() == {"FINISHED"}
    settings = scene.tribo_overlay
    settings.contacts = True
    settings.arrows = 0.4
    scene.frame_set(4)
    area = picture_lab.show()
    area.spaces.active.shading.show_xray = True
    yield 3.0
    picture_lab.screenshot(area, "contacts.png")
    image = bpy.data.images.load(lab.path("contacts.png"))
    pixels = paint_lab.image_pixels(image)
    green = sum(1 for r, g, b in zip(pixels[0::4], pixels[1::4], pixels[2::4]) if g > 0.6 and r < 0.3 and b < 0.5)
    orange = sum(1 for r, g, b in zip(pixels[0::4], pixels[1::4], pixels[2::4]) if r > 0.9 and 0.3 < g < 0.6 and b < 0.2)
    print(f"{green} green pixels, {orange} orange ones")
    assert green > 200 and orange > 100, (green, orange)
