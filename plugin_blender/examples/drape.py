# SPDX-License-Identifier: GPL-3.0-or-later
"""A cotton cloth falls on a wooden ball."""

from . import shapes


def make(scene):
    ball = shapes.ball(scene, "Ball", 0.3, colour=(0.45, 0.25, 0.1))
    ball.location = (0, 0, 0.3)
    shapes.simulate(ball, "COLLIDER", "wood")
    floor = shapes.sheet(scene, "Floor", 3.0, 1, colour=(0.35, 0.35, 0.38))
    shapes.simulate(floor, "COLLIDER", "wood")
    cloth = shapes.sheet(scene, "Cloth", 1.2, 32, colour=(0.75, 0.1, 0.07))
    cloth.location = (0, 0, 0.66)
    cloth.modifiers.new("Subdivision", "SUBSURF")
    shapes.simulate(cloth, "CLOTH", "cotton")
    shapes.stage(scene, 60, (0, 0, 0.3), 2.4)
