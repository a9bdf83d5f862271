# SPDX-License-Identifier: GPL-3.0-or-later
"""Twin pucks on a ramp of brushed metal. Half of it is combed in waves: friction is 0.1 along them and
1.2 across, and the puck there rides them like rails. The other half is as it came: friction 0.6 is more
than tan 24 = 0.445, and that puck stays. Beside the ramp, silk falls over a ball."""

import math
from array import array

import bpy

from . import shapes

ANGLE = math.radians(24.0)
SIZE = 2.0
PIXELS = 256
WAVE = math.radians(42.0)
FOOT = -0.5 * SIZE * math.sin(ANGLE)  # the lowest height of the ramp


def comb(v):
    """Degrees from straight down at a height of the map: a wave."""
    return WAVE * math.sin(2 * math.pi * (0.86 - v) / 0.62)


def structure_map():
    image = bpy.data.images.new("Ramp structure", PIXELS, PIXELS, float_buffer=True, is_data=True)
    pixels = array("f")
    for row in range(PIXELS):
        angle = comb((row + 0.5) / PIXELS)
        combed = (0.5 + 0.5 * math.sin(angle), 0.5 + 0.5 * math.cos(angle), 0.0, 1.0)
        for column in range(PIXELS):
            pixels.extend(combed if column >= PIXELS // 2 else (0.5, 0.5, 0.0, 1.0))
    image.pixels.foreach_set(pixels)
    image.update()
    image.pack()
    return image


def on_ramp(x, along, above):
    """A place in the world from one on the ramp."""
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    return x, along * c - above * s, along * s + above * c - FOOT + 0.02


def puck(scene, name, x, colour):
    radius, half, edge = 0.13, 0.035, 0.012
    radii = [radius - edge, radius, radius, radius - edge]
    heights = [-half, -half + edge, half - edge, half]
    ob = shapes.tube(scene, name, radii, heights, 48, closed=True, smooth=False, colour=colour)
    ob.location = on_ramp(x, 0.36 * SIZE, half + 1e-4)
    ob.rotation_euler = (ANGLE, 0, 0)
    return shapes.simulate(ob, "RIGID", "wood")


def make(scene):
    ramp = shapes.sheet(scene, "Ramp", SIZE, 1, smooth=False, colour=(0.6, 0.6, 0.63))
    ramp.location, ramp.rotation_euler = on_ramp(0, 0, 0), (ANGLE, 0, 0)
    shapes.simulate(ramp, "COLLIDER", "steel")
    ramp.tribo.structure_map = structure_map()
    for name, x, colour in (("Stays", -0.5, (0.02, 0.28, 0.33)), ("Rides", 0.36, (0.8, 0.12, 0.03))):
        puck(scene, name, x, colour)
        pair = scene.tribo.pairs.add()
        pair.a, pair.b = "Ramp", name
        pair.friction.mu, pair.friction.mu_along, pair.friction.mu_across = 0.6, 0.1, 1.2
    ball = shapes.ball(scene, "Ball", 0.26, 24, 36, colour=(0.5, 0.3, 0.14))
    ball.location = (-0.62, -1.55, 0.26)
    shapes.simulate(ball, "COLLIDER", "wood")
    floor = shapes.sheet(scene, "Floor", 12.0, 1, colour=(0.55, 0.55, 0.56))
    shapes.simulate(floor, "COLLIDER", "wood")
    silk = shapes.sheet(scene, "Silk", 1.0, 40, colour=(0.75, 0.42, 0.05))
    silk.location, silk.rotation_euler = (-0.62, -1.55, 0.54), (0, 0, 0.5)
    silk.modifiers.new("Subdivision", "SUBSURF")
    shapes.simulate(silk, "CLOTH", "silk")
    shapes.stage(scene, 44, (0, -0.4, 0.4), 4.2)
