# SPDX-License-Identifier: GPL-3.0-or-later
"""A file saved by a newer version, with kinds, methods and values that this one does not know: what is
unknown is refused by name or survives saving untouched; nothing is taken for something else."""

import bpy
import lab


def stored(owner):
    """What the file has of our properties."""
    return owner.bl_system_properties_get() if hasattr(owner, "bl_system_properties_get") else owner


def run():
    scene = lab.empty_scene(1, 3)
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    block = lab.make(lab.box("Block", (0.4, 0.4, 0.4)), "COLLIDER")
    stored(block)["tribo"]["kind"] = 99
    stored(block)["tribo"]["magnetism"] = 3.5
    stored(cloth)["tribo"]["cloth"]["viscosity_of_tomorrow"] = [1.0, 2.0]
    lab.save()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    cloth, block = bpy.data.objects["Cloth"], bpy.data.objects["Block"]
    assert stored(block)["tribo"]["magnetism"] == 3.5
    assert list(stored(cloth)["tribo"]["cloth"]["viscosity_of_tomorrow"]) == [1.0, 2.0]
    lab.refused("Block", "newer version")
    scene.frame_set(1)
    assert "Block" in lab.addon("live").messages["Scene"]
    lab.changes()
    block.tribo.kind = "COLLIDER"
    stored(scene)["tribo"]["world"]["method"] = 77
    lab.refused("Scene Quality > Method", "Accurate (forwarding), No Contact")
    scene.tribo.world.method = "forwarding"
    stored(cloth)["tribo"]["cloth"]["stretch"] = -5.0
    lab.refused("Cloth", "Material > Stretch", "-5")
    cloth.tribo.preset = "cotton"
    lab.bake()
    lab.plays(cloth)
    assert stored(block)["tribo"]["magnetism"] == 3.5
