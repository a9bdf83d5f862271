# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloth that starts 2 or 15 cm inside a block is pushed out on its side, lands on the block, and the bake
warns with object, vertex and depth; whether the block is touched as a box, as its mesh or as a smooth
surface, and by either method."""

import math

import bpy
import lab


def starts_inside(contact, depth, method):
    """Bakes it; the cloth, and the warnings."""
    scene = lab.empty_scene(1, 16)
    scene.tribo.world.method = method
    block = lab.box("Block", (1, 1, 0.4))
    if contact == "mls":
        cut = block.modifiers.new("Cut", "SUBSURF")
        cut.subdivision_type, cut.levels = "SIMPLE", 4
    lab.make(block, "COLLIDER", surface__contact=contact)
    cloth = lab.make(lab.grid("Cloth", 6, 0.6, (0, 0, 0.2 - depth)), "CLOTH", surface__thickness=0.0)
    lab.save()
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    return cloth, job.warnings


def run():
    for contact in "box", "mesh", "mls":
        for depth in 0.02, 0.15:
            for method in "forwarding", "projective":
                case = (contact, depth, method)
                cloth, warnings = starts_inside(contact, depth, method)
                found = [w for w in warnings if "'Cloth': vertex " in w and "inside the surface of 'Block'" in w]
                assert len(found) == 1, (case, warnings)
                if contact != "mls":
                    assert f"starts {depth:.3g} m inside" in found[0], (case, found)
                held = lab.plays(cloth)
                for points in held:
                    assert all(map(math.isfinite, points)), case
                    assert max(map(abs, points)) < 1.0, (case, max(map(abs, points)))
                assert min(held[15][2::3]) > 0.199, (case, min(held[15][2::3]))
    cloth, warnings = starts_inside("mesh", -0.05, "forwarding")
    assert warnings == [], warnings
