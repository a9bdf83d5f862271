# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene in centimetres falls as one in metres does, and Blender shows the cache in its own units."""

import lab


def run():
    fallen = {}
    for scale in (1.0, 0.01):
        scene = lab.empty_scene(1, 6)
        scene.unit_settings.scale_length = scale
        cloth = lab.make(lab.grid("Cloth", 3, 1 / scale, (0, 0, 1 / scale)), "CLOTH")
        block = lab.make(lab.box("Block", (2 / scale, 2 / scale, 0.1 / scale), (0, 0, 0.94 / scale)),
                         "COLLIDER")
        lab.save(f"unit{scale}.blend")
        folder = lab.bake()
        held = lab.cached(folder, "Cloth")
        for frame in range(1, 7):
            seen = [x * scale for x in lab.shown(cloth, frame)]
            assert lab.farthest(seen, held[frame - 1]) < 1e-6, (scale, frame)
        fallen[scale] = held[5]
        assert held[5][2] < 1.0 and min(held[5][2::3]) > 0.985, min(held[5][2::3])
        assert block.tribo.kind == "COLLIDER"
    assert lab.farthest(fallen[1.0], fallen[0.01]) < 1e-5
