# SPDX-License-Identifier: GPL-3.0-or-later
"""A structure map that was not combed yet bakes as none; one stroke on it counts, and makes a bake stale,
as the next one does."""

import bpy
import lab
import paint_lab


def run():
    lab.empty_scene()
    lab.make(lab.grid("Sheet", 4, 0.4, (0, 0, 0.6)), "CLOTH")
    lab.make(lab.box(), "COLLIDER")
    assert bpy.ops.tribo.new_structure_map(size="256") == {"FINISHED"}
    assert not structured()
    lab.bake()
    assert paint_lab.stroke([(-0.3, 0, 0.5), (0.3, 0, 0.5)], radius=0.1) == {"FINISHED"}
    assert structured()
    assert lab.changes() == ["Box: its maps changed"], lab.changes()
    lab.bake()
    assert lab.changes() == [], lab.changes()
    assert paint_lab.stroke([(0, -0.3, 0.5), (0, 0.3, 0.5)], radius=0.1) == {"FINISHED"}
    assert lab.changes() == ["Box: its maps changed"], lab.changes()
    assert bpy.ops.tribo.comb_fill(along="NONE") == {"FINISHED"}
    assert not structured()


def structured():
    """Whether the core is given a structure, as in a bake."""
    scene = lab.addon("jobs").read_scene(bpy.context.scene, bpy.context.view_layer)
    scene.check()
    names = [o.name for o in bpy.context.view_layer.objects if o.tribo.kind != "NONE"]
    return any(scene.paint(i)["structure"] for i in range(len(names)))
