# SPDX-License-Identifier: GPL-3.0-or-later
"""A new scene is Good: the core chooses method, substeps and thickness, and the panel shows them. Whoever
changes a number has Custom. A scene with objects and no quality, as older files have it, stays as it is."""

import bpy
import lab


def fresh_scene(last):
    """Without the numbers that lab.empty_scene sets by hand."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last
    scene.tribo.threads = 1
    scene.frame_set(1)
    return scene


def by_hand(settings, folder, ui):
    """A number that is changed is Custom, unless it is what a quality would choose."""
    settings.time.substeps = 5
    assert settings.world.quality == "custom" and settings.world.method == "projective"
    assert ui.line(settings) == "Fast, 5 substeps", ui.line(settings)
    lab.bake()
    assert lab.bake_json(folder)["substeps"] == 5 and "quality" not in lab.bake_json(folder)
    settings.world.quality = "final"
    assert "chosen" in ui.line(settings), "5 substeps are not those of Final"
    settings.world.quality = "custom"
    settings.time.substeps = 7
    settings.world.quality = "good"
    assert "chosen" in ui.line(settings), ui.line(settings)
    settings.world.method = "forwarding"
    assert settings.world.quality == "custom"


def run():
    scene = fresh_scene(3)
    ui, live = lab.addon("ui.quality"), lab.addon("live")
    settings = scene.tribo
    lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    assert settings.world.quality == "good"
    cloth = lab.make(lab.grid(cells=4, size=0.8, location=(0, 0, 0.3)), "CLOTH")
    assert "chosen" in ui.line(settings), ui.line(settings)

    scene.frame_set(2)  # Live chooses, and is not disturbed by what it shows
    scene.frame_set(3)
    assert live.frames_of(scene) == (1, 3), live.messages
    assert settings.world.method == "projective" and settings.time.substeps >= 12
    assert ui.line(settings).startswith("Fast, ") and " mm" in ui.line(settings), ui.line(settings)
    thickness = cloth.tribo.surface.thickness
    assert thickness > 0.001

    lab.save()
    folder = lab.bake()
    assert not lab.changes(), lab.changes()
    made = lab.bake_json(folder)
    assert (made["quality"], made["method"]) == ("good", "projective"), made
    assert made["substeps"] == settings.time.substeps
    assert settings.world.quality == "good"

    # a bundle leaves the choice to the core, and it is the same
    bpy.ops.tribo.export_farm(directory=lab.path("bundle"))
    lab.tribo("bake", lab.path("bundle", "scene.json"), "--out", lab.path("farm"))
    lab.same_files(folder, lab.path("farm"), ["Cloth.pc2"])

    settings.world.quality = "final"
    assert lab.changes(), "another quality is another bake"
    assert "chosen" in ui.line(settings)
    lab.bake()
    assert settings.time.substeps > made["substeps"]

    by_hand(settings, folder, ui)

    # a thickness of the artist's stays beside a quality
    settings.world.quality = "good"
    cloth.tribo.surface.thickness = 0.0123
    lab.bake()
    assert settings.world.quality == "good" and abs(cloth.tribo.surface.thickness - 0.0123) < 1e-6
    assert abs(lab.bake_json(folder)["thickness"] - 0.0123) < 1e-6

    # as an older file is: objects, and nothing of a quality
    for group, name in (("world", "quality"), ("world", "method"), ("time", "substeps")):
        getattr(settings, group).property_unset(name)
    lab.addon("props.quality").keep(scene)  # as loading does
    lab.make(lab.grid("Second", 2, location=(3, 0, 1)), "CLOTH")
    assert settings.world.quality == "custom" and settings.time.substeps == 4
    lab.bake()
    assert lab.bake_json(folder)["substeps"] == 4
