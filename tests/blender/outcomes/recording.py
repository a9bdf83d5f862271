# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings: every mesh of a shot in the world, frame by frame, in the format of recording.h."""

import struct
from array import array

import bpy

MAGIC = b"outcome\n"


def counts(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


def flat(items, typecode="i"):
    return array(typecode, [number for item in items for number in item])


def seen(ob, depsgraph):
    """Its points in the world, as they are drawn."""
    found = ob.evaluated_get(depsgraph)
    mesh, place = found.to_mesh(), found.matrix_world
    points = flat((place @ vertex.co for vertex in mesh.vertices), "d")
    found.to_mesh_clear()
    return points


def shape(ob, depsgraph):
    """Its triangles and edges, as it stands at the first frame."""
    found = ob.evaluated_get(depsgraph)
    mesh = found.to_mesh()
    mesh.calc_loop_triangles()
    out = (len(mesh.vertices), flat(t.vertices for t in mesh.loop_triangles), flat(e.vertices for e in mesh.edges))
    found.to_mesh_clear()
    return out


def write(file, roles):
    """Plays the scene and writes what is seen of the objects, {name: role}."""
    scene, obs = bpy.context.scene, [bpy.data.objects[name] for name in roles]
    frames = range(scene.frame_start, scene.frame_end + 1)
    scene.frame_set(scene.frame_start)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    with open(file, "wb") as stream:
        stream.write(MAGIC + counts(len(obs), len(frames)) + struct.pack("<d", scene.render.fps))
        for ob in obs:
            points, triangles, edges = shape(ob, depsgraph)
            name = ob.name.encode()
            stream.write(counts(len(name)) + name)
            stream.write(counts(roles[ob.name], points, len(triangles) // 3, len(edges) // 2))
            stream.write(triangles.tobytes() + edges.tobytes())
        for frame in frames:
            scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for ob in obs:
                stream.write(seen(ob, depsgraph).tobytes())


class Reader:
    """What write() wrote: names, roles, triangles, and places(frame) as lists of points for each object."""

    def __init__(self, file):
        self.file = file
        with open(file, "rb") as stream:
            assert stream.read(8) == MAGIC, file
            self.count, self.frames, self.fps = struct.unpack("<iid", stream.read(16))
            self.things = [self.read_thing(stream) for _ in range(self.count)]
            self.begin = stream.tell()

    @staticmethod
    def read_thing(stream):
        (letters,) = struct.unpack("<i", stream.read(4))
        name = stream.read(letters).decode()
        role, points, triangles, edges = struct.unpack("<4i", stream.read(16))
        corners = array("i")
        corners.frombytes(stream.read(12 * triangles))
        stream.seek(8 * edges, 1)
        return name, role, points, [tuple(corners[i:i + 3]) for i in range(0, len(corners), 3)]

    def places(self, frame):
        size = 24 * sum(points for _, _, points, _ in self.things)
        with open(self.file, "rb") as stream:
            stream.seek(self.begin + frame * size)
            out = []
            for _, _, points, _ in self.things:
                numbers = array("d")
                numbers.frombytes(stream.read(24 * points))
                out.append([tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)])
        return out
