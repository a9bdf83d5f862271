# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as arrays, with as few steps in Python as can be."""

from array import array
from contextlib import contextmanager

from ..logic import fingerprint
from .errors import Refusal


@contextmanager
def evaluated(ob, depsgraph):
    """The mesh that an object has now, with all that is switched on in its stack."""
    found = ob.evaluated_get(depsgraph)
    mesh = found.to_mesh()
    if mesh is None:
        raise Refusal(f"{ob.name} has no surface")
    try:
        yield mesh
    finally:
        found.to_mesh_clear()


def _read(collection, name, code, width):
    values = array(code, bytes(array(code).itemsize * width * len(collection)))
    if values:
        collection.foreach_get(name, values)
    return values


def points(mesh):
    return _read(mesh.vertices, "co", "f", 3)


def topology(mesh):
    """Equal for meshes whose vertices and faces fit one another. Not their triangles: those of a
    polygon may change as it bends."""
    corners = _read(mesh.loops, "vertex_index", "I", 1)
    return len(mesh.vertices), len(mesh.polygons), fingerprint.digest(corners)


def edges_of_faces(mesh):
    """The number of an edge, for every corner of every face."""
    return _read(mesh.loops, "edge_index", "I", 1)


def triangles(mesh):
    mesh.calc_loop_triangles()
    return _read(mesh.loop_triangles, "vertices", "I", 3)


def mean_edge(ob, most=1000):
    """Of the edges of an object's own mesh in the world, in metres; of a thousand of them at most."""
    edges, points, place = ob.data.edges, ob.data.vertices, ob.matrix_world.to_3x3()
    chosen = range(0, len(edges), max(1, len(edges) // most))
    ends = [[points[v].co for v in edges[e].vertices] for e in chosen]
    scenes = ob.users_scene
    unit = scenes[0].unit_settings.scale_length if scenes else 1.0
    return unit * sum((place @ (b - a)).length for a, b in ends) / len(ends)


def uvs(mesh):
    """2 numbers a triangle corner, of the active layer; None where there is none."""
    layer = mesh.uv_layers.active
    if layer is None:
        return None
    mesh.calc_loop_triangles()
    corners = _read(mesh.loop_triangles, "loops", "I", 3)
    flat = _read(layer.data, "uv", "f", 2)
    u, v = flat[0::2], flat[1::2]
    out = array("f", bytes(8 * len(corners)))
    out[0::2] = array("f", map(u.__getitem__, corners))
    out[1::2] = array("f", map(v.__getitem__, corners))
    return out


def weights(ob, mesh, group_name):
    """The weight of every vertex in a group of the object."""
    group = ob.vertex_groups.get(group_name)
    if group is None:
        known = ", ".join(g.name for g in ob.vertex_groups) or "none"
        raise Refusal(f"{ob.name} has no vertex group '{group_name}' (it has: {known})")
    number = group.index
    out = [0.0] * len(mesh.vertices)
    for i, vertex in enumerate(mesh.vertices):
        for entry in vertex.groups:
            if entry.group == number:
                out[i] = entry.weight
                break
    return out


def choose(values, vertices):
    """The points of some vertices."""
    out = array("f", bytes(12 * len(vertices)))
    for k in range(3):
        axis = values[k::3]
        out[k::3] = array("f", map(axis.__getitem__, vertices))
    return out


def pixels(image):
    """(pixels, width, height, channels) as the core takes them: bottom row first, no colour
    management."""
    width, height = image.size
    if width == 0 or height == 0:
        raise Refusal(f"The image {image.name} cannot be read ({image.filepath or 'no file'})")
    values = array("f", bytes(4 * width * height * image.channels))
    image.pixels.foreach_get(values)
    return values, width, height, image.channels


def is_blank(values, channels):
    """Whether a structure map was not combed yet: one pixel everywhere, as *New Structure Map* makes it."""
    first = values[:channels]
    return 3 <= channels and tuple(first[:2]) == (0.5, 0.5) and \
        values.tobytes() == first.tobytes() * (len(values) // channels)
