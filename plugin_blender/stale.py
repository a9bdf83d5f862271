# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a cache still fits its scene, and what changed since.

Looking takes a fingerprint of all inputs: milliseconds for small meshes, more for heavy ones. So it
is done once after the artist paused, never while drawing.
"""

import bpy

from .bridge import caches, inputs
from .logic import fingerprint, folders

PAUSE = 0.5

found = {}  # scene name: lines, as last seen
_waiting = set()


def look(scene):
    """What changed since the bake, a line each; remembered for the panel."""
    folder = caches.playing(scene)
    about = folders.notes(folder) if folder else {}
    before = about.get("inputs")
    view_layer = scene.view_layers.get(about.get("view_layer", "")) or scene.view_layers[0]
    view_layer.update()
    lines = fingerprint.changes(before, inputs.of_scene(scene, view_layer)) if before else []
    found[scene.name] = lines
    return lines


def soon(scene):
    """Something may have changed: look again when the artist pauses."""
    if bpy.app.background or not caches.playing(scene):
        return
    _waiting.add(scene.name)
    if bpy.app.timers.is_registered(_look_at_waiting):
        bpy.app.timers.unregister(_look_at_waiting)
    bpy.app.timers.register(_look_at_waiting, first_interval=PAUSE)


def _look_at_waiting():
    for name in list(_waiting):
        scene = bpy.data.scenes.get(name)
        if scene and scene.view_layers:
            look(scene)
    _waiting.clear()
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "PROPERTIES":
                area.tag_redraw()


def forget(name=None):
    if name is None:
        found.clear()
        _waiting.clear()
    else:
        found.pop(name, None)
        _waiting.discard(name)


def register():
    pass


def unregister():
    if bpy.app.timers.is_registered(_look_at_waiting):
        bpy.app.timers.unregister(_look_at_waiting)
    forget()
