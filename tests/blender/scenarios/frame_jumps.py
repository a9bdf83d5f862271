# SPDX-License-Identifier: GPL-3.0-or-later
"""Any jump on the timeline shows the baked frame; before the first and after the last stands the nearest
one; half-way between two frames lies half-way between."""

import random

import lab


def run():
    scene = lab.empty_scene(5, 14)
    cloth = lab.make(lab.grid("Cloth", 4), "CLOTH")
    lab.pin(cloth, [0, 4])
    lab.save()
    held = lab.cached(lab.bake(), "Cloth")
    jumps = random.Random(1).choices(range(5, 15), k=25)
    for frame in jumps:
        assert lab.farthest(lab.shown(cloth, frame), held[frame - 5]) < 1e-6, frame
    for frame, sample in ((-100, 0), (4, 0), (15, 9), (1000, 9)):
        assert lab.farthest(lab.shown(cloth, frame), held[sample]) < 1e-6, frame
    scene.frame_set(8, subframe=0.5)
    half = [(a + b) / 2 for a, b in zip(held[3], held[4])]
    assert lab.farthest(lab.shown(cloth), half) < 1e-6
    assert lab.farthest(held[3], held[4]) > 1e-4
