#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks every #include line of the core against the table of docs/rooms.md.

    rooms.py ROOT

A room includes only rooms of strictly lower rank. Everyone may include tribo/base.h; the other
public headers are for rank 3 and up. core/cli sees the public headers and its own files only, and so
do plugin_blender/native, whose comb sees base, math and geom too, and plugin_houdini_hdk. Every folder of core/src is a room
of the table, and every room of the table is a folder. Threads are the business of base: OpenMP
appears nowhere else.
"""

import re
import sys
from pathlib import Path

ROW = re.compile(r"^\|\s*([a-z]+)\s*\|\s*(\d+)\s*\|")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP = re.compile(r'^\s*#\s*(pragma\s+omp\b|include\s*[<"]omp\.h[>"])')
PUBLIC_RANK = 3
COMB_ROOMS = ("base", "math", "geom")


def read_ranks(path):
    ranks = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = ROW.match(line)
        if row:
            ranks[row[1]] = int(row[2])
    return ranks


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".inl"))


def includes(path):
    """(line number, written in quotes or not, what is included)"""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1] == '"', found[2]


def check_room_include(room, name, ranks):
    """Why a file of `room` may not include `name`, or None."""
    other = name.split("/")[0]
    if other == "tribo":
        if name == "tribo/base.h" or ranks[room] >= PUBLIC_RANK:
            return None
        return f"{room} has rank {ranks[room]}: of the public headers it may see only tribo/base.h"
    if "/" not in name:
        return f'write it with its room, as "{room}/{name}"'
    if other not in ranks:
        return f"docs/rooms.md has no room '{other}'"
    if other != room and ranks[other] >= ranks[room]:
        return f"{other} (rank {ranks[other]}) is not below {room} (rank {ranks[room]})"
    return None


def main():
    root = Path(sys.argv[1])
    core = root / "core"
    ranks = read_ranks(root / "docs" / "rooms.md")
    faults = []
    seen = 0

    folders = {p.name for p in (core / "src").iterdir() if p.is_dir()}
    faults += [f"core/src/{name}: not in the table of docs/rooms.md" for name in folders - set(ranks)]
    faults += [f"docs/rooms.md: there is no core/src/{name}" for name in set(ranks) - folders]

    for path in sources(core / "src"):
        room = path.relative_to(core / "src").parts[0]
        if room not in ranks:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if OPENMP.match(line) and room != "base":
                faults.append(f"{path.relative_to(root)}:{number}: OpenMP outside base; use tasks_for")
        for number, quoted, name in includes(path):
            seen += 1
            if quoted:
                why = check_room_include(room, name, ranks)
                if why:
                    faults.append(f"{path.relative_to(root)}:{number}: includes {name}: {why}")

    for path in sources(core / "include"):
        for number, quoted, name in includes(path):
            seen += 1
            if quoted and not name.startswith("tribo/"):
                faults.append(f"{path.relative_to(root)}:{number}: a public header includes {name}")

    for path in sources(core / "cli"):
        for number, quoted, name in includes(path):
            seen += 1
            if quoted and not name.startswith("tribo/") and not (path.parent / name).is_file():
                faults.append(f"{path.relative_to(root)}:{number}: the program may not see {name}")

    for path in sources(root / "plugin_blender" / "native"):
        for number, quoted, name in includes(path):
            seen += 1
            seen_by_comb = path.name.startswith("comb") and name.split("/")[0] in COMB_ROOMS
            if quoted and not name.startswith("tribo/") and not seen_by_comb and not (path.parent / name).is_file():
                faults.append(f"{path.relative_to(root)}:{number}: the module may not see {name}")

    houdini = root / "plugin_houdini_hdk"
    beside = (houdini, root / "plugin_blender" / "native")  # whose worker it shares
    for path in [*sources(houdini), *houdini.glob("*.C")]:
        for number, quoted, name in includes(path):
            seen += 1
            if quoted and not any((folder / name).is_file() for folder in (path.parent, *beside)):
                faults.append(f"{path.relative_to(root)}:{number}: the plugin may not see {name}")

    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(ranks)} rooms, {seen} includes, {len(faults)} faults")
    return 1 if faults or not ranks or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
