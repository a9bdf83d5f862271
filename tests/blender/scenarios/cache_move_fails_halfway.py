# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache that is moved to another disk, which is full half-way: nothing is lost, nothing half stays there,
and with room it moves."""

import os
import resource
import signal
import tempfile

import bpy
import lab


def run():
    if not os.access("/dev/shm", os.W_OK) or os.stat("/dev/shm").st_dev == os.stat(lab.path()).st_dev:
        print("skipped: there is no second disk")
        return
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    lab.hanging(8, 12)
    lab.save()
    folder = lab.bake()
    before = sorted(os.listdir(folder))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
        scene = bpy.context.scene
        scene.tribo.use_custom_folder, scene.tribo.custom_folder = True, os.path.join(other, "cache")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
        try:
            lab.error_of(bpy.ops.tribo.cache_here, mode="MOVE")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert sorted(os.listdir(folder)) == before
        assert not os.path.exists(scene.tribo.custom_folder), os.listdir(scene.tribo.custom_folder)
        assert lab.cache_folder() == folder
        lab.plays(bpy.data.objects["Cloth"])
        assert bpy.ops.tribo.cache_here(mode="MOVE") == {"FINISHED"}
        assert lab.cache_folder() == scene.tribo.custom_folder
        assert not os.path.exists(folder)
        lab.plays(bpy.data.objects["Cloth"])
        assert bpy.ops.tribo.free() == {"FINISHED"}
        assert os.listdir(other) == []
