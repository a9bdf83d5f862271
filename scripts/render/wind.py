# SPDX-License-Identifier: GPL-3.0-or-later
"""The props of the scene of that name."""

from mathutils import Vector

from render.parts import add_ball, add_block, add_rod, make_material, set_input


def add_wind_props(shown, floor):
    """What the pins of the demo stand for: a pole for the flag, a post for the bars and the ring."""
    metal = make_material("Metal", (0.30, 0.31, 0.33), roughness=0.3)
    set_input(metal.node_tree.nodes["Principled BSDF"], 1.0, "Metallic")
    wood = make_material("Wood", (0.20, 0.115, 0.06), roughness=0.5)
    bars = []
    for thing, cache in shown:
        start = cache.read(0)
        low = Vector([min(start[k::3]) for k in range(3)])
        high = Vector([max(start[k::3]) for k in range(3)])
        if thing.name == "flag":
            x, top = low.x - 0.018, high.z + 0.12
            add_rod("Pole", (x, low.y, floor), (x, low.y, top), 0.022, wood)
            add_ball("Pole knob", (x, low.y, top), 0.045, metal)
            add_rod("Pole foot", (x, low.y, floor), (x, low.y, floor + 0.03), 0.2, metal, 64)
        elif thing.name == "ring":
            ring_low, ring_high = low, high
        else:
            bars.append((low, high))
    face = min(low.x for low, _ in bars)
    depth = (min(low.y for low, _ in bars) - 0.06, max(high.y for _, high in bars) + 0.06)
    top = max(high.z for _, high in bars) + 0.12
    add_block("Post", (face - 0.14, depth[0], floor), (face, depth[1], top), wood)
    x, y, z = 0.5 * (ring_low.x + ring_high.x), 0.5 * (ring_low.y + ring_high.y), ring_high.z
    add_rod("Arm", (x - 0.08, y, z), (face - 0.1, y, z), 0.02, metal)
