# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy to Selected gives the other objects all settings of the active one and its friction pairs; vertex
groups by name, where they are; what they keep of their own is the thickness that nobody chose. Undo takes
it back."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 3)
    lab.make(lab.box("Rock", (1, 1, 0.4)), "COLLIDER")
    first = lab.make(lab.grid("First", 3, 0.6, (0, 0, 1)), "CLOTH", cloth__bend=3e-4, preset="denim")
    lab.pin(first, [0])
    first.tribo.material = ""
    first.tribo.object.drag = 0.75
    plain = lab.grid("Plain", 6, 0.6, (2, 0, 1))
    other = lab.make(lab.grid("Other", 3, 0.6, (4, 0, 1)), "CLOTH")
    other.vertex_groups.new(name="Pin").add([3], 1.0, "REPLACE")
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    scene.collection.objects.link(lamp)
    bpy.ops.tribo.pair_add(a="First", b="Rock", mu=0.11)
    bpy.ops.tribo.pair_add(a="Rock", b="Other", mu=0.9)
    bpy.ops.tribo.pair_add(a="First", b="First", mu=0.22)
    begun = first.tribo.surface.thickness
    bpy.ops.ed.undo_push(message="before")

    lab.select(plain, other, lamp, first)
    assert bpy.ops.tribo.copy_to_selected() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="copied")
    for ob in (plain, other):
        got = ob.tribo
        assert (got.kind, got.preset, got.object.drag) == ("CLOTH", "denim", 0.75), ob.name
        assert abs(got.cloth.bend - first.tribo.cloth.bend) < 1e-9
        assert "Tribo" in ob.modifiers
    assert plain.tribo.pin_group == "" and other.tribo.pin_group == "Pin"
    assert lamp.tribo.kind == "NONE"
    assert other.tribo.surface.thickness == begun
    pairs = {tuple(sorted((p.a, p.b))): round(p.friction.mu, 6) for p in scene.tribo.pairs}
    assert pairs == {("First", "Rock"): 0.11, ("Other", "Rock"): 0.11, ("Plain", "Rock"): 0.11,
                     ("First", "First"): 0.22, ("Plain", "Plain"): 0.22, ("Other", "Other"): 0.22}, pairs
    assert len(scene.tribo.pairs) == 6
    lab.save()
    lab.bake()

    first.tribo.surface.thickness = 0.0456  # chosen, so that it goes along
    lab.select(plain, first)
    bpy.ops.tribo.copy_to_selected()
    assert abs(plain.tribo.surface.thickness - 0.0456) < 1e-6
    bpy.ops.ed.undo_push(message="copied again")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert bpy.data.objects["Plain"].tribo.kind == "NONE"
    assert len(bpy.context.scene.tribo.pairs) == 3
