# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects look like: colours, stripes on cloth, matchsticks on painted colliders."""

import math

import bpy

from render.parts import add_mesh, make_material

PALETTE = [
    (0.80, 0.10, 0.06),  # red
    (0.95, 0.42, 0.04),  # orange
    (0.04, 0.30, 0.42),  # teal
    (0.20, 0.08, 0.35),  # plum
    (0.10, 0.38, 0.10),  # green
]


def stripe(material, color, bands):
    """Bands of a second colour across v, so that folds show in the print."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    coordinate = nodes.new("ShaderNodeTexCoord")
    split = nodes.new("ShaderNodeSeparateXYZ")
    scale = nodes.new("ShaderNodeMath")
    scale.operation = "MULTIPLY"
    scale.inputs[1].default_value = bands / 2
    part = nodes.new("ShaderNodeMath")
    part.operation = "FRACT"
    above = nodes.new("ShaderNodeMath")
    above.operation = "GREATER_THAN"
    above.inputs[1].default_value = 0.5
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs[1].default_value = shader.inputs["Base Color"].default_value
    mix.inputs[2].default_value = (*color, 1)
    links.new(coordinate.outputs["UV"], split.inputs[0])
    links.new(split.outputs["Y"], scale.inputs[0])
    links.new(scale.outputs[0], part.inputs[0])
    links.new(part.outputs[0], above.inputs[0])
    links.new(above.outputs[0], mix.inputs[0])
    links.new(mix.outputs[0], shader.inputs["Base Color"])


def dress(shown):
    for number, (thing, _) in enumerate(shown):
        color = PALETTE[number % len(PALETTE)]
        if thing["tribo_kind"] == "cloth":
            material = make_material(thing.name, color, roughness=0.75, sheen=0.4)
            if thing.data.uv_layers:
                stripe(material, (0.85, 0.80, 0.70), 5)
        else:
            material = make_material(thing.name, color, roughness=0.35, coat=0.5)
        thing.data.materials.append(material)


def dress_colliders(colliders):
    material = make_material("Collider", (0.20, 0.22, 0.24), roughness=0.6)
    for thing, entry, _ in colliders:
        thing.data.materials.append(material)
        if "tribo_structure" in thing and not thing.modifiers and not thing.animation_data:
            add_matchsticks(thing, thing["tribo_structure"])


class StructureMap:
    """The red and green of a picture as a direction along u and v (docs/maps.md)."""

    def __init__(self, path):
        image = bpy.data.images.load(path)
        image.colorspace_settings.name = "Non-Color"
        (self.width, self.height), self.channels = image.size, image.channels
        self.pixels = image.pixels[:]  # the bottom row first

    def read(self, u, v):
        x = min(max(int(u * self.width), 0), self.width - 1)
        y = min(max(int(v * self.height), 0), self.height - 1)
        at = (y * self.width + x) * self.channels
        return 2 * self.pixels[at] - 1, 2 * self.pixels[at + 1] - 1


def matchstick(place, along, normal, length):
    """Corners of a thin strip."""
    half, aside = 0.5 * length * along, 0.06 * length * normal.cross(along)
    return [place - half - aside, place + half - aside, place + half + aside, place - half + aside]


def add_matchsticks(thing, path):
    """Strips a little above a still surface that lie as its painted structure does."""
    structure, mesh = StructureMap(path), thing.data
    spacing = max(thing.dimensions) / 26
    points, faces = [], []
    mesh.calc_loop_triangles()
    for triangle in mesh.loop_triangles:
        corners = [mesh.vertices[k].co for k in triangle.vertices]
        uvs = [mesh.uv_layers[0].data[k].uv for k in triangle.loops]
        # a is across from the longest side, so that the rows of two halves of a rectangle agree
        first = max(range(3), key=lambda k: (corners[k - 1] - corners[k - 2]).length)
        a, b, c = (corners[(first + k) % 3] for k in range(3))
        ua, ub, uc = (uvs[(first + k) % 3] for k in range(3))
        (e, f), (d, g) = (b - a, c - a), (ub - ua, uc - ua)
        flipped = d.x * g.y - d.y * g.x
        if flipped == 0:
            continue
        t = ((g.y * e - d.y * f) / flipped).normalized()
        across = math.copysign(1, flipped) * triangle.normal.cross(t)
        rows, columns = (max(1, round(side.length / spacing)) for side in (e, f))
        for i in range(rows):
            for j in range(columns):
                p, q = (i + 0.5) / rows, (j + 0.5) / columns
                r, s = structure.read(*(ua + p * d + q * g))
                if p + q > 1 or math.hypot(r, s) < 0.1:
                    continue
                place = a + p * e + q * f + 0.02 * spacing * triangle.normal
                along = (r * t + s * across).normalized()
                faces.append(range(len(points), len(points) + 4))
                points += matchstick(place, along, triangle.normal, 0.75 * spacing)
    paint = make_material("Structure", (0.75, 0.72, 0.62), roughness=0.8)
    sticks = add_mesh(thing.name + " structure", points, faces, paint)
    sticks.matrix_world = thing.matrix_world
