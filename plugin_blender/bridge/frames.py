# SPDX-License-Identifier: GPL-3.0-or-later
"""Time and gravity of a scene as the simulation takes them."""

from collections import namedtuple

Frames = namedtuple("Frames", "start end fps")


def of_scene(scene):
    settings = scene.tribo
    fps = scene.render.fps / scene.render.fps_base
    if settings.use_scene_range:
        return Frames(scene.frame_start, scene.frame_end, fps)
    return Frames(settings.time.start, settings.time.end, fps)


def gravity(scene):
    """Blender's own, its numbers read as m/s^2."""
    return tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)
