# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on switched off, and scripts reloaded, while a scene is baked: the job ends, and switched on
again the bake can be resumed to the bits of an undisturbed one."""

import shutil

import addon_utils
import bpy
import lab


def handlers():
    return sorted(f.__module__ for f in bpy.app.handlers.frame_change_post)


def run():
    before = handlers()
    lab.hanging()
    lab.save()
    job = lab.begin_job(3)
    addon_utils.disable(lab.PACKAGE)
    assert not job.is_alive() and not hasattr(bpy.types.Scene, "tribo")
    assert not [f for f in bpy.app.handlers.frame_change_post if "tribo" in f.__module__]
    bpy.context.scene.frame_set(5)
    addon_utils.enable(lab.PACKAGE)
    caches = lab.addon("bridge.caches")
    assert caches.status(bpy.context.scene) == "cancelled"
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    folder = lab.cache_folder()
    shutil.copytree(folder, lab.path("resumed"))
    job = lab.begin_job(3)
    bpy.utils.load_scripts(reload_scripts=True)  # what the operator does a moment later
    assert not job.is_alive(), job.state
    assert not lab.addon("jobs").running
    job = lab.begin_job()
    bpy.utils.load_scripts(reload_scripts=True)  # what the operator does a moment later
    assert not job.is_alive() and not lab.addon("jobs").running
    lab.bake()
    lab.same_files(folder, lab.path("resumed"), ["Cloth.pc2", "Cloth.local.pc2"])
    for _ in range(5):
        addon_utils.disable(lab.PACKAGE)
        addon_utils.enable(lab.PACKAGE)
    lab.plays(bpy.data.objects["Cloth"])
    assert handlers() == before, (handlers(), before)
