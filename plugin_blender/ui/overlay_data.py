# SPDX-License-Identifier: GPL-3.0-or-later
"""What the overlay shows, as batches that are made again only when what they show has changed."""

import math
from array import array

import bpy
import gpu
from mathutils import Matrix

from .. import crossings, live
from ..bridge import caches, shapes
from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import wording
from ..ops import comb_canvas
from ..props import groups
from . import overlay_draw

MARKS = 12000  # about as many as can be told apart
SKIN_SPACING = 1 / 120  # of the object's size: holes are between the vertices of a mesh
messages = {}  # by what and object: why it is not shown
_kept = {}  # by what and object: (key, value)


def kept(what, name, key, make):
    """The value for a key; made when the key is another."""
    found = _kept.get((what, name))
    if found is None or found[0] != key:
        found = _kept[(what, name)] = (key, make())
    return found[1]


def forget():
    _kept.clear()
    messages.clear()


def guarded(what, name, make):
    """What cannot be shown says why in the legend, not in the console at every frame."""
    try:
        found = make()
    except (Refusal, tribo.Error, OSError) as failure:
        messages[what, name] = wording.artist(str(failure))
        return None
    messages.pop((what, name), None)
    return found


# ---- structure -------------------------------------------------------------------------------------


def structure(ob, depsgraph, spacing):
    """(batch, matrix) of the marks."""
    surface = comb_canvas.surface_of(ob)
    if surface.moved and playing():
        return None
    canvas = comb_canvas.of_image(ob.tribo.structure_map)
    comb = surface.of(ob, depsgraph, canvas.width, canvas.height, follow_place=False)
    apart = spacing or kept("spacing", ob.name, surface.version, lambda: (comb.area / MARKS) ** 0.5)
    key = surface.version, canvas.number, canvas.version, apart
    return kept("structure", ob.name, key, lambda: mark_batch(comb, canvas, apart)), surface.since(ob)


def mark_batch(comb, canvas, spacing):
    count, position, direction = comb.marks(canvas.pixels, spacing, 0.02 * spacing)
    if count == 0:
        return None
    return overlay_draw.batch("marks", "TRIS", 4 * count, overlay_draw.quads(count), pos=position,
                              direction=direction)


def playing():
    return any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)


# ---- grip ------------------------------------------------------------------------------------------


def grip(ob, depsgraph):
    """(batch, matrix, texture, uniforms)."""
    surface = comb_canvas.surface_of(ob)
    if surface.moved and playing():
        return None
    image = ob.tribo.friction_map
    if image.size[0] == 0:
        raise Refusal(f"The image {image.name} cannot be read ({image.filepath or 'no file'})")
    surface.read(ob, depsgraph)
    made = kept("grip", ob.name, surface.shape_version, lambda: grip_batch(surface))
    return made, surface.since(ob), gpu.texture.from_image(image), grip_uniforms(ob.tribo.maps)


def grip_batch(surface):
    points, triangles, uvs = surface.shape
    corners = array("f", bytes(12 * len(triangles)))
    world = surface.world_points()
    for k in range(3):
        axis = world[k::3]
        corners[k::3] = array("f", map(axis.__getitem__, triangles))
    return overlay_draw.batch("grip", "TRIS", len(triangles), pos=corners, uv=uvs)


def grip_uniforms(maps):
    one = {"r": (1.0, 0.0, 0.0, 0.0), "g": (0.0, 1.0, 0.0, 0.0), "b": (0.0, 0.0, 1.0, 0.0),
           "a": (0.0, 0.0, 0.0, 1.0)}
    luminance = (0.2126, 0.7152, 0.0722, 0.0)
    return {"channel": one.get(maps.friction_channel, luminance), "scale": float(maps.friction_scale)}


# ---- contacts --------------------------------------------------------------------------------------

# Places of an arrow: its shaft, and the two strokes of its head.
ARROW = (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.75, 0.12, 1.0, 0.0, 0.75, -0.12)


