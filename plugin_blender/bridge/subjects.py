# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that take part in a scene's simulation.

A subject is a name, not an object: pointers to Blender's data do not survive undo or loading.
"""

from collections import namedtuple

import bpy

from ..logic import kinds, names
from . import renames
from .errors import Refusal

Subject = namedtuple("Subject", "name library kind cache_name")

MESHED = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


class SceneName:
    """A scene by its name, and when it is renamed by its address, which is compared and never
    followed."""

    def __init__(self, scene):
        self.name, self._address = scene.name, scene.as_pointer()

    def find(self):
        """The scene, or None when it is gone."""
        scene = bpy.data.scenes.get(self.name)
        if scene is None:
            scene = next((s for s in bpy.data.scenes if s.as_pointer() == self._address), None)
        if scene:
            self.name, self._address = scene.name, scene.as_pointer()
        return scene


def is_simulated(ob):
    return kinds.is_simulated(ob.tribo.kind)


def library_of(ob):
    return ob.library.filepath if ob.library else ""


def title(name, library):
    """What an object is called in notes: a linked one may have the name of a local one."""
    return f"{name} (linked from {library})" if library else name


def find(scene, subject):
    """The object of a subject, or None when it is gone."""
    ob = scene.objects.get(subject.name)
    if ob and library_of(ob) == subject.library:
        return ob
    for ob in scene.objects:
        if ob.name == subject.name and library_of(ob) == subject.library:
            return ob
    return None


def expect(scene, subject):
    ob = find(scene, subject)
    if ob is None:
        raise Refusal(f"{subject.name} went away while it was read")
    return ob


def objects(view_layer):
    """Objects with a kind, in an order that does not depend on how the scene was put together."""
    taking_part = [ob for ob in view_layer.objects if ob and ob.tribo.kind != "NONE"]  # None: just deleted
    return sorted(taking_part, key=lambda ob: _order(ob.name, ob))


def _order(name, ob):
    return name.casefold(), name, library_of(ob)


def take_part(view_layer, files=None):
    """All subjects; Refusal where there is nothing to simulate or an object has no surface. files: those of
    the cache that is gone on with, in whose order and by whose names they are then."""
    found = objects(view_layer)
    old = renames.old_names(found, files or {})
    found.sort(key=lambda ob: _order(old.get(ob.name, ob.name), ob))
    for ob in found:
        if not ob.tribo.kind:
            raise Refusal(f"{ob.name} is of a kind that this version of Tribo does not know: choose "
                          "another in the Physics tab, or install a newer version")
        if ob.type not in (MESHED if kinds.is_given(ob.tribo.kind) else {"MESH"}):
            raise Refusal(f"{ob.name} is a {ob.type.lower()}: only a mesh can be simulated, and only "
                          "what has a surface can be a collider")
        if ob.mode == "EDIT":
            raise Refusal(f"{ob.name} is being edited: leave Edit Mode first (Tab)")
    if not any(is_simulated(ob) for ob in found):
        raise Refusal("Nothing to simulate: select a mesh and choose Tribo > Cloth, Soft Body or "
                      "Rigid in the Physics tab")
    on_disk = names.unique([old.get(ob.name, ob.name) for ob in found])
    return [Subject(ob.name, library_of(ob), ob.tribo.kind, on_disk[i]) for i, ob in enumerate(found)]
