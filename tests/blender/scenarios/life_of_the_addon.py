# SPDX-License-Identifier: GPL-3.0-or-later
"""Disabling, enabling and reloading leaves nothing behind: no handler, no class, no job, no thread; and
settings are there again."""

import addon_utils
import bpy
import lab


def handlers():
    return sum(len(getattr(bpy.app.handlers, name)) for name in dir(bpy.app.handlers)
               if isinstance(getattr(bpy.app.handlers, name), list))


def classes():
    return sorted(name for name in dir(bpy.types) if name.startswith("TRIBO_"))


def run():
    scene = lab.empty_scene(1, 2000)
    cloth = lab.make(lab.grid(cells=6), "CLOTH", cloth__bend=2e-4)
    lab.pin(cloth, [0])
    before = handlers(), classes()
    assert before[1]
    for _ in range(3):
        addon_utils.disable(lab.PACKAGE)
        assert not classes(), classes()
        assert not hasattr(bpy.types.Object, "tribo") and not hasattr(bpy.types.Scene, "tribo")
        assert addon_utils.enable(lab.PACKAGE, default_set=True)
        assert (handlers(), classes()) == before
    lab.close(cloth.tribo.cloth.bend, 2e-4, 1e-9, "bend")
    assert cloth.tribo.kind == "CLOTH" and cloth.tribo.pin_group == "Pin"

    scene.frame_set(1)
    scene.frame_set(2)
    assert lab.addon("live").running
    job = lab.addon("jobs").Job(scene, bpy.context.view_layer)
    lab.addon("live").forget()
    while job.advance() and job.state != "baking":
        pass
    addon_utils.disable(lab.PACKAGE)  # in the midst of a bake
    assert job.state == "cancelled", job.state
    bpy.ops.preferences.addon_refresh()
    assert addon_utils.enable(lab.PACKAGE, default_set=True)
    assert (handlers(), classes()) == before
    scene.frame_end = 3
    lab.bake()
    bpy.ops.wm.read_homefile(use_factory_startup=True)
