# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's zip: what is in it, and that Blender installs it as a legacy add-on."""

import os
import shutil
import subprocess
import sys
import tomllib
import unittest
import zipfile
from pathlib import Path

import support
from support import Case

ROOT = Path(__file__).resolve().parents[3]

# Runs in Blender: installs as the Preferences do, enables, bakes, disables.
INSTALL = """
import sys, bpy
archive, folder = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.preferences.addon_install(filepath=archive)
bpy.ops.preferences.addon_enable(module="tribo")
import tribo
from tribo import library
assert library.tribo, library.PROBLEM
assert tribo.__file__.startswith(bpy.utils.user_resource("SCRIPTS")), tribo.__file__
import array
scene = library.tribo.Scene()
scene.set("time.end", 3)
scene.add("sheet", "cloth", array.array("f", [0, 0, 0, 1, 0, 0, 0, 1, 0]), array.array("i", [0, 1, 2]))
bake = scene.bake(folder)
bake.join()
assert bake.poll()["status"] == "done", bake.poll()
import os
assert "OMP_WAIT_POLICY" not in os.environ
maps = open("/proc/self/maps").read()
assert tribo.__file__.replace("__init__.py", "lib/libmetis") in maps, "METIS is not the one in the zip"
bpy.ops.preferences.addon_disable(module="tribo")
print("installed and baked")
"""


class Zip(Case):
    def setUp(self):
        super().setUp()
        if not (support.MODULE.parent / "lib").is_dir():
            self.skipTest("the module was linked for this machine only")

    def make(self, name):
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/package_addon.py", support.MODULE.parent, self.folder / name],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        (made,) = (self.folder / name).iterdir()
        return made

    def test_one_folder_with_all_that_is_needed(self):
        made = self.make("a")
        with zipfile.ZipFile(made) as archive:
            names = archive.namelist()
            manifest = tomllib.loads(archive.read("tribo/blender_manifest.toml").decode())
        # Blender before 4.2 wants a folder, later ones take one that holds the manifest.
        self.assertEqual({name.split("/")[0] for name in names}, {"tribo"})
        for needed in ("__init__.py", "_tribo.abi3.so", "lib/libmetis.so.5", "LICENSE"):
            self.assertIn(f"tribo/{needed}", names)
        self.assertTrue(any(name.startswith("tribo/shaders/") for name in names))
        wanted = {"__init__", "blender_manifest"}
        self.assertLessEqual(wanted, {Path(name).stem for name in names})
        for name in names:
            self.assertNotRegex(name, r"\.(c|h|pyc)$|/native/|__pycache__")
        self.assertEqual(made.name, f"tribo-{manifest['version']}.zip")
        self.assertEqual(manifest["version"], support._tribo.version())
        self.assertEqual(manifest["platforms"], ["linux-x64"])
        # Limits that Blender's own check sets for permissions: 64 characters, no full stop.
        for reason in manifest.get("permissions", {}).values():
            self.assertLessEqual(len(reason), 64)
            self.assertNotIn(reason[-1], ".!?")
        self.assertLessEqual(len(manifest["tagline"]), 64)

    def test_the_same_sources_give_the_same_bytes(self):
        self.same_file(self.make("a"), self.make("b"))

    def test_installs_in_blender(self):
        blender = shutil.which("blender")
        if not blender:
            self.skipTest("there is no Blender")
        script = self.folder / "install.py"
        script.write_text(INSTALL, encoding="utf-8")
        user = self.folder / "user"
        user.mkdir()
        env = dict(os.environ, HOME=str(user), BLENDER_USER_RESOURCES=str(user))
        for name in ("BLENDER_USER_SCRIPTS", "BLENDER_USER_CONFIG", "OMP_WAIT_POLICY"):
            env.pop(name, None)
        env["OMP_DISPLAY_ENV"] = "true"  # each OpenMP in the process tells how it waits
        done = subprocess.run(
            [blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", script, "--",
             self.make("a"), self.folder / "bake"],
            env=env, capture_output=True, text=True, timeout=300,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("installed and baked", done.stdout)
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        self.assertIn("OMP_WAIT_POLICY = 'PASSIVE'", done.stderr)


if __name__ == "__main__":
    unittest.main()
