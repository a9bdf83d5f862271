# SPDX-License-Identifier: GPL-3.0-or-later
"""100 bakes and frees of a scene with a collider, a cloth and a soft body take no more memory than the
first ten, and leave no file and no thread behind."""

import gc
import os

import bpy
import lab

SECONDS = 280
LONG = True


def memory():
    """Of this process, in MB."""
    gc.collect()
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def run():
    scene = lab.empty_scene(1, 3)
    lab.make(lab.box("Block", (2, 2, 0.2)), "COLLIDER")
    lab.make(lab.grid("Cloth", 20, 1.0, (0, 0, 0.15)), "CLOTH")
    lab.make(lab.box("Soft", (0.3, 0.3, 0.3), (3, 0, 1)), "SOLID", fill__fill_from="lattice", fill__cells=4)
    lab.save()
    at = []
    for i in range(100):
        lab.bake()
        scene.frame_set(3)
        assert bpy.ops.tribo.free() == {"FINISHED"}
        if i in (9, 54, 99):
            at.append((memory(), len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))))
    print("memory, files, threads after 10, 55 and 100 cycles:", at)
    assert at[2][0] < at[0][0] + 8.0, at  # a leak of one mesh a cycle would be 9 MB
    assert at[2][1] <= at[0][1] and at[2][2] <= at[0][2], at
    assert not os.path.exists(lab.path("tribo_cache_shot"))
