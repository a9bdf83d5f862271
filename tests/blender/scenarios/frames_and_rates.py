# SPDX-License-Identifier: GPL-3.0-or-later
"""First frames that are negative or large, ranges of one frame and none, a frame rate with a base, and a
range of Tribo's own: samples stand at their frames, and a fall takes the time that it takes."""

import lab


def fall(first, last, fps, base):
    scene = lab.empty_scene(first, last)
    scene.render.fps, scene.render.fps_base = fps, base
    cloth = lab.make(lab.grid("Cloth", 2), "CLOTH", **lab.IN_VACUUM)
    scene.frame_set(first + 1)
    lab.bake()
    assert scene.frame_current == first + 1
    held = lab.plays(cloth)
    assert len(held) == last - first + 1, len(held)
    seconds = (last - first) * base / fps
    if seconds > 0:
        lab.close(held[0][2] - held[-1][2], 9.81 / 2 * seconds**2, 9.81 / 2 * seconds**2 * 0.2,
                  f"fall in {seconds} s")
    return held


def run():
    lab.save()
    ntsc = fall(1, 10, 30, 1.001)
    plain = fall(1, 10, 30, 1.0)
    lab.close((ntsc[9][2] - ntsc[0][2]) / (plain[9][2] - plain[0][2]), 1.001**2, 1e-4, "fps_base")
    assert fall(1001, 1010, 30, 1.0) == plain
    scene = lab.empty_scene()
    scene.tribo.use_scene_range = False  # the scene's own cannot be negative unless Blender is asked to
    scene.tribo.time.start, scene.tribo.time.end = -4, 5
    scene.render.fps, scene.render.fps_base = 30, 1.0
    cloth = lab.make(lab.grid("Cloth", 2), "CLOTH", **lab.IN_VACUUM)
    lab.bake()
    assert lab.plays(cloth) == plain
    scene.tribo.time.end = -4
    lab.bake()
    assert len(lab.plays(cloth)) == 1
    scene.tribo.time.end = -5
    lab.refused("-5", "-4")
