# SPDX-License-Identifier: GPL-3.0-or-later
"""Object.tribo and Scene.tribo."""

from . import groups, objects, scenes, wedges


def register():
    groups.register()
    objects.register()
    scenes.register()
    wedges.register()


def unregister():
    wedges.unregister()
    scenes.unregister()
    objects.unregister()
    groups.unregister()
