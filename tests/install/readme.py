#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what README.md tells: the scene it shows is written, checked and baked.

    readme.py ROOT TRIBO MAKE_SCENE WORK
"""

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path


def main():
    root, tribo, make_scene, work = (Path(word) for word in sys.argv[1:5])
    text = (root / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^ *```json\n(.*?)^ *```$", text, re.S | re.M)
    if not shown:
        print("README.md shows no scene", file=sys.stderr)
        return 1
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    scene = work / "first.json"
    scene.write_text(textwrap.dedent(shown[1]), encoding="utf-8")
    subprocess.run([make_scene, "demo", work / "demo" / "scene"], check=True)
    subprocess.run([tribo, "check", scene], check=True)
    subprocess.run([tribo, "bake", scene, "--out", work / "first", "--frames", "1:4"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
