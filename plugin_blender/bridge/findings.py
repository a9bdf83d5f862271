# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks through a scene for what a bake would leave out or hardly anyone means (logic/findings.py has the
words). What the core doubts about meshes is asked of it, with the meshes as they are edited: those that
modifiers make anew are judged by the bake."""

from array import array

from ..library import tribo
from ..logic import findings, fingerprint, kinds, matrix, names, pins, table, wording
from ..props import groups, quality
from . import animation, bystanders, frames, inputs, movers, shapes, stack, subjects

OWN_PHYSICS = {
    "CLOTH": ("Cloth", "both simulate the mesh"),
    "SOFT_BODY": ("Soft Body", "both simulate the mesh"),
    "FLUID": ("Fluid", "both act on the mesh"),
}

# Modifiers that keep the faces of a mesh, or cut each of them alone.
KEEPING = {
    "ARMATURE", "CAST", "CLOTH", "COLLISION", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK",
    "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE", "MESH_CACHE", "MESH_DEFORM", "SHRINKWRAP",
    "SIMPLE_DEFORM", "SMOOTH", "SOFT_BODY", "SUBSURF", "SURFACE_DEFORM", "TRIANGULATE", "UV_PROJECT",
    "WARP", "WAVE", "WEIGHTED_NORMAL",
}

# Of a mesh that is looked at while the artist pauses: a fifth of a second. Larger ones the bake judges.
MOST_FACES = 200_000

FEW = 30  # vertices of a cloth

MOST_ALIKE = 4  # that are told one by one

PATHS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")

# What the core doubts as long as it knows nothing of pins.
WITHOUT_PINS = {"soft", "falls"}

# Stands on no triangle of a mesh, as good as surely: the warp is not what is looked at.
SLANTED = (0.3571, 0.6113, 0.7063)


def of_scene(scene, view_layer):
    """All findings of a scene, those of the scene itself first."""
    taking_part = subjects.objects(view_layer)
    if not any(subjects.is_simulated(ob) for ob in taking_part):
        return []
    out = [found for check in OF_SCENES for found in check(scene, view_layer)]
    for ob in taking_part:
        out += [found for check in OF_OBJECTS for found in check(scene, ob)]
    return out


def warnings(scene, view_layer):
    """Messages that go with a bake, but for those that the artist dismissed."""
    gone = set(dismissed(scene))
    return [found.message for found in of_scene(scene, view_layer)
            if found.severity == findings.WARNING and findings.mark(found.message) not in gone]


def dismissed(scene):
    return scene.tribo.dismissed.split()


# ---- the scene -------------------------------------------------------------------------------------


def _gravity(scene, _view_layer):
    first, paths = frames.of_scene(scene).start, ("gravity", "use_gravity")
    if any(animation.is_driven(scene, path) for path in paths):
        yield findings.make("gravity", "", how="driven", frame=first, values="", what="the driver")
    elif any(animation.varies(scene, path) for path in paths):
        yield findings.make("gravity", "", how="keyframed", frame=first, what="its keyframes",
                            values=", ({:.3g}, {:.3g}, {:.3g})".format(*frames.gravity(scene)))


def _force_fields(_scene, view_layer):
    for ob in view_layer.objects:
        kind = ob.field.type if ob and ob.field else "NONE"
        if kind != "NONE":
            instead = ("Give the air a velocity (Advanced > Scene > Wind) and the cloth a Drag (Advanced > "
                       "Object)" if kind == "WIND" else "Move colliders, pins or the start velocity instead")
            yield findings.make("force field", ob.name, kind=kind.replace("_", " ").capitalize(),
                                instead=instead)


def _foreign_colliders(_scene, view_layer):
    found = [(ob, physics) for ob, physics in ((ob, _foreign_physics(ob)) for ob in view_layer.objects) if physics]
    for ob, physics in found[:MOST_ALIKE]:
        one = findings.make("collision", ob.name, physics=physics)
        yield one if ob.library is None else one._replace(remedy=None)
    more = len(found) - MOST_ALIKE
    if more > 0:
        yield findings.make("collisions", "", count=more, s=findings.plural(more, "", "s"),
                            have=findings.plural(more, "has", "have"), are=findings.plural(more, "is", "are"))


def _bystanders(scene, view_layer):
    for ob, thing, is_held in bystanders.of_scene(scene, view_layer)[:MOST_ALIKE]:
        one = findings.make("passes" if is_held else "through", ob.name, what=thing.name)
        yield one if ob.library is None else one._replace(remedy=None)


def _foreign_physics(ob):
    """By which of Blender's an object looks like something that others touch, and is nothing to Tribo."""
    if ob is None or ob.tribo.kind != "NONE" or ob.type not in subjects.MESHED:
        return ""
    if ob.collision is not None and ob.collision.use:
        return "Collision"
    return f"Rigid Body ({ob.rigid_body.type.lower()})" if ob.rigid_body is not None else ""


def _left_out(scene, view_layer):
    here = set(view_layer.objects)
    for ob in sorted(scene.objects, key=lambda ob: ob.name):
        if ob.tribo.kind != "NONE" and ob not in here:
            yield findings.make("left out", ob.name)


