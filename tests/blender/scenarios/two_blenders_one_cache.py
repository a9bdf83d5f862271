# SPDX-License-Identifier: GPL-3.0-or-later
"""While one Blender bakes, another that bakes the same file is refused and harms nothing; afterwards it
may."""

import shutil

import bpy
import lab


def run():
    lab.hanging(6, 12)
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("alone"))
    bpy.context.scene.frame_end = 400
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
