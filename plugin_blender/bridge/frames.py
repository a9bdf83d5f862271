# SPDX-License-Identifier: GPL-3.0-or-later
"""Time and gravity of a scene as the simulation takes them."""

from collections import namedtuple

from . import animation

Frames = namedtuple("Frames", "start end fps")


def of_scene(scene):
    settings = scene.tribo
    fps = scene.render.fps / scene.render.fps_base
    if settings.use_scene_range:
        return Frames(scene.frame_start, scene.frame_end, fps)
    return Frames(settings.time.start, settings.time.end, fps)


def scale(scene):
    """Frames that are shown for each frame of the animation (Time Remapping). A bake goes by those that
    are shown: what it holds at frame 12 stands beside the colliders of frame 12."""
    return scene.render.frame_map_new / scene.render.frame_map_old


def gravity(scene):
    """Blender's own, its numbers read as m/s^2; of keyframes the value at the first frame, wherever the
    timeline stands."""
    frame = of_scene(scene).start / scale(scene)
    if not animation.value_at(scene, "use_gravity", 0, frame, scene.use_gravity):
        return (0.0, 0.0, 0.0)
    return tuple(animation.value_at(scene, "gravity", i, frame, g) for i, g in enumerate(scene.gravity))