def contacts(scene):
    """(points, arrows, largest friction, count, slipping) of the frame."""
    folder = caches.playing(scene)
    frame = scene.frame_current
    if folder:
        key = folder, caches.status(scene), frame
        return kept("contacts", scene.name, key, lambda: contact_batches(read_contacts(folder, frame)))
    run = live.running.get(scene.name)
    if run is None:
        raise Refusal("No contacts: bake with Keep Contacts on, or play live")
    if run.last != frame:
        raise Refusal(f"Live mode knows the contacts of frame {run.last} only, the last one played")
    key = "live", id(run), frame
    return kept("contacts", scene.name, key, lambda: contact_batches(run.sim.contacts()))


def read_contacts(folder, frame):
    return tribo.Cache(folder).contacts(frame)


def contact_batches(found):
    count = found.count
    if count == 0:
        return None, None, 0.0, 0, 0
    states = array("f", list(found.state))
    once = dict(pos=found.position, normal=found.normal, force=found.force,
                corner=bytes(8 * count), state=states)
    points = overlay_draw.batch("contacts", "POINTS", count, **once)
    many = {name: overlay_draw.repeated(once[name], width, 6)
            for name, width in (("pos", 3), ("normal", 3), ("force", 3), ("state", 1))}
    arrows = overlay_draw.batch("contacts", "LINES", 6 * count, corner=array("f", ARROW) * count, **many)
    return points, arrows, largest_friction(found), count, sum(found.state)


def largest_friction(found):
    normal, force = array("f"), array("f")
    normal.frombytes(found.normal)
    force.frombytes(found.force)
    largest = 0.0
    for i in range(0, len(force), 3):
        n, f = normal[i:i + 3], force[i:i + 3]
        pressed = sum(a * b for a, b in zip(n, f))
        largest = max(largest, sum((b - pressed * a) ** 2 for a, b in zip(n, f)))
    return math.sqrt(largest)


# ---- crossings -------------------------------------------------------------------------------------


def pierced(scene, view_layer):
    """(batches, how many faces, what crosses) at the frame."""
    run, folder = live.running.get(scene.name), caches.playing(scene)
    if not folder and run is None:
        raise Refusal("No crossings: bake, or play live")
    if not folder and run.last != scene.frame_current:
        raise Refusal(f"Live mode knows the crossings of frame {run.last} only, the last one played")
    key = (folder, caches.stamp(folder)) if folder else ("live", id(run))
    key += (scene.frame_current, scene.unit_settings.scale_length)
    return kept("crossings", scene.name, key, lambda: pierced_batches(scene, view_layer))


def pierced_batches(scene, view_layer):
    found, count = [], 0
    for points, triangles in crossings.pierced(scene, view_layer):
        corners = array("f", bytes(12 * len(triangles)))
        for k in range(3):
            axis = points[k::3]
            corners[k::3] = array("f", map(axis.__getitem__, triangles))
        found.append(overlay_draw.batch("pierced", "TRIS", len(triangles), pos=corners))
        count += len(triangles) // 3
    return found, count, crossings.of_frame(scene)


# ---- skin ------------------------------------------------------------------------------------------


def skin(ob, depsgraph, unit):
    """(batch, matrix, (thin, holes)) of the surface that others touch. unit: metres a Blender unit; the core has
    metres."""
    surface = comb_canvas.surface_of(ob)
    if surface.moved and playing():
        return None
    surface.read(ob, depsgraph, uvs=False)
    settings = groups.values(ob.tribo, "surface")
    key = surface.shape_version, unit, tuple(sorted(settings.items()))
    batch, faults = kept("skin", ob.name, key, lambda: skin_batch(ob, surface, unit, settings))
    return batch, surface.since(ob) @ Matrix.Scale(1 / unit, 4), faults


def skin_batch(ob, surface, unit, settings):
    points, triangles, _ = surface.shape
    place = array("d", (x * unit if i < 12 else x for i, x in enumerate(surface.place)))
    scene = tribo.Scene()
    index = scene.add(ob.name, "collider", points, triangles, transform=place,
                      parameters={"surface": settings})
    found = tribo.skin(scene, index, surface.size() * unit * SKIN_SPACING)
    state = found["hole"]
    made = overlay_draw.batch("skin", "TRIS", len(state), bytearray(found["triangles"]),
                              pos=found["positions"], hole=array("f", list(state)))
    return made, (state.count(1), state.count(2))
