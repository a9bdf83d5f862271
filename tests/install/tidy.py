#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy on the C files of a build, with the checks of .clang-tidy.

    tidy.py ROOT BUILD tidy [FOLDER ...]      all checks but the analyzer: seconds
    tidy.py ROOT BUILD analyzer [FOLDER ...]  the analyzer alone: minutes

Exit 77 without clang-tidy. Assertions are left in: they tell the analyzer what cannot be."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
FOLDERS = ("core/src", "core/cli", "plugin_blender/native", "plugin_houdini_hdk", "tests/scenes", "tests/conformance")
ANALYZED = ("core/src",)
CHECKS = {"tidy": "-clang-analyzer-*", "analyzer": "-bugprone-*,-readability-*"}
PER_CALL = 12


def sources(root, build, folders):
    """The C files under the folders that the build compiles."""
    with open(build / "compile_commands.json", encoding="utf-8") as file:
        found = {Path(entry["file"]) for entry in json.load(file)}
    wanted = [root / folder for folder in folders]
    return sorted(str(f) for f in found if f.suffix == ".c" and any(w in f.parents for w in wanted))


def run(build, which, files):
    command = ["clang-tidy", "--quiet", "-p", str(build), "--checks=" + CHECKS[which],
               "--extra-arg=-UNDEBUG", "--extra-arg=-Wno-unknown-warning-option",
               "--extra-arg=-Wno-error", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, "\n".join(l for l in done.stdout.splitlines() if l.strip())


def main():
    root, build, which = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
    if not shutil.which("clang-tidy"):
        print("clang-tidy is not installed")
        return SKIPPED
    files = sources(root, build, sys.argv[4:] or (ANALYZED if which == "analyzer" else FOLDERS))
    if not files:
        print("no files to look at", file=sys.stderr)
        return 1
    parts = [files[i:i + PER_CALL] for i in range(0, len(files), PER_CALL)]
    jobs = int(os.environ.get("TIDY_JOBS", "1"))
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda part: run(build, which, part), parts))
    for code, said in results:
        if said:
            print(said)
    failed = any(code for code, _ in results)
    print(f"{len(files)} files: {'there are faults' if failed else 'nothing found'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
