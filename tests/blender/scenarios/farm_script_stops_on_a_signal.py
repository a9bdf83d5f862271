# SPDX-License-Identifier: GPL-3.0-or-later
"""tribo_bake.py: SIGTERM ends it with 130 after a frame, --resume goes on to the same bits, a complete
bake is done at once; a bad scene ends with 2 and an unwritable place with 4."""

import os
import re
import shutil
import signal
import subprocess
import time

import bpy
import lab

SECONDS = 120


def bake(*arguments, expect=0):
    return lab.another_blender("--factory-startup", lab.path("shot.blend"), "-P", lab.script(), "--", *arguments,
                               expect=expect)


def log_text():
    with open(lab.path("child.log"), encoding="utf-8") as file:
        return file.read()


def run():
    scene = lab.empty_scene(1, 2000)
    cloth = lab.make(lab.grid(cells=16), "CLOTH")
    lab.pin(cloth, [0, 16])
    lab.save()
    line = [os.environ["TRIBO_BLENDER"], "-b", "--factory-startup", lab.path("shot.blend"), "-P", lab.script()]
    with open(lab.path("child.log"), "w+", encoding="utf-8") as log:
        child = subprocess.Popen(line, stdout=log, stderr=log)
        until = time.monotonic() + 40
        while time.monotonic() < until and not re.search(r"frame \d+ of", log_text()):
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=20) == 130, (child.returncode, log_text())
    folder = lab.path("tribo_cache_shot", "Scene")
    done = len(lab.cached(folder, "Cloth"))
    assert 1 <= done < 2000
    end = str(done + 5)
    said = bake("--resume", "--end", end).stdout
    assert f"frame {end} of {end}" in said and "done" in said, said
    shutil.copytree(folder, lab.path("resumed"))
    assert "done" in bake("--resume", "--end", end).stdout
    bake("--end", end, "--progress", "none")
    lab.same_files(folder, lab.path("resumed"), ["Cloth.pc2", "Cloth.local.pc2"])
    cloth.tribo.kind = "NONE"
    lab.save()
    assert "Nothing to simulate" in bake(expect=2).stderr
    cloth.tribo.kind = "CLOTH"
    scene.tribo.use_custom_folder = True
    scene.tribo.custom_folder = "/proc/nowhere"
    lab.save()
    assert "/proc/nowhere" in bake(expect=4).stderr
