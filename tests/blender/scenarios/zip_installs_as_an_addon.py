# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip of scripts/package-addon, installed by Blender's own operator into an empty home and switched on:
it bakes to the bits of the sources' add-on, is found enabled by the next start, and goes without a trace."""

import os
import subprocess

import bpy
import lab

SECONDS = 120

INSTALL = """
import bpy, sys
assert bpy.ops.preferences.addon_install(filepath=sys.argv[-1]) == {"FINISHED"}
assert bpy.ops.preferences.addon_enable(module="tribo") == {"FINISHED"}
assert bpy.ops.wm.save_userpref() == {"FINISHED"}
print("VERSION", sys.modules["tribo"].bl_info["version"], sys.modules["tribo.library"].tribo.version())
"""

BAKE = """
import bpy
bpy.ops.wm.open_mainfile(filepath={blend!r})
assert bpy.ops.tribo.bake() == {{"FINISHED"}}
"""

REMOVE = """
import bpy, os
assert bpy.ops.preferences.addon_disable(module="tribo") == {"FINISHED"}
area = bpy.context.window_manager.windows[0].screen.areas[0]  # the operator draws there
with bpy.context.temp_override(area=area):
    assert bpy.ops.preferences.addon_remove(module="tribo") == {"FINISHED"}
left = os.path.join(bpy.utils.user_resource("SCRIPTS"), "addons", "tribo")
assert not os.path.exists(left), left
"""


def blender(home, text, *arguments):
    env = dict(os.environ, HOME=home, BLENDER_USER_RESOURCES=home, BLENDER_USER_CONFIG=home + "/config",
               BLENDER_USER_SCRIPTS=home + "/scripts")
    script = lab.path("step.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    line = [os.environ["TRIBO_BLENDER"], "-b", "--python-exit-code", "1", "-P", script, "--", *arguments]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=60)
    output = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in output, output
    return output


def run():
    archive = lab.made_zip()
    lab.hanging(4, 6)
    lab.save()
    folder = lab.bake()
    bpy.ops.wm.save_as_mainfile(filepath=lab.path("other.blend"), copy=True)
    home = lab.path("home")
    os.makedirs(os.path.join(home, "config"))
    os.makedirs(os.path.join(home, "scripts", "addons"))
    assert "VERSION" in blender(home, INSTALL, archive)
    blender(home, BAKE.format(blend=lab.path("other.blend")))
    lab.same_files(folder, lab.path("tribo_cache_other", "Scene"), ["Cloth.pc2", "Cloth.local.pc2"])
    blender(home, REMOVE)
