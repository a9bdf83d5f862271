#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every program of claims is a test with the label of its folder, so that `ctest -L ROOM` runs all of a
room, whatever other labels a test has: labels.py SOURCE_FOLDER BUILD_FOLDER CTEST."""

import json
import subprocess
import sys
from pathlib import Path


def main():
    source, build, ctest = sys.argv[1:]
    shown = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True,
                           text=True, check=True)
    labels = {}
    for test in json.loads(shown.stdout)["tests"]:
        values = {p["name"]: p["value"] for p in test.get("properties", [])}
        labels[test["name"]] = values.get("LABELS", [])
    faults = [f"{name}: a test without a label" for name, given in labels.items() if not given]
    programs = [path for folder in ("core/*", "conformance", "physics", "scenes", "long")
                for path in Path(source, "tests").glob(f"{folder}/test_*.c")]
    for path in programs:
        room = path.parent.name
        name = path.stem.replace("test_", f"{room}_", 1)
        if room not in labels.get(name, []):
            faults.append(f"{path}: test {name} has the labels {labels.get(name)}, not {room}")
    if not programs:
        faults.append("there are no tests")
    print("\n".join(faults) or f"{len(programs)} programs of claims, each with the label of its room")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
