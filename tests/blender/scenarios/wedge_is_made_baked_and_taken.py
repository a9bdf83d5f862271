# SPDX-License-Identifier: GPL-3.0-or-later
"""A wedge in Blender: a property is added, the scenes are made and baked here, a farm gets them, one is taken: the
values stand in the properties and its bake plays. All bits are those of a bake with the same values."""

import json
import os

import bpy
import lab


def scene_with_cloth():
    scene = lab.empty_scene(1, 5)
    floor = lab.box("floor", (2, 2, 0.2), (0, 0, -0.1))
    lab.make(floor, "COLLIDER")
    cloth = lab.grid("Cloth", 5, 0.8, (0, 0, 0.3))
    lab.make(cloth, "CLOTH")
    lab.pin(cloth, [0, 5])
    return scene, cloth


def refused(call, word):
    try:
        result = call()
    except RuntimeError as failure:
        assert word in str(failure), failure
        return
    raise AssertionError(f"it was taken: {result}")


def add(owner, path, low, high, count, **more):
    assert bpy.ops.tribo.wedge_add(owner=owner, path=path) == {"FINISHED"}
    axis = bpy.context.scene.tribo_wedge.axes[-1]
    axis.low, axis.high, axis.count = low, high, count
    for name, value in more.items():
        setattr(axis, name, value)
    return axis


def run():
    scene, cloth = scene_with_cloth()
    refused(bpy.ops.tribo.wedge_make, "Save the file first")
    lab.save()
    refused(bpy.ops.tribo.wedge_make, "Add to Wedge")
    refused(lambda: bpy.ops.tribo.wedge_add(owner="Cloth", path="tribo.cloth.nothing"), "no property")
    refused(lambda: bpy.ops.tribo.wedge_add(owner="Nobody", path="tribo.cloth.bend"), "no object 'Nobody'")
    axis = add("Cloth", "tribo.cloth.bend", 1e-5, 1e-3, 3, equal_factors=True)
    assert "(Cloth)" in axis.label, axis.label
    add("Cloth", "location", 0.3, 0.4, 2, component=2)
    before = cloth.tribo.cloth.bend, tuple(cloth.location)
    assert bpy.ops.tribo.wedge_make() == {"FINISHED"}
    assert (cloth.tribo.cloth.bend, tuple(cloth.location)) == before
    folder = lab.path("tribo_wedge")
    wedges = lab.addon("wedges")
    items = wedges.look(scene)
    assert [i["state"] for i in items] == ["waiting"] * 6, items
    assert len(os.listdir(os.path.join(folder, "scenes"))) == 6

    assert bpy.ops.tribo.wedge_run() == {"FINISHED"}
    items = wedges.look(scene)
    assert [i["state"] for i in items] == ["done"] * 6, items
    assert all(i["attempts"] == 1 and i["seconds"] > 0 for i in items)
    assert os.path.exists(os.path.join(folder, "sheet.html"))
    lab.tribo("wedge", "status", folder)

    chosen = 5
    assert bpy.ops.tribo.wedge_take(number=chosen) == {"FINISHED"}
    assert abs(cloth.tribo.cloth.bend - 1e-3) < 1e-9 and abs(cloth.location.z - 0.4) < 1e-6
    caches = lab.addon("bridge.caches")
    home = caches.playing(scene)
    lab.same_files(home, os.path.join(folder, items[chosen]["bake"]), ["Cloth.pc2"])
    assert os.path.exists(os.path.join(home, "Cloth.local.pc2"))
    taken = os.path.join(home, "Cloth.pc2")
    with open(taken, "rb") as file:
        played = file.read()
    lab.bake()  # with the values that were set: the same bits
    with open(taken, "rb") as file:
        assert file.read() == played
    refused(lambda: bpy.ops.tribo.wedge_take(number=17), "no scene 17")

    scene.tribo_wedge.axes[0].high = 1e-2
    for engine in ("slurm", "openjd", "flamenco", "opencue", "tops"):
        assert bpy.ops.tribo.wedge_export(engine=engine) == {"FINISHED"}
    assert sorted(os.listdir(os.path.join(folder, "farm"))) == [
        "flamenco", "opencue.xml", "openjd", "slurm.sh", "slurm_sheet.sh", "slurm_submit.sh", "tops.py"]
    states = [i["state"] for i in wedges.look(scene)]
    assert states.count("done") == 2, states  # bend 1e-5 is in both wedges
    refused(lambda: bpy.ops.tribo.wedge_export(engine="slum"), "did you mean 'slurm'")
    with open(os.path.join(folder, "wedge.json"), encoding="utf-8") as file:
        keys = list(json.load(file)["items"][0]["values"])
    assert keys == ["objects[Cloth].tribo.cloth.bend", "objects[Cloth].location[2]"], keys
    assert bpy.ops.tribo.wedge_remove(index=1) == {"FINISHED"}
    assert len(scene.tribo_wedge.axes) == 1
