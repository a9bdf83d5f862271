# SPDX-License-Identifier: GPL-3.0-or-later
"""Unsaved, the cache waits in the temporary folder and moves beside the file with the first save. Save
As keeps playing it; a bake goes to the new file's own folder; Copy and Move bring it, Free leaves it."""

import os

import bpy
import lab


def plays(ob, folder):
    held = lab.cached(folder, "Cloth")
    return lab.farthest(lab.shown(ob, 5), held[4]) < 1e-6


def run():
    scene = lab.empty_scene(1, 5)
    cloth = lab.make(lab.grid(cells=4), "CLOTH")
    temporary = lab.bake()
    assert temporary.startswith(bpy.app.tempdir)
    assert plays(cloth, temporary)
    lab.save()
    first = lab.path("tribo_cache_shot", "Scene")
    assert lab.cache_folder() == first and not os.path.exists(temporary)
    assert plays(cloth, first)
    assert cloth.modifiers["Tribo"].filepath.startswith("//"), cloth.modifiers["Tribo"].filepath
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    assert plays(bpy.data.objects["Cloth"], first), "the file on disk points elsewhere"

    os.makedirs(lab.path("deep"))
    lab.save(os.path.join("deep", "other.blend"))
    bpy.ops.wm.open_mainfile(filepath=lab.path("deep", "other.blend"))
    scene, cloth = bpy.context.scene, bpy.data.objects["Cloth"]
    assert lab.cache_folder() == first
    assert plays(cloth, first)
    assert "belongs to another file" in lab.error_of(bpy.ops.tribo.resume)
    before = os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns
    assert bpy.ops.tribo.cache_here(mode="COPY") == {"FINISHED"}
    second = lab.path("deep", "tribo_cache_other", "Scene")
    assert lab.cache_folder() == second and plays(cloth, second)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert not os.path.exists(os.path.dirname(second))
    assert lab.cache_folder() == ""
    lab.bake()
    assert lab.cache_folder() == second
    assert os.stat(os.path.join(first, "Cloth.pc2")).st_mtime_ns == before

    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    lab.save("renamed.blend")
    assert bpy.ops.tribo.free() == {"FINISHED"}  # detaches: it is shot.blend's
    assert os.path.exists(os.path.join(first, "Cloth.pc2"))
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    lab.save("renamed.blend")
    assert bpy.ops.tribo.cache_here(mode="MOVE") == {"FINISHED"}
    assert not os.path.exists(first)
    assert plays(bpy.data.objects["Cloth"], lab.path("tribo_cache_renamed", "Scene"))
