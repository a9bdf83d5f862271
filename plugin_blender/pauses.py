# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes too long to do while drawing or at every change: done once, after the artist paused."""

import bpy

PAUSE = 0.5

_waiting = {}  # (function, scene name): nothing; in the order in which they were asked for


def soon(function, scene):
    """function(scene) when nothing was asked for half a second. Not without a window, where nobody looks."""
    if bpy.app.background:
        return
    _waiting[function, scene.name] = None
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
    bpy.app.timers.register(_look, first_interval=PAUSE)


def _look():
    waiting = list(_waiting)
    _waiting.clear()
    for function, name in waiting:
        scene = bpy.data.scenes.get(name)
        if scene and scene.view_layers:
            function(scene)
    redraw()


def redraw():
    """The properties of every window."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "PROPERTIES":
                area.tag_redraw()


def forget(function, name=None):
    """What waits for a function, of one scene or of all."""
    for one in list(_waiting):
        if one[0] == function and name in (None, one[1]):
            del _waiting[one]


def register():
    pass


def unregister():
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
    _waiting.clear()