def _instances(_scene, view_layer):
    here = set(view_layer.objects)
    for instancer in here:
        collection = instancer.instance_collection if instancer else None
        for ob in sorted(collection.all_objects if collection else (), key=lambda ob: ob.name):
            if kinds.is_given(ob.tribo.kind) and ob not in here:
                yield findings.make("instance", ob.name, instancer=instancer.name)


# ---- an object ---------------------------------------------------------------------------------------


def _own_physics(_scene, ob):
    if not subjects.is_simulated(ob):
        return
    for modifier in ob.modifiers:
        if modifier.type in OWN_PHYSICS and (modifier.show_viewport or modifier.show_render):
            name, effect = OWN_PHYSICS[modifier.type]
            yield findings.make("own physics", ob.name, physics=name, effect=effect)
    if ob.rigid_body is not None:
        yield findings.make("own physics", ob.name, physics="Rigid Body", effect="both move the object")


def _sewing(_scene, ob):
    if not kinds.is_sheet(ob.tribo.kind) or ob.type != "MESH":
        return
    count = len(ob.data.edges) - len(set(shapes.edges_of_faces(ob.data)))
    if count > 0:
        yield findings.make("sewing", ob.name, count=count, s=findings.plural(count, "", "s"),
                            are=findings.plural(count, "is", "are"))


def _coarse(_scene, ob):
    """A plane as Blender adds it: cloth bends at its edges, and touches hardly anything."""
    if not kinds.is_sheet(ob.tribo.kind) or ob.type != "MESH":
        return
    if not ob.data.polygons or not _keeps_its_number(ob):
        return
    count = len(ob.data.vertices)
    if count < FEW:
        yield findings.make("coarse", ob.name, count=count)


def _keeps_its_number(ob):
    return all(m.type in KEEPING - {"SUBSURF"} for m in movers.input_modifiers(ob) if m.show_viewport)


def _armature_below(_scene, ob):
    if not subjects.is_simulated(ob) or not stack.find(ob):
        return
    for modifier in list(ob.modifiers)[stack.index(ob) + 1:]:
        if modifier.type == "ARMATURE" and (modifier.show_viewport or modifier.show_render) and modifier.object:
            yield findings.make("armature below", ob.name, {"modifier": modifier.name},
                                modifier=modifier.name)


def _keyframes(_scene, ob):
    """Pins follow them; without any nothing does."""
    if not subjects.is_simulated(ob) or (ob.tribo.pin_group and kinds.takes_pins(ob.tribo.kind)):
        return
    how = _moved(ob)
    if how:
        instead = ("Make it a Collider, or give it a Velocity (Advanced > Object)"
                   if not kinds.takes_pins(ob.tribo.kind) else
                   "Pin what is to follow (Pinning), or make it a Collider")
        yield findings.make("keyframes", ob.name, how=how, instead=instead)


def _moved(ob):
    """By what an object would move or change without Tribo; "" for nothing."""
    path = next((path for path in PATHS if animation.varies(ob, path)), None)
    if path:
        return f"is keyframed ({path})"
    keys = getattr(ob.data, "shape_keys", None)
    if keys and any(animation.varies(keys, path) for path in animation.moved_paths(keys)):
        return "has animated shape keys"
    for other in movers.of(ob)[1:]:
        if any(animation.varies(other, path) for path in animation.moved_paths(other)
               if path in PATHS or path.startswith("pose.bones[")):
            return f"is moved by {other.name}"
    return ""


def _pins(_scene, ob):
    settings = ob.tribo
    if not kinds.takes_pins(settings.kind) or not settings.pin_group or ob.type != "MESH":
        return
    name, stiffness = settings.pin_group, table.tidy(settings.pin.stiffness)
    if name not in ob.vertex_groups:
        yield findings.make("pin group", ob.name, group=name)
        return
    if _shapes_groups(ob):
        return
    found = shapes.weights(ob, ob.data, name)
    if stiffness <= 0 and found and min(found) >= pins.HELD_FROM:
        yield findings.make("pins all", ob.name, group=name, count=len(found))
    if not pins.levels(found, stiffness):
        most = max(found, default=0.0)
        if most > 0 and stiffness <= 0:
            yield findings.make("pins weak", ob.name, group=name, most=most)
        else:
            yield findings.make("pins nothing", ob.name, group=name)


def _shapes_groups(ob):
    """Whether something above Tribo may give vertices other weights."""
    return any(modifier.type in ("NODES", "DATA_TRANSFER") or modifier.type.startswith("VERTEX_WEIGHT")
               for modifier in stack.above(ob))


def _modifier_off(_scene, ob):
    modifier = stack.find(ob) if subjects.is_simulated(ob) else None
    if modifier is None or (modifier.show_viewport and modifier.show_render):
        return
    where = ("in the viewport and in renders" if not modifier.show_viewport and not modifier.show_render
             else "in renders" if modifier.show_viewport else "in the viewport")
    yield findings.make("modifier off", ob.name, modifier=modifier.name, where=where)


