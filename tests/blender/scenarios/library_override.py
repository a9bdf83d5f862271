# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloth and a collider linked and overridden: settings of the override hold, it bakes, plays after
loading again, and the library's file is never touched."""

import os

import bpy
import lab


def run():
    lab.empty_scene(1, 6)
    lab.make(lab.box("Block", (1, 1, 0.2)), "COLLIDER")
    lab.make(lab.grid("Cloth", 3, 0.5, (0, 0, 0.12)), "CLOTH")
    lab.save("library.blend")
    stamp = os.stat(lab.path("library.blend")).st_mtime_ns
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = lab.empty_scene(1, 6)
    with bpy.data.libraries.load(lab.path("library.blend"), link=True) as (there, here):
        here.objects = ["Block", "Cloth"]
    for ob in here.objects:
        scene.collection.objects.link(ob.override_create())
    cloth = next(ob for ob in scene.objects if ob.name == "Cloth")
    assert cloth.override_library and not cloth.library
    cloth.tribo.surface.mu = 0.9
    cloth.location.z = 0.3
    lab.save("shot.blend")
    lab.bake()
    held = lab.plays(cloth)
    lab.close(held[0][2], 0.3, 1e-6, "the override's place")
    lab.save("shot.blend")
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    cloth = next(ob for ob in bpy.context.scene.objects if ob.name == "Cloth")
    lab.close(cloth.tribo.surface.mu, 0.9, 1e-6, "friction of the override")
    lab.plays(cloth)
    assert lab.changes() == [], lab.changes()
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert os.stat(lab.path("library.blend")).st_mtime_ns == stamp
