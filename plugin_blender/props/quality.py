# SPDX-License-Identifier: GPL-3.0-or-later
"""The quality of a scene: one menu in place of method, substeps and thickness.

The core chooses the numbers when it has seen the whole scene (docs/quality.md). They are put where the
artist sees them, and whoever changes method or substeps has a quality of their own: Custom. A scene of an
older file has its own numbers and no quality, and stays as it is.
"""

import bpy

from ..logic import kinds
from .changes import notice

CUSTOM, FIRST = "custom", "good"

_showing = False  # while numbers are put here, and not by the artist


def is_chosen(settings):
    """Whether the core chooses. settings: Scene.tribo."""
    return settings.world.quality != CUSTOM


def is_known(settings):
    """Whether the numbers that the artist sees are those of the quality."""
    return settings.shown_quality == settings.world.quality


def method_of(scene):
    """The method that a bake would take: what the core chooses by what there is (docs/quality.md)."""
    settings = scene.tribo
    if not is_chosen(settings):
        return settings.world.method
    if settings.solver.backend != "native":
        return "forwarding"
    if not has_rigid(scene):
        return "projective"
    return "barrier" if suits_barrier(scene) else "forwarding"


BARRIER_MOST = 64  # objects, as in core/src/scene/quality.c


def suits_barrier(scene):
    """Whether what deforms moves beside what is rigid, and nothing asks for what barrier has not."""
    obs = [ob for ob in scene.objects if ob.tribo.kind in kinds.names()]
    return (any(kinds.deforms(ob.tribo.kind) for ob in obs) and len(obs) <= BARRIER_MOST
            and all(ob.tribo.surface.contact != "mls" for ob in obs))


def has_rigid(scene):
    return any(kinds.keeps_shape(ob.tribo.kind) for ob in scene.objects)


def by_hand(self, context):
    """The update function of method and substeps."""
    if not _showing and isinstance(self.id_data, bpy.types.Scene):
        settings = self.id_data.tribo
        settings.shown_quality = ""  # the numbers are nobody's choice any more
        if is_chosen(settings):
            settings.world.quality = CUSTOM
    notice(self, context)


def begin(ob):
    """A scene that gets its first object is good, unless someone has set numbers already."""
    for scene in ob.users_scene:
        if all(other.tribo.kind == "NONE" for other in scene.objects if other != ob):
            begin_scene(scene)


def is_given(scene):
    """Whether somebody set numbers already."""
    world, time = scene.tribo.world, scene.tribo.time
    return world.is_property_set("quality") or world.is_property_set("method") or time.is_property_set("substeps")


def begin_scene(scene):
    """Of one that has objects of Tribo, but nothing set: they were appended, linked or pasted."""
    if scene.library is None and not is_given(scene) and any(ob.tribo.kind != "NONE" for ob in scene.objects):
        scene.tribo.world.quality = FIRST


def keep(scene):
    """A scene of an older file has its own numbers and no quality, and stays as it is."""
    if scene.library is None and not is_given(scene) and any(ob.tribo.kind != "NONE" for ob in scene.objects):
        scene.tribo.world.quality = CUSTOM


def has_open_thickness(settings):
    """Whether the artist gave an object none of its own. settings: Object.tribo."""
    surface = settings.surface
    begun = settings.begun_thickness
    return not surface.is_property_set("thickness") or (begun > 0 and surface.thickness == begun)


def show(scene, choice, obs):
    """Puts what the core chose where the artist sees it. choice: of _tribo.Scene; obs: the objects in
    its order, None where one is gone."""
    global _showing
    settings = scene.tribo
    if choice["quality"] == CUSTOM or choice["quality"] != settings.world.quality or scene.library:
        return
    _showing = True
    try:
        if settings.world.method != choice["method"]:
            settings.world.method = choice["method"]
        if settings.time.substeps != choice["substeps"]:
            settings.time.substeps = choice["substeps"]
        for ob, thickness in zip(obs, choice["thickness"]):
            if ob and not ob.library and has_open_thickness(ob.tribo) and thickness > 0:
                ob.tribo.surface.thickness = thickness
                ob.tribo.begun_thickness = ob.tribo.surface.thickness
        settings.shown_quality = choice["quality"]
        settings.shown_thickness = max(choice["thickness"], default=0.0)
    finally:
        _showing = False
