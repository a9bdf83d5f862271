# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction of a pair holds for the objects that it names, also with names that files cannot hold; a pair
that names nothing is told of or refused by name, never taken for another."""

import bpy
import lab


def slide(mu):
    """How far a cloth slides down a ramp."""
    scene = lab.empty_scene(1, 12)
    ramp = lab.box("Ramp/1", (4, 2, 0.2))
    ramp.rotation_euler.y = 0.4
    lab.make(ramp, "COLLIDER")
    cloth = lab.grid("Cloth:1", 3, 0.4, (0.05, 0, 0.12))
    cloth.rotation_euler.y = 0.4
    lab.make(cloth, "CLOTH")
    scene.tribo.pairs.clear()
    if mu is not None:
        bpy.ops.tribo.pair_add(a="Ramp/1", b="Cloth:1", mu=mu)
    lab.save()
    folder = lab.bake()
    held = lab.cached(folder, lab.addon("logic.names").legal("Cloth:1"))
    return max(held[11][0::3]) - max(held[1][0::3])


def run():
    ice, glue = slide(0.0), slide(2.0)
    assert ice > 0.2 and glue < 0.02, (ice, glue)
    scene = bpy.context.scene
    scene.tribo.pairs[0].a = "Nobody"
    try:
        bpy.ops.tribo.bake()
    except RuntimeError as refusal:
        assert "Nobody" in str(refusal), refusal
    scene.tribo.pairs[0].a = ""
    lab.bake()
