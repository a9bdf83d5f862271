# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender quits while a bake runs, by its operator and by the end of a script: soon, without a crash or a
complaint, and the bake can be resumed to the bits of an undisturbed one."""

import shutil
import time

import bpy
import lab

SCRIPT = """
import bpy, sys
import addon_utils
addon_utils.enable({package!r}, default_set=True)
bpy.ops.wm.open_mainfile(filepath={blend!r})
import importlib
jobs = importlib.import_module({package!r} + ".jobs")
job = jobs.Job(bpy.context.scene, bpy.context.view_layer)
while not (job.poll and (job.poll["frame"] or 0) >= 3):
    assert job.advance(), job.message
print("QUITS")
{end}
"""


def run():
    lab.hanging(6, 400)
    lab.save()
    for end in ("bpy.ops.wm.quit_blender()", "pass", "sys.exit(0)", f"addon_utils.disable({lab.PACKAGE!r})"):
        with open(lab.path("quit.py"), "w", encoding="utf-8") as file:
            file.write(SCRIPT.format(blend=lab.path("shot.blend"), package=lab.PACKAGE, end=end))
        begin = time.monotonic()
        done = lab.another_blender("--factory-startup", "--python-exit-code", "1", "-P", lab.path("quit.py"))
        assert "QUITS" in done.stdout, done.stdout + done.stderr
        assert "Not freed" not in done.stdout + done.stderr, done.stdout + done.stderr
        assert time.monotonic() - begin < 40
    scene = bpy.context.scene
    folder, caches = lab.path("tribo_cache_shot", "Scene"), lab.addon("bridge.caches")
    assert caches.status(scene) in ("cancelled", "interrupted"), caches.status(scene)
    scene.frame_end = max(12, len(lab.cached(folder, "Cloth")) + 2)
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    shutil.copytree(folder, lab.path("resumed"))
    lab.bake()
    lab.same_files(folder, lab.path("resumed"), ["Cloth.pc2", "Cloth.local.pc2"])
