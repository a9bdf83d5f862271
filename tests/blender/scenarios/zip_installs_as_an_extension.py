# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip of scripts/package-addon as an extension, by Blender's own commands and in an empty home: its
manifest is valid, it is installed and switched on, bakes to the bits of this add-on, also by the farm
script, and is removed without a trace."""

import os
import subprocess

import bpy
import lab

SECONDS = 180
SINCE = (4, 2)

BAKE = """
import bpy
assert "bl_ext.user_default.tribo" in bpy.context.preferences.addons
bpy.ops.wm.open_mainfile(filepath={blend!r})
assert bpy.ops.tribo.bake() == {{"FINISHED"}}
"""


def blender(home, *arguments):
    """In a home of its own."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("BLENDER_USER_")}
    env.update(HOME=home, BLENDER_USER_RESOURCES=home)
    done = subprocess.run([os.environ["TRIBO_BLENDER"], "-b", *arguments], env=env, capture_output=True,
                          text=True, timeout=60)
    output = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in output, output
    return output


def run():
    archive = lab.made_zip()
    lab.hanging(4, 6)
    lab.save()
    folder = lab.bake()
    for name in ("other.blend", "farm.blend"):
        bpy.ops.wm.save_as_mainfile(filepath=lab.path(name), copy=True)
    home = lab.path("home")
    os.mkdir(home)
    assert "Success" in blender(home, "--command", "extension", "validate", archive)
    said = blender(home, "--command", "extension", "install-file", "-r", "user_default", "--enable", archive)
    assert 'Installed "tribo"' in said, said
    blender(home, "--python-exit-code", "1", "--python-expr", BAKE.format(blend=lab.path("other.blend")))
    place = os.path.join(home, "extensions", "user_default", "tribo")
    blender(home, lab.path("farm.blend"), "-P", os.path.join(place, "tribo_bake.py"))
    for name in ("other", "farm"):
        lab.same_files(folder, lab.path(f"tribo_cache_{name}", "Scene"), ["Cloth.pc2", "Cloth.local.pc2"])
    blender(home, "--command", "extension", "remove", "tribo")
    assert not os.path.exists(place), place
