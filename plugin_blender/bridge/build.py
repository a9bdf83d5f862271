# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the core's scene from what was read. *Bake* and *Export for farm* both come through here,
which is why they agree to the last bit."""

from array import array

from ..library import tribo
from ..logic import kinds, matrix, pins, table
from ..props import groups, quality
from . import shapes


CHOSEN = {("world", "method"), ("time", "substeps")}  # what a quality leaves to the core


class Rest:
    """One object at the first frame: geometry, settings, what is painted on it."""

    def __init__(self, ob, mesh, place):
        settings = ob.tribo
        self.mirrored = matrix.determinant(place) < 0  # the core's module turns its triangles
        self.place = place
        self.points = shapes.points(mesh)
        self.triangles = shapes.triangles(mesh)
        self.uvs = shapes.uvs(mesh) if needs_uvs(settings) else None
        self.material = settings.material or None
        self.parameters = {
            group: groups.values(settings, group)
            for group, rows in groups.rows_by_group().items()
            if table.is_of_objects(rows) and group in kinds.groups_of(settings.kind)
        }
        self.open_thickness = quality.has_open_thickness(settings)
        self.painted = _painted(ob, mesh)


def needs_uvs(settings):
    mapped = settings.structure_map or settings.friction_map
    return bool(mapped) or (settings.kind == "CLOTH" and settings.cloth.warp_from == "uv")


def pin_levels(ob, mesh):
    """[(vertices, stiffness)] of the pin group."""
    if not ob.tribo.pin_group or not kinds.takes_pins(ob.tribo.kind):
        return []
    found = shapes.weights(ob, mesh, ob.tribo.pin_group)
    return pins.levels(found, table.tidy(ob.tribo.pin.stiffness))


def _painted(ob, mesh):
    settings, out = ob.tribo, {}
    for name in ("structure_map", "friction_map"):
        image = getattr(settings, name)
        if image:
            found = shapes.pixels(image)
            # the core refuses a map without structure, but one that waits for its first stroke is none
            if name != "structure_map" or not shapes.is_blank(found[0], found[3]):
                out[name] = found
    if settings.friction_group:
        out["vertex_friction"] = _blended(ob, mesh, "friction")
    if settings.stiffness_group and kinds.deforms(settings.kind):
        out["vertex_stiffness"] = _blended(ob, mesh, "stiffness")
    return out


def _blended(ob, mesh, what):
    settings = ob.tribo
    found = shapes.weights(ob, mesh, getattr(settings, what + "_group"))
    low, high = (table.tidy(getattr(settings, f"{what}_{end}")) for end in ("low", "high"))
    return array("d", pins.blend(found, low, high))


def core_scene(settings, gravity, start, end, fps, readings):
    """A _tribo.Scene of the settings of a scene (Scene.tribo) and what was read of its objects."""
    scene = tribo.Scene()
    chosen = quality.is_chosen(settings)
    for group, rows in groups.rows_by_group().items():
        if not table.is_of_objects(rows):
            prefix = rows[0]["place"] + "." if rows[0]["place"] else ""
            for name, value in groups.values(settings, group).items():
                if not (chosen and (group, name) in CHOSEN):
                    scene.set(prefix + name, value)
    scene.set("gravity", tuple(table.tidy(x) for x in gravity))
    scene.set("time.start", start)
    scene.set("time.end", end)
    scene.set("time.fps", fps)
    for found in readings:
        _add(scene, found, chosen)
    on_disk = {found.subject.name: found.subject.cache_name for found in readings}
    for pair in settings.pairs:
        if pair.a and pair.b:
            a, b = on_disk.get(pair.a, pair.a), on_disk.get(pair.b, pair.b)
            scene.pair(a, b, groups.values(pair, "friction"))
    return scene


def _add(scene, found, chosen):
    rest, subject = found.rest, found.subject
    parameters = rest.parameters
    if chosen and rest.open_thickness:
        parameters = {**parameters, "surface": {**parameters["surface"], "thickness": -1.0}}
    held = [
        {"vertices": array("i", vertices), "stiffness": stiffness, "targets": track.as_points()}
        for vertices, stiffness, track in found.pins
    ]
    scene.add(
        subject.cache_name, subject.kind.lower(), rest.points, rest.triangles,
        transform=array("d", rest.place), uvs=rest.uvs, parameters=parameters,
        material=rest.material, pins=held, motion=found.body.as_motion() if found.body else None,
        present=found.presence.ranges(), **rest.painted)


def playback(readings, start, end):
    """{object: 16 numbers a frame, from the world to its own space}."""
    out = {}
    for found in readings:
        if kinds.is_simulated(found.subject.kind):
            numbers = array("d")
            for place in found.places[: end - start + 1]:
                numbers.extend(matrix.inverse(place))
            out[found.subject.cache_name] = numbers
    return out
