# SPDX-License-Identifier: GPL-3.0-or-later
"""Object.tribo and Scene.tribo."""

from . import groups, objects, scenes


def register():
    groups.register()
    objects.register()
    scenes.register()


def unregister():
    scenes.unregister()
    objects.unregister()
    groups.unregister()
