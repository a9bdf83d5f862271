# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes: meshes from Blender's Add menu, moved, scaled and keyframed, then one click each on what they
are. `side` is who simulates (sides.py); `cells` is how finely cloth is cut across, the only thing in which
the short versions differ, beside their number of frames.

A scene gives back what has to hold at its end beside the common judgement (verdict.py):
    stands   {object: (low, high)}   its highest point, metres: it is where it should be
    near     {object: (x, y, metres)}  and its middle is that near to a place, seen from above
    rest     metres a frame at most in the last frames; None where something still drives it
    driven   metres a second that animation, wind or a throw may add to a fall
"""

import math

import bmesh
import bpy

FLOOR = "Floor"


def named(name):
    ob = bpy.context.object
    ob.name = name
    return ob


def floor(side, size=8.0):
    bpy.ops.mesh.primitive_plane_add(size=size)
    return side.collider(named(FLOOR))


def cylinder(side, name, radius, depth, location, rotation=(0, 0, 0), vertices=32):
    bpy.ops.mesh.primitive_cylinder_add(radius=radius, depth=depth, vertices=vertices, location=location,
                                        rotation=rotation)
    return side.collider(named(name))


def sheet(name, size, cells, location, rotation=(0, 0, 0), scale=(1, 1, 1)):
    """A square of cells by cells. In Blender 3.4 that many subdivisions are as many faces."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=size, location=location,
                                    rotation=rotation)
    ob = named(name)
    ob.scale = scale
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return ob


def smooth_ball(name, radius, location):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=location)
    return named(name)


def cut_cube(name, size, cuts, location, rotation=(0, 0, 0)):
    """A cube whose faces are cut into (cuts + 1)^2."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=location, rotation=rotation)
    ob = named(name)
    ob.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=cuts)
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def where(ob, holds):
    """A vertex group "Pin" of the vertices for which holds(place in the object) is true."""
    chosen = [vertex.index for vertex in ob.data.vertices if holds(vertex.co)]
    ob.vertex_groups.new(name="Pin").add(chosen, 1.0, "REPLACE")
    return "Pin"


def keys(ob, what, *moments):
    for frame, value in moments:
        setattr(ob, what, value)
        ob.keyframe_insert(what, frame=frame)


def round_table(side, cells):
    """A tablecloth on a round table with one leg."""
    floor(side)
    cylinder(side, "Leg", 0.05, 0.66, (0, 0, 0.33))
    cylinder(side, "Top", 0.5, 0.05, (0, 0, 0.7), vertices=48)
    side.cloth(sheet("Cloth", 1.5, cells, (0, 0, 0.76)))
    return {"stands": {"Cloth": (0.725, 0.78)}, "rest": 0.006}


def monkey(side, cells):
    """A cloth over Blender's monkey head."""
    floor(side)
    bpy.ops.mesh.primitive_monkey_add(size=0.8, location=(0, 0, 0.75))
    side.collider(named("Monkey"))
    side.cloth(sheet("Cloth", 1.4, cells, (0, 0, 1.25)))
    return {"stands": {"Cloth": (0.9, 1.25)}, "rest": 0.006}


def cube_and_floor(side, cells):
    """A cloth falls over a cube on the floor, and its border folds there."""
    floor(side)
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(0, 0, 0.2))
    side.collider(named("Block"))
    side.cloth(sheet("Cloth", 1.6, cells, (0.05, 0, 0.6)))
    return {"stands": {"Cloth": (0.4, 0.45)}, "rest": 0.003}


def two_sheets(side, cells):
    """Two sheets, one after the other, on a ball."""
    floor(side)
    side.collider(smooth_ball("Ball", 0.4, (0, 0, 0.6)))
    cells = round(cells / math.sqrt(2))
    side.cloth(sheet("Lower", 1.2, cells, (0, 0, 1.05)))
    side.cloth(sheet("Upper", 1.2, cells, (0.05, 0.03, 1.15), rotation=(0, 0, 0.4)))
    return {"stands": {"Lower": (1.0, 1.05), "Upper": (1.0, 1.06)}, "rest": 0.008}


def towel(side, cells, radius, vertices):
    floor(side)
    cylinder(side, "Rail", radius, 2.0, (0, 0, 1.0), (0, math.pi / 2, 0), vertices)
    side.cloth(sheet("Towel", 1.0, cells, (0, 0.02, 1.02 + radius), scale=(0.6, 1, 1)))
    return {"stands": {"Towel": (1.0, 1.04 + radius)}, "rest": 0.012}


def towel_on_a_wire(side, cells):
    """A towel over a wire 8 mm thick."""
    return towel(side, cells, 0.004, 8)


def towel_on_a_rail(side, cells):
    """A towel over a rail 6 cm thick."""
    return towel(side, cells, 0.03, 12)


def curtain(side, cells):
    """A ball goes into a curtain, and back."""
    floor(side)
    ball = side.collider(smooth_ball("Ball", 0.25, (-0.6, 0, 0.9)))
    keys(ball, "location", (1, (-0.6, 0, 0.9)), (24, (0.3, 0, 0.9)), (40, (-0.6, 0, 0.9)))
    cloth = sheet("Curtain", 1.4, cells, (0, 0, 1.1), rotation=(0, math.pi / 2, 0))
    side.cloth(cloth, where(cloth, lambda co: co.x < -0.699))
    return {"stands": {"Curtain": (1.79, 1.81)}, "rest": None, "driven": 3.0}


