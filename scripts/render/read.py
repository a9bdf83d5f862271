# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what a bundle and a cache hold: meshes, point caches, the scene."""

import array
import json
import os
import struct
import sys


def read_obj(path):
    """Points, faces, and UVs a face corner (or None)."""
    points, coords, faces, corners = [], [], [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words[0] == "vt":
                coords.append(tuple(map(float, words[1:3])))
            elif words[0] == "f":
                parts = [word.split("/") for word in words[1:]]
                faces.append([int(part[0]) - 1 for part in parts])
                corners += [int(part[1]) - 1 for part in parts if len(part) > 1 and part[1]]
    uvs = [coords[c] for c in corners] if len(corners) == sum(map(len, faces)) else None
    return points, faces, uvs


def read_msh(path):
    """Points, and the faces that bound the tets. Reads what a bake writes: Gmsh 4.1, one block."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    at = lines.index("$Nodes") + 1
    count = int(lines[at].split()[1])
    first = at + 2 + count  # two lines of numbers, then the tags
    points = [tuple(map(float, line.split())) for line in lines[first : first + count]]

    at = lines.index("$Elements") + 1
    count = int(lines[at].split()[1])
    once = {}
    for line in lines[at + 2 : at + 2 + count]:
        a, b, c, d = (int(word) - 1 for word in line.split()[1:5])
        for face in ((a, c, b), (a, b, d), (b, c, d), (a, d, c)):
            key = tuple(sorted(face))
            if once.pop(key, None) is None:
                once[key] = face
    return points, list(once.values()), None


class PointCache:
    """The frames of a .pc2 file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            magic, _, self.points, start, _, self.frames = struct.unpack("<12siiffi", file.read(32))
        if magic != b"POINTCACHE2\0":
            raise SystemExit(f"render_cache: {path} is not a PC2 file")
        self.start = int(start)

    def read(self, sample):
        sample = min(max(sample, 0), self.frames - 1)
        with open(self.path, "rb") as file:
            file.seek(32 + sample * self.points * 12)
            values = array.array("f", file.read(self.points * 12))
        if sys.byteorder == "big":
            values.byteswap()
        return values


def write_pc2(path, samples, start):
    """Samples of flat coordinates, one a frame."""
    with open(path, "wb") as file:
        file.write(
            struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(samples[0]) // 3, start, 1, len(samples))
        )
        for sample in samples:
            values = array.array("f", sample)
            if sys.byteorder == "big":
                values.byteswap()
            values.tofile(file)


class Still:
    """What has no cache: one sample, where the mesh is."""

    def __init__(self, points):
        self.points, self.frames, self.start = len(points), 1, 0
        self.values = array.array("f", (x for point in points for x in point))

    def read(self, _):
        return self.values


def read_bundle(path):
    """The folder of a scene, and the scene."""
    if os.path.isdir(path):
        path = os.path.join(path, "scene.json")
    try:
        with open(path, encoding="utf-8") as file:
            return os.path.dirname(os.path.abspath(path)), json.load(file)
    except OSError as fault:
        raise SystemExit(f"render_cache: {path}: {fault.strerror}")
