# SPDX-License-Identifier: GPL-3.0-or-later
"""Shape keys of a cloth shape its rest once, move its pins as they are animated, and are never applied to
the result; muted and relative ones count as Blender shows them."""

import lab


def run():
    scene = lab.empty_scene(1, 5)
    cloth = lab.grid("Cloth", 4)
    cloth.shape_key_add(name="Basis")
    lift, slide = cloth.shape_key_add(name="Lift"), cloth.shape_key_add(name="Slide")
    silent = cloth.shape_key_add(name="Silent")
    for i in range(25):
        lift.data[i].co.z += 0.5
        slide.data[i].co.x += 1.0
        silent.data[i].co.y += 9.0
    lift.value, silent.value, silent.mute = 0.5, 1.0, True
    lab.key(slide, "value", (1, 0.0), (5, 0.4))
    lab.make(cloth, "CLOTH")
    lab.pin(cloth, range(5))
    shown = lab.shown(cloth, 1)
    lab.save()
    lab.bake()
    held = lab.plays(cloth)
    assert lab.farthest(held[0], shown) < 1e-6
    lab.close(held[0][2], 1.25, 1e-6, "half of Lift")
    for sample in range(5):
        lab.close(held[sample][0], -0.5 + 0.1 * sample, 1e-6, "the pin follows Slide")
    assert held[4][3 * 24 + 2] < 1.25 - 0.05, "the free rim falls"
    assert lab.changes() == []
    scene.frame_set(2)
    slide.data[0].co.x += 0.1
    assert lab.changes() == ["Cloth: its mesh changed"], lab.changes()
