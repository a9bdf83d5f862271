#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the source files as text.

    source.py ROOT format   every C file is as clang-format leaves it (exit 77 without clang-format)
    source.py ROOT length   every source file is shorter than 600 lines
    source.py ROOT functions   no function is longer than 60 lines
    source.py ROOT words    no work left undone is marked in a file, and no path of someone's machine
    source.py ROOT docs     every link between the docs leads somewhere, and the code that
                            docs/library.md shows is docs/example.c
"""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
LONGEST = 599  # lines of a file, and of a function: docs/rooms.md
LONGEST_FUNCTION = 60
LEFT_OUT = ("build", "out", ".git")
SOURCE = (".c", ".C", ".cpp", ".h", ".inl", ".py", ".sh", ".txt", ".cmake", ".in", ".json", ".md", "")
CODE = (".c", ".C", ".cpp", ".h", ".inl", ".py", ".sh")

# Written in two halves, so that this file does not find itself.
MARKS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
MACHINE = re.compile(r"(?<![\w.$}~*-])/(?:ho" r"me|wo" r"rk|ro" r"ot|Us" r"ers)/")


def tracked(root):
    """What git tracks; without git (a tarball), everything but what is made."""
    git = ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"]
    try:
        listed = subprocess.run(git, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = []
    names = [Path(name) for name in listed if name] or [p.relative_to(root) for p in root.rglob("*")]
    return sorted(
        n for n in names if n.parts[0] not in LEFT_OUT and (root / n).is_file() and n.suffix in SOURCE
    )


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def check_format(root):
    if not shutil.which("clang-format"):
        print("clang-format is not installed")
        sys.exit(SKIPPED)
    files = [str(root / n) for n in tracked(root) if n.suffix in (".c", ".C", ".cpp", ".h")]
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file", *files])
    return len(files), ["run clang-format -i on the files above"] if run.returncode else []


def check_length(root):
    files = [n for n in tracked(root) if n.suffix in CODE]
    faults = []
    for name in files:
        count = len(lines_of(root / name))
        if count > LONGEST:
            faults.append(f"{name}: {count} lines; split it below {LONGEST + 1}")
    return len(files), faults


def functions_of_c(lines):
    """Name and first and last line of every function, in code as clang-format leaves it: from a line
    that begins in the first column to a closing brace there."""
    first = None
    for number, line in enumerate(lines, 1):
        if line.startswith("}"):
            head = " ".join(lines[first - 1:number]).split("{")[0] if first else ""
            if "(" in head and "=" not in head and not head.startswith(("typedef", "struct", "enum", "union")):
                yield head.split("(")[0].split()[-1], first, number
            first = None
        elif line and (line[0].isalpha() or line[0] == "_"):
            first = number


def functions_of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def check_functions(root):
    faults, count = [], 0
    for name in tracked(root):
        if name.suffix in (".c", ".C", ".cpp", ".h", ".inl"):
            found = functions_of_c(lines_of(root / name))
        elif name.suffix == ".py":
            found = functions_of_python((root / name).read_text(encoding="utf-8"))
        else:
            continue
        count += 1
        for function, first, last in found:
            if last - first + 1 > LONGEST_FUNCTION:
                faults.append(f"{name}:{first}: {function} has {last - first + 1} lines; "
                              f"split it to {LONGEST_FUNCTION} at most")
    return count, faults


def check_words(root):
    files = [n for n in tracked(root) if n.name != "LICENSE"]
    faults = []
    for name in files:
        for number, line in enumerate(lines_of(root / name), 1):
            for pattern, what in ((MARKS, "marks work left undone"), (MACHINE, "a path of a machine")):
                if pattern.search(line):
                    faults.append(f"{name}:{number}: {what}: {line.strip()}")
    return len(files), faults


def check_docs(root):
    files = [n for n in tracked(root) if n.suffix == ".md"]
    faults = []
    for name in files:
        text = (root / name).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in link and not (root / name.parent / link).exists():
                faults.append(f"{name}: links to {link}, which is not there")
    shown = re.findall(r"```c\n(.*?)```", (root / "docs/library.md").read_text(encoding="utf-8"), re.S)
    if (root / "docs/example.c").read_text(encoding="utf-8") not in shown:
        faults.append("docs/library.md: what it shows is not docs/example.c; copy it there again")
    return len(files), faults


def main():
    checks = {"format": check_format, "length": check_length, "functions": check_functions,
              "words": check_words, "docs": check_docs}
    count, faults = checks[sys.argv[2]](Path(sys.argv[1]))
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{count} files, {len(faults)} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