def _hidden(scene, ob):
    if not kinds.is_given(ob.tribo.kind) or animation.moved_paths(ob) & {"hide_render", "hide_viewport"}:
        return
    where = [words for is_so, words in ((ob.hide_viewport, "in viewports"), (ob.hide_render, "in renders")) if is_so]
    if where:
        yield findings.make("hidden", ob.name, where=" and ".join(where))


def _layers(scene, ob):
    """Whether a cloth touches itself."""
    if not kinds.is_sheet(ob.tribo.kind) or ob.tribo.surface.contact == "none":
        return
    method = quality.method_of(scene)
    label = table.choice_label("world", "method", method)
    if method == "forwarding":
        yield findings.make("layers", ob.name, method=label, instead="The method Fast has layers" + (
            ", but moves no rigid bodies: simulate those in a scene of their own, or make them colliders"
            if quality.has_rigid(scene) else " (Scene Quality > Method)"))
    elif method == "projective" and not _is_thick(scene, ob):
        yield findings.make("layers", ob.name, method=label,
                            instead="Give it a Thickness above 0 (Collision)")


def _is_thick(scene, ob):
    left_open = quality.is_chosen(scene.tribo) and quality.has_open_thickness(ob.tribo)
    return left_open or ob.tribo.surface.thickness > 0


# ---- what the core doubts ----------------------------------------------------------------------------

_doubted = {}  # scene name: (key, findings)


def forget():
    _doubted.clear()


def _doubts(scene, view_layer):
    """Kept until something changes that they are made from."""
    obs = [ob for ob in subjects.objects(view_layer) if _is_as_edited(ob)]
    solids = [(groups.values(ob.tribo, "solid"), ob.tribo.pin_group) for ob in obs if ob.tribo.kind == "SOLID"]
    key = fingerprint.digest(*(part for ob in obs for part in inputs.shape(ob)), solids, scene.unit_settings.scale_length,
                             scene.tribo.world.method, scene.tribo.world.quality, list(frames.gravity(scene)))
    if _doubted.get(scene.name, (None,))[0] != key:
        _doubted[scene.name] = key, list(_ask(scene, obs))
    return _doubted[scene.name][1]


def _is_as_edited(ob):
    shown = [m for m in movers.input_modifiers(ob) if m.show_viewport]
    return (ob.type == "MESH" and ob.mode != "EDIT" and 0 < len(ob.data.polygons) < MOST_FACES
            and all(modifier.type in KEEPING for modifier in shown))


def _ask(scene, obs):
    core, asked = tribo.Scene(), []
    chosen = quality.is_chosen(scene.tribo)
    core.set("quality" if chosen else "method", getattr(scene.tribo.world, "quality" if chosen else "method"))
    core.set("gravity", tuple(frames.gravity(scene)))
    called = dict(zip(names.unique([ob.name for ob in obs]), (ob.name for ob in obs)))
    for ob, on_disk in zip(obs, called):
        place = matrix.flat(ob.matrix_world, scene.unit_settings.scale_length)
        parameters = {"surface": groups.values(ob.tribo, "surface")}
        if chosen and quality.has_open_thickness(ob.tribo):
            parameters["surface"]["thickness"] = -1.0
        if ob.tribo.kind == "CLOTH":
            parameters["cloth"] = {"warp_from": "axis", "warp_axis": SLANTED}
        if kinds.is_filled(ob.tribo.kind):
            parameters["solid"] = groups.values(ob.tribo, "solid")
            parameters["fill"] = {"from": "lattice", "cells": 1}  # nobody looks at its tets
        try:
            core.add(on_disk, ob.tribo.kind.lower(), shapes.points(ob.data), shapes.triangles(ob.data),
                     transform=array("d", place), parameters=parameters)
        except tribo.Error:
            continue  # the bake will say why
        asked.append(ob)
    for found in core.doubts():
        if found["kind"] in WITHOUT_PINS and _is_untold(scene, found["kind"], asked, asked[found["object"]]):
            continue
        made = findings.doubt(found, [ob.name for ob in asked], wording.named(wording.artist(found["message"]), called))
        yield made if asked[found["object"]].library is None else made._replace(remedy=None)


def _is_untold(scene, kind, asked, ob):
    """Whether the core would judge otherwise if it were asked with pins, motion and speeds."""
    if kind == "soft":
        return bool(ob.tribo.pin_group)
    sent = any(ob.tribo.object.velocity) or any(scene.tribo.world.wind)
    return sent or any(other.tribo.pin_group or _moved(other) for other in asked)


# ---- the checks --------------------------------------------------------------------------------------

OF_SCENES = (_gravity, _force_fields, _foreign_colliders, _bystanders, _instances, _left_out)
OF_OBJECTS = (_own_physics, _sewing, _coarse, _armature_below, _keyframes, _pins, _modifier_off, _hidden, _layers)


def for_panel(scene, view_layer):
    """With what the core doubts, of which a bake hears by itself."""
    found = of_scene(scene, view_layer)
    if any(subjects.is_simulated(ob) for ob in subjects.objects(view_layer)):
        found = found + _doubts(scene, view_layer)
    gone = set(dismissed(scene))
    return [one for one in found if findings.mark(one.message) not in gone]
