# SPDX-License-Identifier: GPL-3.0-or-later
"""A vertex, a location or a weight that is not a number: refused with the object's name, in Bake, in
Export and in live mode."""

import bpy
import lab

NAN = float("nan")


def run():
    scene = lab.empty_scene(1, 3)
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    block = lab.make(lab.box("Block", (0.5, 0.5, 0.5)), "COLLIDER")
    cloth.data.vertices[4].co.y = NAN
    message = lab.refused("Cloth", "4")
    assert message.split("Error: ")[-1].strip() in lab.error_of(bpy.ops.tribo.export_farm,
                                                               directory=lab.path("farm"))
    cloth.data.vertices[4].co.y = 0
    block.data.vertices[2].co.x = float("inf")
    lab.refused("Block", "2")
    scene.frame_set(1)
    assert "Block" in lab.addon("live").messages["Scene"]
    block.data.vertices[2].co.x = -0.25
    block.location.x = NAN
    lab.refused("Block")
    block.location.x = 0
    block.shape_key_add(name="Basis")
    broken = block.shape_key_add(name="Broken")
    broken.data[1].co.z = NAN
    lab.key(broken, "value", (1, 0.0), (2, 0.0), (3, 1.0))
    lab.refused("Block")
    assert scene.frame_current == 1
    block.shape_key_clear()
    lab.bake()
    scene.frame_set(1)
