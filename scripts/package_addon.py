#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the Blender add-on into a zip.

    package_addon.py MODULE_FOLDER OUT_FOLDER

MODULE_FOLDER holds _tribo.abi3.so and lib/. Files are listed by name, in order, with the time of the
last commit, so that the same sources give the same bytes.
"""

import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = ("native", "__pycache__")
ENDINGS = (".py", ".toml", ".pyi", ".blend", ".png")


def version():
    """That of the manifest; the core's, the add-on's and the manifest's must agree."""
    places = {
        "plugin_blender/blender_manifest.toml": r'^version = "([^"]+)"',
        "core/include/tribo/base.h": r'TRIBO_VERSION_STRING "([^"]+)"',
        "plugin_blender/__init__.py": r'"version": \(([^)]+)\)',
    }
    found = {}
    for name, pattern in places.items():
        match = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.M)
        if not match:
            sys.exit(f"package-addon: {name} states no version")
        found[name] = match[1].replace(", ", ".")
    if len(set(found.values())) > 1:
        sys.exit(f"package-addon: versions differ: {found}")
    return next(iter(found.values()))


def commit_time():
    """Of the last commit; without git, a fixed day."""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        seconds = int(subprocess.run(git, capture_output=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        seconds = 1_700_000_000
    return time.gmtime(seconds)[:6]


def addon_files():
    """(path in the zip, file) of Python, the manifest and the like; not the C of the module."""
    base = ROOT / "plugin_blender"
    for path in base.rglob("*"):
        parts = path.relative_to(base).parts
        if path.is_file() and path.suffix in ENDINGS and not any(p in LEFT_OUT for p in parts):
            yield "/".join(parts), path


def shader_files():
    base = ROOT / "shaders"
    for path in base.rglob("*"):
        if path.is_file() and path.suffix != ".md":
            yield "shaders/" + "/".join(path.relative_to(base).parts), path


def module_files(folder):
    yield "_tribo.abi3.so", folder / "_tribo.abi3.so"
    for path in (folder / "lib").iterdir():
        yield f"lib/{path.name}", path


def main():
    module, out = Path(sys.argv[1]), Path(sys.argv[2])
    files = dict(addon_files())
    files.update(shader_files())
    files.update(module_files(module))
    files["LICENSE"] = ROOT / "LICENSE"
    for needed in ("__init__.py", "blender_manifest.toml", "_tribo.abi3.so"):
        if needed not in files:
            sys.exit(f"package-addon: {needed} is missing")
    out.mkdir(parents=True, exist_ok=True)
    target, when = out / f"tribo-{version()}.zip", commit_time()
    partial = target.with_suffix(".zip.tmp")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"tribo/{name}", when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            archive.writestr(entry, files[name].read_bytes())
    partial.replace(target)
    print(f"{target}: {len(files)} files, {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
