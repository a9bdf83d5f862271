# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes on a ramp of 20 degrees whose grip is painted: on one half of the map it is 1, on the
other 0.4. With friction 0.5 the first holds, because 0.5 > tan 20 = 0.364; the second slides,
because 0.2 < 0.364."""

import math
from array import array

import bpy

from . import shapes

ANGLE = math.radians(20.0)
PIXELS = 64


def grip_map():
    image = bpy.data.images.new("Ramp grip", PIXELS, PIXELS, float_buffer=True, is_data=True)
    pixels = array("f")
    for _ in range(PIXELS):
        for column in range(PIXELS):
            grip = 1.0 if column < PIXELS // 2 else 0.4
            pixels.extend((grip, grip, grip, 1.0))
    image.pixels.foreach_set(pixels)
    image.update()
    image.pack()
    return image


def make(scene):
    ramp = shapes.sheet(scene, "Ramp", 2.0, 8, smooth=False, colour=(0.5, 0.5, 0.55))
    ramp.rotation_euler = (ANGLE, 0, 0)
    shapes.simulate(ramp, "COLLIDER", "wood")
    ramp.tribo.surface.mu = 0.5
    ramp.tribo.friction_map = grip_map()
    for name, x, colour in (("Holds", -0.5, (0.1, 0.45, 0.2)), ("Slides", 0.5, (0.8, 0.3, 0.05))):
        block = shapes.box(scene, name, (0.3, 0.3, 0.12), colour=colour)
        above, along = 0.0601, 0.4
        block.location = (x, along * math.cos(ANGLE) - above * math.sin(ANGLE),
                          along * math.sin(ANGLE) + above * math.cos(ANGLE))
        block.rotation_euler = (ANGLE, 0, 0)
        shapes.simulate(block, "RIGID", "wood")
        block.tribo.surface.mu = 0.5
    shapes.stage(scene, 24, (0, 0, 0), 4.0)
