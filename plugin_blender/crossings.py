# SPDX-License-Identifier: GPL-3.0-or-later
"""What crosses at the frame that is shown: from the cache that plays, or from the live simulation where it
stands."""

from array import array

from . import live
from .bridge import caches, shapes, subjects
from .library import tribo
from .logic import matrix, names

_kept = {}  # scene name: (folder, stamp, frame), what crosses


def of_frame(scene):
    """A dict each, as Cache.crossings() has them; [] also where nothing is known."""
    folder, frame = caches.playing(scene), scene.frame_current
    if not folder:
        run = live.running.get(scene.name)
        return run.sim.crossings() if run and run.last == frame else []
    if not caches.verdict(scene):
        return []
    key = folder, caches.stamp(folder), frame
    if _kept.get(scene.name, (None,))[0] != key:
        try:
            _kept[scene.name] = key, tribo.Cache(folder).crossings(frame)
        except tribo.Error:  # no such frame
            _kept[scene.name] = key, []
    return _kept[scene.name][1]


def forget():
    _kept.clear()


def pierced(scene, view_layer):
    """[(points in metres in the world, 'f', and triangles of them, 'i')] of every object that an edge goes
    through at this frame."""
    crossed = {name for one in of_frame(scene) for name in (one["object"], one["other"])}
    if not crossed:
        return []
    obs = subjects.objects(view_layer)
    on_disk = names.unique([ob.name for ob in obs])
    source = _Baked(scene) if caches.playing(scene) else _Live(scene)
    out = []
    for number, (ob, name) in enumerate(zip(obs, on_disk)):
        triangles = array("i", source.triangles(number, name) if name in crossed else b"")
        if triangles:
            points = source.points(name) if subjects.is_simulated(ob) else _points_of(ob, scene, view_layer)
            if points and max(triangles) < len(points) // 3:  # a mesh that changed since has other numbers
                out.append((points, triangles))
    return out


class _Baked:
    """A frame of a cache."""

    def __init__(self, scene):
        self.cache, self.frame = tribo.Cache(caches.playing(scene)), scene.frame_current
        self.numbers = {one["name"]: (i, one["vertex_count"]) for i, one in enumerate(self.cache.objects())}

    def triangles(self, _number, name):
        return self.cache.pierced(self.frame, name)

    def points(self, name):
        if name not in self.numbers:
            return None
        number, count = self.numbers[name]
        out = array("f", bytes(12 * count))
        self.cache.positions(number, self.frame, out)
        return out


class _Live:
    """The frame that the live simulation stands at."""

    def __init__(self, scene):
        self.run = live.running[scene.name]
        self.numbers = {found.subject.cache_name: (i, len(found.rest.points) // 3)
                        for i, found in self.run.simulated()}

    def triangles(self, number, _name):
        return self.run.sim.pierced(number)

    def points(self, name):
        if name not in self.numbers:
            return None
        number, count = self.numbers[name]
        out = array("f", bytes(12 * count))
        self.run.sim.positions(number, out)
        return out


def _points_of(ob, scene, view_layer):
    """Of a collider, which stands where the frame has it."""
    place = matrix.flat(ob.evaluated_get(view_layer.depsgraph).matrix_world, scene.unit_settings.scale_length)
    with shapes.evaluated(ob, view_layer.depsgraph) as mesh:
        points = shapes.points(mesh)
    out = array("f", bytes(4 * len(points)))
    for k in range(3):
        row = place[4 * k:4 * k + 4]
        out[k::3] = array("f", (row[0] * x + row[1] * y + row[2] * z + row[3]
                                for x, y, z in zip(points[0::3], points[1::3], points[2::3])))
    return out
