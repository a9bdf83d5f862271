# SPDX-License-Identifier: GPL-3.0-or-later
"""A half shirt with Mirror above Tribo and Subdivision below: the whole shirt is simulated, pins count on
both halves, and what is shown is the subdivided whole."""

import lab


def run():
    lab.empty_scene(1, 6)
    half = lab.grid("Shirt", 4, 1.0, (0, 0, 1))
    for vertex in half.data.vertices:
        vertex.co.x += 0.5
    mirror = half.modifiers.new("Mirror", "MIRROR")
    mirror.use_mirror_merge, mirror.merge_threshold = True, 1e-4
    finish = half.modifiers.new("Subdivision", "SUBSURF")
    finish.levels, finish.render_levels = 1, 3
    lab.make(half, "CLOTH")
    assert [m.name for m in half.modifiers] == ["Mirror", "Tribo", "Subdivision"]
    lab.pin(half, [24])  # one corner, far from the middle
    lab.save()
    held = lab.cached(lab.bake(), "Shirt")
    assert len(held[0]) == 3 * 45
    points = [held[5][i : i + 3] for i in range(0, 135, 3)]
    still = [p for p in points if abs(p[2] - 1) < 1e-6]
    assert sorted(round(p[0], 4) for p in still) == [-1.0, 1.0], still
    left = sorted((round(-p[0], 3), round(p[1], 3), round(p[2], 3)) for p in points if p[0] < -0.01)
    right = sorted((round(p[0], 3), round(p[1], 3), round(p[2], 3)) for p in points if p[0] > 0.01)
    assert len(left) == len(right) == 20
    assert max(abs(a - b) for p, q in zip(left, right) for a, b in zip(p, q)) < 5e-3, "not alike"
    assert len(lab.shown(half, 6)) > 3 * 45
    finish.show_viewport = False
    lab.plays(half)
