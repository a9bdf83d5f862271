# SPDX-License-Identifier: GPL-3.0-or-later
"""Tribo's place in a modifier stack.

What stands above the Mesh Cache modifier "Tribo" shapes the input: the rest shape at the first
frame, and the motion that pins follow. What stands below is applied to the result. So the input is
applied once, never twice.
"""

from contextlib import contextmanager

from ..logic import folders
from . import animation

MODIFIER = "Tribo"
PLAYED = folders.playback_file("")

# Modifiers that finish a surface. A new Tribo goes above those at the end of the stack.
FINISHING = {
    "SUBSURF", "SOLIDIFY", "BEVEL", "MULTIRES", "EDGE_SPLIT", "WEIGHTED_NORMAL", "NORMAL_EDIT",
    "TRIANGULATE", "SMOOTH", "LAPLACIANSMOOTH", "CORRECTIVE_SMOOTH", "REMESH", "DECIMATE",
    "WIREFRAME", "UV_PROJECT", "UV_WARP", "DATA_TRANSFER", "PARTICLE_SYSTEM",
}


def _is_ours(modifier):
    """Also when the artist renamed it, or had the name taken: what it plays tells."""
    return modifier.type == "MESH_CACHE" and (
        modifier.name.split(".")[0] == MODIFIER or modifier.filepath.endswith(PLAYED))


def find(ob):
    """The modifier that plays the cache, or None."""
    return next(filter(_is_ours, ob.modifiers), None)


def index(ob):
    """Where it stands; the end of the stack where there is none."""
    for i, modifier in enumerate(ob.modifiers):
        if _is_ours(modifier):
            return i
    return _new_place(ob)


def above(ob):
    return list(ob.modifiers)[: index(ob)]


def _new_place(ob):
    place = len(ob.modifiers)
    while place > 0 and ob.modifiers[place - 1].type in FINISHING:
        place -= 1
    return place


def put(ob):
    """The modifier, added at its place if there is none."""
    modifier = find(ob)
    if modifier:
        return modifier
    place = _new_place(ob)
    modifier = ob.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.factor = 0.0  # off until there is something to play
    modifier.show_in_editmode = False
    _move(ob, len(ob.modifiers) - 1, place)
    return find(ob)


def _move(ob, source, target):
    if source == target:
        return
    if hasattr(ob.modifiers, "move"):
        ob.modifiers.move(source, target)
        return
    import bpy

    with bpy.context.temp_override(object=ob, active_object=ob):
        bpy.ops.object.modifier_move_to_index(modifier=ob.modifiers[source].name, index=target)


def move_above(ob, name):
    """A modifier that stands below Tribo comes to stand just above it."""
    names = [modifier.name for modifier in ob.modifiers]
    _move(ob, names.index(name), min(names.index(name), index(ob)))


def take_away(ob):
    modifier = find(ob)
    if modifier:
        ob.modifiers.remove(modifier)


def has_input(ob):
    """Whether modifiers stand above Tribo, which may change the mesh under it."""
    return any(m.show_viewport for m in above(ob))


def is_deformed(ob):
    """Whether anything shapes the mesh before Tribo sees it."""
    return bool(ob.data.shape_keys) or any(m.show_viewport for m in above(ob))


def refresh(ob, *also):
    """Has an object evaluated anew, whole: of one whose scene was never drawn Blender would take the
    place from before its first evaluation, when only the mesh is asked for. also: "TIME", for its
    animation."""
    ob.update_tag(refresh={"OBJECT", "DATA", *also})


@contextmanager
def input_only(obs):
    """While it lasts, the stacks of these objects end where Tribo stands."""
    switched = []
    try:
        for ob in obs:
            for modifier in list(ob.modifiers)[index(ob) :]:
                if modifier.show_viewport:
                    modifier.show_viewport = False
                    switched.append(modifier)
            refresh(ob)
        yield
    finally:
        for modifier in switched:
            modifier.show_viewport = True
            refresh(modifier.id_data)


def comes_and_goes(ob):
    """Whether animation may hide it at some frame."""
    return "hide_viewport" in animation.moved_paths(ob)


@contextmanager
def in_sight(obs, view_layer):
    """While it lasts, these objects are evaluated although they are hidden; but for what animation
    hides, which is new at every frame (bridge/presence.py)."""
    hidden, disabled = [], []
    try:
        for ob in obs:
            if ob.hide_viewport and not comes_and_goes(ob):
                ob.hide_viewport = False
                disabled.append(ob)
            if ob.hide_get(view_layer=view_layer):
                ob.hide_set(False, view_layer=view_layer)
                hidden.append(ob)
        for ob in hidden + disabled:
            refresh(ob)
        yield
    finally:
        for ob in hidden:
            ob.hide_set(True, view_layer=view_layer)
        for ob in disabled:
            ob.hide_viewport = True
