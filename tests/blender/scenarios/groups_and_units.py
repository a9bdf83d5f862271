# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups reach the core as the panel says, and a scene in centimetres is the scene in metres."""

import json
import os

import bpy
import lab


def exported(name, label):
    assert bpy.ops.tribo.export_farm(directory=lab.path(label)) == {"FINISHED"}
    with open(lab.path(label, "scene.json"), encoding="utf-8") as file:
        return next(o for o in json.load(file)["objects"] if o["name"] == name)


def groups():
    cloth = lab.make(lab.grid(cells=2), "CLOTH", pin__stiffness=80.0)
    lab.pin(cloth, [0], weight=1.0)
    lab.pin(cloth, [1, 2], weight=0.5)
    for name, low, high in (("stiffness", 0.5, 2.5), ("friction", 0.2, 1.2)):
        group = cloth.vertex_groups.new(name=name)
        group.add([4], 0.5, "REPLACE")
        group.add([8], 1.0, "REPLACE")
        setattr(cloth.tribo, name + "_group", name)
        setattr(cloth.tribo, name + "_low", low)
        setattr(cloth.tribo, name + "_high", high)
    found = exported("Cloth", "groups")
    pins = {tuple(pin["vertices"]): pin["stiffness"] for pin in found["pin"]}
    assert pins == {(0,): 80.0, (1, 2): 40.0}, pins
    assert found["vertex_stiffness"] == [0.5] * 4 + [1.5] + [0.5] * 3 + [2.5], found["vertex_stiffness"]
    friction = found["vertex_friction"]
    for i, value in enumerate(friction):
        lab.close(value, {4: 0.7, 8: 1.2}.get(i, 0.2), 1e-9, f"friction of {i}")
    cloth.tribo.pin.stiffness = 0.0
    assert [pin["vertices"] for pin in exported("Cloth", "hard")["pin"]] == [[0, 1, 2]]
    cloth.tribo.pin_group = "Missing"
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "Cloth has no vertex group 'Missing' (it has: Pin, stiffness, friction)" in message, message
    bpy.data.objects.remove(cloth)


def fall(scale, name):
    """A cloth of 1 m falls on a floor, in a scene of that scale."""
    scene = lab.empty_scene(1, 8)
    scene.unit_settings.scale_length = scale
    lab.make(lab.box("Block", (4 / scale, 4 / scale, 0.4 / scale)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=4, size=1 / scale, location=(0, 0, 0.25 / scale)), "CLOTH")
    lab.save(name + ".blend")
    folder = lab.bake()
    return lab.cached(folder, "Cloth"), lab.shown(cloth, 8)


def run():
    lab.empty_scene(1, 3)
    groups()
    metres, seen = fall(1.0, "metres")
    centimetres, seen_small = fall(0.01, "centimetres")
    assert lab.farthest(metres[-1], centimetres[-1]) < 1e-5
    assert lab.farthest(metres[-1], seen) < 1e-6
    assert lab.farthest(seen, [x * 0.01 for x in seen_small]) < 1e-5
    assert metres[-1][2] < 0.21, "it did not fall"
    assert os.path.exists(lab.path("tribo_cache_metres"))
