# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios of painting share: a sheet with a seam, strokes, and what is painted where."""

import math
from array import array

import bpy
import lab

TILT = math.radians(15)


def sheet(turn=2.27, mirrored=True, columns=8):
    """Two metres by one in z = 0, facing up. Its halves are two islands; the right one is turned in the
    UVs, and mirrored. The seam is at x = 1."""
    points = [(2 * i / columns, j / 4, 0) for i in range(columns + 1) for j in range(5)]
    faces = [(5 * i + j, 5 * i + j + 5, 5 * i + j + 6, 5 * i + j + 1)
             for i in range(columns) for j in range(4)]
    ob = lab.mesh_object("Sheet", points, faces)
    layer = ob.data.uv_layers.new(name="UVMap")
    for polygon in ob.data.polygons:
        right = polygon.center.x > 1
        for loop in polygon.loop_indices:
            x, y, _ = ob.data.vertices[ob.data.loops[loop].vertex_index].co
            layer.data[loop].uv = right_uv(x, y, turn, mirrored) if right else (
                0.05 + 0.38 * x, 0.05 + 0.38 * y)
    return ob


def right_uv(x, y, turn, mirrored):
    x, y = x - 1.5, (y - 0.5) * (-1 if mirrored else 1)
    return (0.72 + 0.3 * (math.cos(turn) * x - math.sin(turn) * y),
            0.72 + 0.3 * (math.sin(turn) * x + math.cos(turn) * y))


def painted_sheet(size="512", **shape):
    """A collider with a new, empty structure map."""
    lab.empty_scene()
    ob = lab.make(sheet(**shape), "COLLIDER")
    assert bpy.ops.tribo.new_structure_map(size=size) == {"FINISHED"}
    return ob


def stroke(points, **brush):
    given = [{"name": "", "location": point} for point in points]
    return bpy.ops.tribo.comb_stroke(points=given, **brush)


def image_pixels(image):
    values = array("f", bytes(16 * image.size[0] * image.size[1]))
    image.pixels.foreach_get(values)
    return values


def structure_at(ob, point, pixels=None):
    """The structure that the image has at a point of the object, in the world, by a comb made afresh: a
    tuple as long as the grain."""
    image = ob.tribo.structure_map
    canvas = lab.addon("ops.comb_canvas")
    comb = canvas.Surface().of(ob, bpy.context.evaluated_depsgraph_get(), *image.size)
    x, y, z = point
    triangle, _ = comb.pick((x, y, z + 1), (0, 0, -1))
    return comb.look(pixels or image_pixels(image), triangle, weights(ob, triangle, point))[1]


def weights(ob, triangle, point):
    """Barycentric coordinates of a point in a triangle of the mesh."""
    ob.data.calc_loop_triangles()
    a, b, c = (ob.matrix_world @ ob.data.vertices[v].co
               for v in ob.data.loop_triangles[triangle].vertices)
    e, f, p = b - a, c - a, ob.matrix_world.to_3x3() @ (ob.matrix_world.inverted().to_3x3() @ (
        type(a)(point) - a))
    ee, ef, ff, pe, pf = e.dot(e), e.dot(f), f.dot(f), p.dot(e), p.dot(f)
    det = ee * ff - ef * ef
    u, v = (ff * pe - ef * pf) / det, (ee * pf - ef * pe) / det
    return 1 - u - v, u, v


def length(vector):
    return math.sqrt(sum(x * x for x in vector))


def degrees(a, b):
    """Between two lines without sign."""
    cosine = abs(sum(x * y for x, y in zip(a, b))) / (length(a) * length(b))
    return math.degrees(math.acos(min(1.0, cosine)))


def box_on_ramp(name, x, mu):
    box = lab.make(lab.box(name, (0.3, 0.3, 0.1)), "RIGID", surface__mu=mu)
    box.rotation_euler[0] = TILT
    lift = 0.0501
    box.location = (x, -lift * math.sin(TILT), lift * math.cos(TILT))
    return box


def two_boxes_on_a_ramp():
    """One holds, one slides."""
    scene = lab.empty_scene(1, 4)
    ramp = lab.make(lab.grid("Ramp", 4, 2.0, (0, 0, 0)), "COLLIDER", surface__mu=0.5)
    ramp.rotation_euler[0] = TILT
    box_on_ramp("Holds", -0.5, 0.5)
    box_on_ramp("Slides", 0.5, 0.5)
    for name, mu in (("Holds", 0.8), ("Slides", 0.05)):
        assert bpy.ops.tribo.pair_add(a=name, b="Ramp", mu=mu) == {"FINISHED"}
    return scene
