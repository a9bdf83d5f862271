# SPDX-License-Identifier: GPL-3.0-or-later
"""What the colours of the overlay mean, in the corner of the view."""

import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from ..logic import progress
from . import overlay_data, overlay_draw

MOST = 6  # pairs that cross, as many as are told one by one


def lines(context, objects, shows_structure):
    """[(colour or None, text)], from top to bottom."""
    settings, out = context.scene.tribo_overlay, []
    if any(shows_structure(context, ob) for ob in objects):
        out += [(overlay_draw.AXES[k], f"structure along {axis}") for k, axis in enumerate("XYZ")]
        out.append((overlay_draw.NONE, "no structure"))
    if settings.grip and any(ob.tribo.friction_map for ob in objects):
        out += [(overlay_draw.ICE, "grip 0"), (overlay_draw.ROUGH, "grip 2 and more")]
    if settings.contacts:
        out += contact_lines(context.scene)
    if settings.crossings:
        out += crossing_lines(context)
    if settings.skin:
        out += [(overlay_draw.SKIN, "touched surface"), (overlay_draw.THIN, "thin: facets show"),
                (overlay_draw.HOLES, "rim, hole, or off its mesh")]
    return out + [(None, text) for text in overlay_data.messages.values()]


def contact_lines(scene):
    found = overlay_data.guarded("contacts", scene.name, lambda: overlay_data.contacts(scene))
    if not found:
        return []
    _, _, largest, count, slipping = found
    return [(overlay_draw.STICKS, f"sticks: {count - slipping}"),
            (overlay_draw.SLIPS, f"slips: {slipping}"),
            (None, f"longest arrow: {largest:.3g} N")]


def crossing_lines(context):
    scene = context.scene
    found = overlay_data.guarded("crossings", scene.name, lambda: overlay_data.pierced(scene, context.view_layer))
    if not found:
        return []
    return [(overlay_draw.PIERCED, f"pierced faces: {found[1]}"),
            *((None, progress.crossing(one)) for one in found[2][:MOST])]


def square(x, y, size, colour):
    old = bpy.app.version < (4, 0, 0)
    shader = gpu.shader.from_builtin("2D_UNIFORM_COLOR" if old else "UNIFORM_COLOR")
    corners = [(x, y - 1), (x + size, y - 1), (x, y + size - 1), (x + size, y + size - 1)]
    batch = batch_for_shader(shader, "TRI_STRIP", {"pos": corners})
    shader.uniform_float("color", (*colour, 1.0))
    batch.draw(shader)
