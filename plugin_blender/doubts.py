# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel says about a scene before it is baked (bridge/findings.py). Looked for when the artist
pauses, never while drawing."""

import bpy

from . import pauses
from .bridge import findings
from .props import quality

found = {}  # scene name: findings, as last seen


def look(scene):
    view_layer = bpy.context.view_layer if bpy.context.scene == scene else scene.view_layers[0]
    quality.begin_scene(scene)
    view_layer.update()
    found[scene.name] = findings.for_panel(scene, view_layer)
    return found[scene.name]


def soon(scene):
    pauses.soon(look, scene)


def of(scene, ob):
    """Those of the scene, of one object first."""
    mine = ob.name if ob else ""
    return sorted(found.get(scene.name, ()), key=lambda one: (one.object != mine, one.severity != "WARNING"))


def forget():
    found.clear()
    findings.forget()
    pauses.forget(look)


def register():
    pass


def unregister():
    forget()
