# SPDX-License-Identifier: GPL-3.0-or-later
"""A mirrored block (negative scale) carries a cloth as its twin does, which is mirrored by hand; and a
mirrored soft body falls as its twin does."""

import lab


def scene(mirror):
    lab.empty_scene(1, 6)
    block = lab.box("Block", (1.0, 1.1, 0.2), (0.1, 0, 0))
    block.scale = (-1, 1, 1) if mirror else (1, 1, 1)
    lab.make(block, "COLLIDER")
    cloth = lab.grid("Cloth", 4, 0.5, (0.1, 0, 0.13))
    lab.make(cloth, "CLOTH")
    soft = lab.box("Soft", (0.2, 0.2, 0.2), (0.1, 1, 0.5))
    soft.scale = (1, 1, -1) if mirror else (1, 1, 1)
    lab.make(soft, "SOLID", fill__fill_from="lattice", fill__cells=2)
    lab.save("mirror.blend" if mirror else "plain.blend")
    return lab.bake(), cloth, soft


def run():
    plain, _, _ = scene(False)
    straight = lab.cached(plain, "Cloth")
    mirrored, cloth, soft = scene(True)
    held = lab.cached(mirrored, "Cloth")
    assert lab.farthest(held[5], straight[5]) < 1e-4
    assert min(held[5][2::3]) > 0.09, "the cloth fell through"
    assert lab.farthest(lab.shown(cloth, 6), held[5]) < 1e-6
    falls = lab.cached(mirrored, "Soft")
    lab.close(sum(falls[5][2::3]) / 8, sum(lab.cached(plain, "Soft")[5][2::3]) / 8, 1e-6, "height")
    assert lab.farthest(lab.shown(soft, 6), falls[5]) < 1e-6
