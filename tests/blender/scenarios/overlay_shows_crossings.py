# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces that an edge passes through are red, of both objects, where they are at that frame; no others are."""

import bpy
import lab
import picture_lab

WINDOW = True


def run():
    yield 0.5
    scene = lab.cloth_through_cloth()
    scene.tribo_overlay.crossings = True
    lab.save()
    assert bpy.ops.tribo.bake() == {"FINISHED"}
    worst = lab.addon("bridge.caches").verdict(scene)["worst"]
    scene.frame_set(worst)
    yield 0.1
    data = lab.addon("ui.overlay_data")
    batches, count, pairs = data.pierced(scene, bpy.context.view_layer)
    assert len(batches) == 2 and count >= 2 and pairs, (len(batches), count, pairs)
    matrix = picture_lab.from_above((0, 0), 1.6)
    picture = picture_lab.take(matrix)
    colour, pixels = picture_lab.mean_colour(picture)
    print(f"{count} faces, {pixels} pixels of {colour}")
    assert pixels > 100 and colour[0] > 0.6 and colour[1] < 0.2 and colour[2] < 0.2, (pixels, colour)
    x, y, _ = pairs[0]["place"]
    column, row = (int(picture_lab.SIZE * (0.5 + at / 1.6)) for at in (x, y))
    near = [p for line in picture[row - 12:row + 12] for p in line[column - 12:column + 12] if p[3] > 250]
    assert near, "red where they cross"
    corner = picture_lab.patch(picture, 0, 0, 0.25, 0.25)
    assert not any(pixel[3] for line in corner for pixel in line), "nothing crosses there"
    assert f"pierced faces: {count}" in str(lab.addon("ui.overlay_legend").crossing_lines(bpy.context))
    scene.frame_set(1)
    yield 0.1
    assert data.pierced(scene, bpy.context.view_layer)[1] == 0
    assert picture_lab.mean_colour(picture_lab.take(matrix))[1] == 0
