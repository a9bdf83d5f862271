# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows for the friction that one object does to another."""

import json
import math
import os

from mathutils import Vector

from render.parts import add_mesh, make_material, set_input


def read_friction(folder, name, other, frames):
    """What the other one does to an object, frame by frame: places, friction, outward normals,
    whether it slips there."""
    path = os.path.join(folder, "contacts.jsonl")
    if not os.path.exists(path):
        raise SystemExit(f"render_cache: there is no {path}; bake with --contacts")
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            if line["frame"] not in frames:
                continue
            arrows = found.setdefault(line["frame"], [])
            for contact in line["contacts"]:
                # The force is on the feeler; the surface bears the opposite.
                pair = (contact["object"], contact["surface"])
                if pair not in ((name, other), (other, name)):
                    continue
                side = 1 if pair[0] == name else -1
                normal, force = Vector(contact["normal"]), Vector(contact["force"])
                friction = side * (force - force.dot(normal) * normal)
                out = -side * normal  # away from the object, so that arrows lie on it
                arrows.append((Vector(contact["point"]), friction, out, contact["state"] == "slip"))
    return found


def glowing(name, color):
    material = make_material(name, color, roughness=1)
    set_input(material.node_tree.nodes["Principled BSDF"], (*color, 1), "Emission", "Emission Color")
    set_input(material.node_tree.nodes["Principled BSDF"], 1.0, "Emission Strength")
    return material


def arrow_mesh(start, along, width, points, faces, sides=10):
    """Appends a shaft and a head of a third of the length."""
    length = along.length
    turn = along.to_track_quat("Z", "Y").to_matrix()
    head = min(length, max(length / 3, 3 * width))
    base = len(points)
    for radius, z in ((0.5 * width, 0), (0.5 * width, length - head), (1.5 * width, length - head)):
        for k in range(sides):
            t = 2 * math.pi * k / sides
            points.append(start + turn @ Vector((radius * math.cos(t), radius * math.sin(t), z)))
    points.append(start + along)
    for ring in (0, sides):
        for k in range(sides):
            a, b = base + ring + k, base + ring + (k + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    for k in range(sides):
        faces.append((base + 2 * sides + k, base + 2 * sides + (k + 1) % sides, base + 3 * sides))


def add_arrows(folder, thing, other, cache, frames):
    """Returns what a camera should see: the places, with some room around them."""
    found = read_friction(folder, thing.name, other, frames)
    strongest = max((f.length for arrows in found.values() for _, f, _, _ in arrows), default=0)
    if strongest == 0:
        raise SystemExit(f"render_cache: '{other}' does not rub on '{thing.name}' in these frames")
    start = cache.read(0)
    size = max(max(start[k::3]) - min(start[k::3]) for k in range(3))
    scale, width = 0.1 * size / strongest, 0.006 * size
    print(f"the longest arrow is {strongest:.4g} N, {0.1 * size:.4g} m")
    colors = {False: glowing("Sticks", (0.02, 0.55, 0.12)), True: glowing("Slips", (0.95, 0.30, 0.0))}
    for frame, arrows in found.items():
        for slips, material in colors.items():
            points, faces = [], []
            for place, friction, out, slipping in arrows:
                if slipping == slips and friction.length > 0:
                    arrow_mesh(place + width * out, scale * friction, width, points, faces)
            if points:
                add_mesh(f"Arrows {frame}", points, faces, material)["tribo_frame"] = frame
    room = [Vector([0.08 * size * (k == axis) * side for k in range(3)])
            for axis in range(3) for side in (-1, 1)]
    return [place + r for arrows in found.values() for place, _, _, _ in arrows for r in room]
