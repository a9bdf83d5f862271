# SPDX-License-Identifier: GPL-3.0-or-later
"""A new cloth has a thickness: 2 mm, less in a fine mesh, in metres whatever the unit scale. It goes when the
object becomes something else; one that the artist chose stays. A cloth whose rim lies exactly on the edges
of a block, the dearest place there is, rests on it by that thickness."""

import bpy
import lab


def thickness(ob):
    return lab.addon("logic.table").tidy(ob.tribo.surface.thickness)


def run():
    scene = lab.empty_scene(1, 20)
    block = lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 1.0, (0, 0, 0.21)), "CLOTH")
    assert thickness(cloth) == 0.002 and thickness(block) == 0.0
    lab.save()
    lab.bake()
    held = lab.plays(cloth)
    lab.close(min(held[-1][2::3]), 0.202, 2e-4, "it lies a thickness above the block")
    # another kind, and back, by the menu of the panel
    cloth.tribo.kind = "RIGID"
    assert thickness(cloth) == 0.0
    cloth.tribo.kind = "CLOTH"
    assert thickness(cloth) == 0.002
    cloth.tribo.surface.thickness = 0.0
    cloth.tribo.kind = "COLLIDER"
    cloth.tribo.kind = "CLOTH"
    assert thickness(cloth) == 0.0, "what was chosen stays"
    block.tribo.surface.thickness = 0.002
    block.tribo.kind = "RIGID"
    assert thickness(block) == 0.002, "what was chosen stays"
    scene.unit_settings.scale_length = 0.01
    fine = lab.make(lab.grid("Fine", 8, 8.0), "CLOTH")
    assert thickness(fine) == 0.001, thickness(fine)
