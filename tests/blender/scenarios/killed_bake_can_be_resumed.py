# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender killed during a bake: the file says interrupted, never running, and Resume gives the bits of
an undisturbed bake."""

import os
import signal
import subprocess
import time

import bpy
import lab

SECONDS = 120


def run():
    scene = lab.empty_scene(1, 40)
    cloth = lab.make(lab.grid(cells=16), "CLOTH")  # hangs by two corners
    lab.pin(cloth, [0, 16])
    lab.save()
    script = lab.script()
    line = [os.environ["TRIBO_BLENDER"], "-b", "--factory-startup", lab.path("shot.blend"), "-P", script]
    folder = lab.path("tribo_cache_shot", "Scene")
    with open(lab.path("child.log"), "w", encoding="utf-8") as log:
        child = subprocess.Popen(line, stdout=log, stderr=log)
        stats = os.path.join(folder, "stats.jsonl")
        until = time.monotonic() + 40
        while time.monotonic() < until:
            if os.path.exists(stats) and open(stats, "rb").read().count(b"\n") >= 4:
                break
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene, caches = bpy.context.scene, lab.addon("bridge.caches")
    assert not lab.addon("jobs").running
    assert caches.status(scene) == "interrupted", caches.status(scene)
    assert "press Resume" in caches.sentence(scene)
    lab.resumes_to_the_bits(scene, folder, 40)
