# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells who listens that the artist changed a property of Tribo."""

import bpy

listeners = []  # called with the scene


def notice(self, _context):
    """The update function of every property."""
    owner = self.id_data
    for scene in [owner] if isinstance(owner, bpy.types.Scene) else getattr(owner, "users_scene", ()):
        for listener in listeners:
            listener(scene)