def cone_with_rows(name, around, rows, low, high, depth, location):
    """An open cone, cut by loops."""
    bpy.ops.mesh.primitive_cone_add(vertices=around, radius1=low, radius2=high, depth=depth,
                                    end_fill_type="NOTHING", location=location)
    ob = named(name)
    mesh = bmesh.new()
    mesh.from_mesh(ob.data)
    upright = [edge for edge in mesh.edges if abs(edge.verts[0].co.z - edge.verts[1].co.z) > 0.5 * depth]
    bmesh.ops.subdivide_edges(mesh, edges=upright, cuts=rows - 1, use_grid_fill=True)
    mesh.to_mesh(ob.data)
    mesh.free()
    return ob


def skirt(side, cells):
    """A skirt on a body that turns to one side and the other, pinned at its waist."""
    floor(side)
    body = smooth_ball("Body", 1, (0, 0, 0.9))
    body.scale = (0.16, 0.13, 0.6)
    side.collider(body)
    keys(body, "rotation_euler", (1, (0, 0, 0)), (12, (0, 0, 0.6)), (30, (0, 0, -0.6)), (42, (0, 0, 0)))
    worn = cone_with_rows("Skirt", round(1.2 * cells), cells // 2, 0.42, 0.175, 0.6, (0, 0, 0.75))
    group = where(worn, lambda co: co.z > 0.299)
    worn.parent, worn.matrix_parent_inverse = body, body.matrix_world.inverted()
    side.cloth(worn, group)
    return {"stands": {"Skirt": (1.04, 1.06)}, "rest": None, "driven": 3.0}


def jellies(side, cells):
    """Three soft cubes, one upon the other."""
    floor(side)
    for number, (x, turn) in enumerate(((0, 0), (0.03, 0.2), (-0.02, 0.5))):
        cube = cut_cube(f"Jelly {number + 1}", (0.3, 0.3, 0.3), max(2, cells // 10),
                        (x, 0, 0.17 + 0.33 * number), (0, 0, turn))
        side.soft(cube)
    return {"stands": {"Jelly 1": (0.2, 0.32), "Jelly 2": (0.45, 0.63), "Jelly 3": (0.7, 0.94)}, "rest": 0.002}


def pillow(side, cells):
    """A closed cover of cloth, without a filling, falls on the floor."""
    floor(side)
    side.cloth(cut_cube("Pillow", (0.7, 0.7, 0.2), max(3, round(0.38 * cells)), (0, 0, 0.4), (0.1, 0.05, 0)))
    return {"stands": {"Pillow": (0.002, 0.3)}, "rest": 0.003}


def brick_wall(side, cells):
    """Ten bricks, four to one in a row, and a ball that comes at 6 m/s."""
    floor(side, 20.0)
    for row in range(4):
        for place in range(4 - row):
            bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0.42 * (place - 1.5 + 0.5 * row), 0.1 + 0.2 * row),
                                            scale=(0.2, 0.4, 0.2))
            side.rigid(named(f"Brick {row + 1}.{place + 1}"))
    ball = smooth_ball("Ball", 0.15, (-1.5, 0.05, 0.5))
    side.rigid(ball, velocity=(6, 0, 0))
    return {"stands": {}, "rest": None, "driven": 6.0}


def ring(side, cells):
    """A ring falls over a thin pole."""
    floor(side)
    cylinder(side, "Pole", 0.02, 0.8, (0, 0, 0.4), vertices=16)
    bpy.ops.mesh.primitive_torus_add(major_radius=0.14, minor_radius=0.03, location=(0.04, 0, 0.95),
                                     rotation=(0.25, 0.1, 0), major_segments=32, minor_segments=10)
    side.rigid(named("Ring"), hollow=True)
    return {"stands": {"Ring": (0.05, 0.12)}, "near": {"Ring": (0, 0, 0.12)}, "rest": 0.002}


def flag(side, cells):
    """A flag on its pole, in the wind."""
    cylinder(side, "Pole", 0.03, 2.2, (-0.05, 0, 1.1))
    cloth = sheet("Flag", 1.2, cells, (0.6, 0, 1.7), rotation=(math.pi / 2, 0, 0), scale=(1, 0.7, 1))
    side.cloth(cloth, where(cloth, lambda co: co.x < -0.599))
    side.wind((7, 2, 0))
    return {"stands": {"Flag": (2.0, 2.3)}, "rest": None, "driven": 8.0}


# scene: what makes it, frames, frames of its short version
SCENES = {
    "round_table": (round_table, 60, 20),
    "monkey": (monkey, 60, 20),
    "cube_and_floor": (cube_and_floor, 60, 20),
    "two_sheets": (two_sheets, 60, 20),
    "towel_on_a_wire": (towel_on_a_wire, 60, 20),
    "towel_on_a_rail": (towel_on_a_rail, 60, 20),
    "curtain": (curtain, 60, 30),
    "skirt": (skirt, 60, 20),
    "jellies": (jellies, 48, 16),
    "pillow": (pillow, 48, 16),
    "brick_wall": (brick_wall, 48, 16),
    "ring": (ring, 60, 24),
    "flag": (flag, 60, 20),
}
CELLS, SHORT_CELLS = 40, 14
