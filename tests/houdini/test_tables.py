#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written from tables is what the tables say.

    test_tables.py ROOT TRIBO_HOUDINI            compares
    test_tables.py ROOT TRIBO_HOUDINI --write    writes anew what is made: after a new parameter
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]), sys.argv[2]
PLUGIN = ROOT / "plugin_houdini_hdk"


def said(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def pages():
    """(file, what it is to hold)"""
    page = PLUGIN / "help/nodes/sop/tribo--solver-1.0.txt"
    head = page.read_text().split("@parameters\n")[0]
    yield PLUGIN / "otls/tribo_bake.hda/tribo_8_8Sop_1bake/DialogScript", said("dialog")
    yield page, f"{head}@parameters\n{said('parameters')}"


def faults():
    for path, text in pages():
        if path.read_text() != text:
            yield f"{path} is not what the tables say: run this test with --write"
    names = {}
    exec((ROOT / "plugin_blender/logic/presets.py").read_text(), names)
    wanted = {(kind, material, group, name, float(value))
              for kind, material, group, name, value in names["all_values"]()}
    row = re.compile(r'\{TRIBO_(\w+), "(\w+)", "(\w+)", "(\w+)", ([^}]+)\}')
    code = (PLUGIN / "logic/materials.c").read_text()
    found = [(k, m, g, n, float(v)) for k, m, g, n, v in row.findall(code)]
    for one in sorted(wanted ^ set(found)):
        yield f"materials.c and presets.py differ in {one}"
    for kind, first in names["FIRST"].items():
        if next(one[1] for one in found if one[0] == kind) != first:
            yield f"materials.c: {kind} does not begin with {first}"
    for name in ("FIRMNESS", "SIZE", "GRAVITY"):
        if float(re.search(rf"#define {name} +(\S+)", code)[1]) != names[name]:
            yield f"materials.c: {name} is not that of presets.py"


def main():
    if "--write" in sys.argv:
        for path, text in pages():
            path.write_text(text)
    found = list(faults())
    print("\n".join(found) or "tables agree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
