# SPDX-License-Identifier: GPL-3.0-or-later
"""The farm script: 0 done, 2 for a scene or options that are wrong, 4 for the disk, 6 for what came out rough
where that is asked for, 130 when it is stopped; --resume goes on, starts what was never started, and is happy with what is done. A scene that no
window shows bakes to the same bits."""

import os
import shutil
import signal
import subprocess
import time

import bpy
import lab

SECONDS = 150


def farm(*options, expect=0):
    return lab.another_blender("--factory-startup", lab.path("shot.blend"), "-P", lab.script(), "--",
                               *options, expect=expect)


def stopped_by(number, folder):
    line = [os.environ["TRIBO_BLENDER"], "-b", "--factory-startup", lab.path("shot.blend"), "-P",
            lab.script(), "--", "--end", "600"]
    with open(lab.path("child.log"), "w", encoding="utf-8") as log:
        child = subprocess.Popen(line, stdout=log, stderr=log)
        stats = os.path.join(folder, "stats.jsonl")
        until = time.monotonic() + 40
        while time.monotonic() < until and child.poll() is None:
            if os.path.exists(stats) and open(stats, "rb").read().count(b"\n") >= 3:
                break
            time.sleep(0.02)
        child.send_signal(number)
        return child.wait(timeout=30)


def what_came_out_rough():
    lab.cloth_through_cloth()
    lab.save()
    said = farm().stdout
    assert "rough: " in said and "at frame 5" in said, said
    assert '"exit": 6' in farm("--strict", "--progress", "json", expect=6).stdout
    bpy.context.scene.tribo.world.quality = "good"
    lab.save()
    assert "info: quality good: method Fast" in farm().stdout
    bpy.context.scene.tribo.world.quality = "custom"
    shutil.rmtree(lab.path("tribo_cache_shot"))
    bpy.context.scene.tribo.cache_at = bpy.context.scene.tribo.cache_beside = ""


def run():
    what_came_out_rough()
    lab.hanging(8, 10)
    lab.save()
    folder = lab.path("tribo_cache_shot", "Scene")
    assert stopped_by(signal.SIGTERM, folder) == 130
    assert lab.bake_json(folder)["status"] == "cancelled"
    frames = len(lab.cached(folder, "Cloth"))
    done = farm("--resume", "--progress", "json", "--end", str(frames + 2))
    assert len(lab.cached(folder, "Cloth")) == frames + 2
    assert '"status": "done"' in done.stdout, done.stdout
    shutil.rmtree(folder)
    done = farm("--resume")
    assert "done: " + folder in done.stdout, done.stdout
    shutil.copytree(folder, lab.path("first"))
    farm("--resume", "--progress", "none")
    lab.same_files(folder, lab.path("first"), ["Cloth.pc2", "Cloth.local.pc2"])
    assert "last frame" in farm("--start", "9", "--end", "3", expect=2).stderr
    farm("--nonsense", expect=2)
    bpy.data.objects["Cloth"].tribo.pin_group = "Gone"
    bpy.data.scenes.new("Empty")
    lab.save()
    assert "has no vertex group 'Gone'" in farm(expect=2).stderr
    assert "Nothing to simulate" in farm("--scene", "Empty", expect=2).stderr
    bpy.data.objects["Cloth"].tribo.pin_group = "Pin"
    bpy.context.window.scene = bpy.data.scenes["Empty"]
    lab.save()
    farm("--scene", "Scene")
    lab.same_files(folder, lab.path("first"), ["Cloth.pc2", "Cloth.local.pc2"])
    shutil.rmtree(os.path.dirname(folder))
    with open(os.path.dirname(folder), "w", encoding="utf-8") as file:
        file.write("a file in the way")
    assert "tribo_cache_shot" in farm("--scene", "Scene", expect=4).stderr
