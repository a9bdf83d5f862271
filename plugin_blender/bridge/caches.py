# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a scene's cache is.

Two places: `home` is where a bake of this scene in this file belongs; `playing` is the folder that
the scene plays, remembered in the file. They differ after Save As, after renaming the scene, and
until an unsaved file is saved. Nothing that belongs to another file is ever written to.
"""

import os

import bpy

from ..library import tribo
from ..logic import folders


def home(scene):
    settings = scene.tribo
    custom = settings.custom_folder if settings.use_custom_folder else ""
    if custom and (bpy.data.filepath or not custom.startswith("//")):  # beside what is not saved: nowhere
        return os.path.abspath(bpy.path.abspath(custom))
    return folders.of_blend(bpy.data.filepath, scene.name, bpy.app.tempdir)


def playing(scene):
    """The folder with the bake that plays; "" where there is none. A bake at home plays although the
    file does not know of it: a farm made it, or Blender went down before the file was saved."""
    settings = scene.tribo
    remembered = [bpy.path.abspath(path) for path in (settings.cache_beside, settings.cache_at) if path]
    if bpy.data.filepath or home(scene) in _made:
        remembered.append(home(scene))
    for path in remembered:
        folder = os.path.abspath(path)
        if folders.has_bake(folder):
            return folder
    return ""


_made = set()  # folders of caches since the file was loaded, which undo must not make forgotten


def forget():
    """Another file is loaded."""
    _made.clear()


def remember(scene, folder):
    """The scene plays this folder from now on; "" for none."""
    settings = scene.tribo
    settings.cache_at = folder
    _made.add(folder)
    beside = ""
    if folder and bpy.data.filepath:
        try:
            beside = bpy.path.relpath(folder)
        except ValueError:  # another drive
            beside = ""
    settings.cache_beside = beside


def is_at_home(scene):
    folder = playing(scene)
    return bool(folder) and os.path.realpath(folder) == os.path.realpath(home(scene))


def is_temporary(folder):
    return bool(folder) and os.path.realpath(folder).startswith(os.path.realpath(bpy.app.tempdir))


def settle(scene):
    """After a save: a cache that waits in the temporary folder moves beside the file."""
    folder = playing(scene)
    if folder and bpy.data.filepath and is_temporary(folder) and not is_at_home(scene):
        target = home(scene)
        folders.transfer(folder, target, move=True)
        remember(scene, target)
        return True
    return False


def status(scene):
    """"done", "cancelled", "failed", "interrupted" (Blender or the machine went down during the
    bake), or "" without a bake."""
    about = _about(playing(scene))
    return about["status"] if about else ""


def sentence(scene):
    """What there is, for the panel."""
    folder = playing(scene)
    about = _about(folder)
    if not about:
        return f"There is no cache that can be read in {folder}"
    last = about["start"] + about["frames"] - 1
    words = {"done": "Baked", "interrupted": "Interrupted: press Resume", "cancelled": "Stopped",
             "failed": "Failed"}
    where = "the temporary folder, until the file is saved" if is_temporary(folder) else folder
    return f"{words.get(about['status'], about['status'])}, frames {about['start']} to {last}, in {where}"


_seen = {}  # folder: (time of bake.json, what it says); panels draw often


def _about(folder):
    if not folder:
        return None
    path = os.path.join(folder, folders.BAKE)
    try:
        stamp = os.stat(path).st_mtime_ns, os.stat(os.path.join(folder, "state.ckpt")).st_mtime_ns
    except OSError:
        stamp = None
    if stamp is None or _seen.get(folder, (None,))[0] != stamp:
        try:
            _seen[folder] = stamp, tribo.Cache(folder).about()
        except tribo.Error:
            _seen[folder] = stamp, None
    return _seen[folder][1]
