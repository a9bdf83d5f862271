# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a cache still fits its scene, and what changed since.

Looking takes a fingerprint of all inputs: milliseconds for small meshes, more for heavy ones. So it
is done once after the artist paused, never while drawing.
"""

from . import pauses
from .bridge import caches, inputs
from .logic import fingerprint, folders

found = {}  # scene name: lines, as last seen


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
    if caches.playing(scene):
        pauses.soon(look, scene)


def forget(name=None):
    if name is None:
        found.clear()
    else:
        found.pop(name, None)
    pauses.forget(look, name)


def register():
    pass


def unregister():
    forget()
