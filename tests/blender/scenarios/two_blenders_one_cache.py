# SPDX-License-Identifier: GPL-3.0-or-later
"""While one Blender bakes, another that bakes, frees or moves the same cache is refused and harms nothing;
afterwards it may, also when the first was killed."""

import os
import shutil
import subprocess
import time

import bpy
import lab


def run():
    lab.hanging(6, 12)
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("alone"))
    bpy.context.scene.frame_end = 20000
    lab.save()
    job = lab.begin_job(3)
    other = lab.another_blender("--factory-startup", lab.path("shot.blend"), "-P", lab.script(), "--",
                                "--end", "12", expect=None)
    assert other.returncode not in (0, 130), other.stdout
    assert "bake" in other.stderr, other.stderr
    assert job.advance(), "the other Blender stopped this bake"
    job.cancel()
    lab.another_blender("--factory-startup", lab.path("shot.blend"), "-P", lab.script(), "--", "--end",
                        "12")
    lab.same_files(folder, lab.path("alone"), ["Cloth.pc2", "Cloth.local.pc2"])
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene, caches = bpy.context.scene, lab.addon("bridge.caches")
    line = [os.environ["TRIBO_BLENDER"], "-b", "--factory-startup", lab.path("shot.blend"), "-P", lab.script()]
    with open(lab.path("child.log"), "w", encoding="utf-8") as log:
        child = subprocess.Popen(line, stdout=log, stderr=log)
        until = time.monotonic() + 40
        while caches.status(scene) != "running" and time.monotonic() < until:
            time.sleep(0.02)
        try:
            assert caches.status(scene) == "running"
            assert "is being baked" in lab.error_of(bpy.ops.tribo.free)
            scene.tribo.use_custom_folder, scene.tribo.custom_folder = True, lab.path("elsewhere")
            assert "is being baked" in lab.error_of(bpy.ops.tribo.cache_here, mode="MOVE")
            scene.tribo.use_custom_folder = False
            assert child.poll() is None, "the other bake broke"
        finally:
            child.kill()
            child.wait()
    assert caches.status(scene) == "interrupted", caches.status(scene)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert not os.path.exists(folder)
