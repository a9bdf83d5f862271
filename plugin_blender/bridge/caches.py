# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a scene's cache is.

Two places: `home` is where a bake of this scene in this file belongs; `playing` is the folder that
the scene plays, remembered in the file. They differ after Save As, after renaming the scene, and
until an unsaved file is saved. Nothing that belongs to another file is ever written to.
"""

import os

import bpy

from ..library import tribo
from ..logic import folders, progress, wording
from . import frames
from .errors import Refusal


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


def remembered(scene):
    """The folder that the file knows of, whether there is anything in it or not."""
    settings = scene.tribo
    path = next((path for path in (settings.cache_beside, settings.cache_at) if path), "")
    return os.path.abspath(bpy.path.abspath(path)) if path else ""


def status(scene):
    """"done", "cancelled", "failed", "interrupted" (Blender or the machine went down during the
    bake), or "" without a bake."""
    found = about(playing(scene))
    return found["status"] if found else ""


def last_frame(about):
    """The last one that a bake has."""
    return about["start"] + about["frames"] - 1


def is_short(scene):
    """Whether a bake came to its end before the scene does, which was made longer since."""
    found = about(playing(scene))
    return bool(found) and found["status"] == "done" and last_frame(found) < frames.of_scene(scene).end


def sentence(scene):
    """What there is, for the panel."""
    folder = playing(scene)
    found = about(folder)
    if not found:
        return f"There is no cache that can be read in {folder}"
    words = {"done": "Baked", "interrupted": "Interrupted: press Resume", "cancelled": "Stopped",
             "failed": "Failed"}
    rough = progress.verdict(verdict(scene))
    if rough and found["status"] == "done":
        words["done"] = "Baked with rough frames"
    where = "the temporary folder, until the file is saved" if is_temporary(folder) else _near(folder)
    why = ""
    if found["status"] == "failed" and found["message"]:
        why = ": " + wording.artist(found["message"], (found["start"], found["fps"]))
    return (f"{words.get(found['status'], found['status'])}, frames {found['start']} to {last_frame(found)}, "
            f"in {where}{why}")


def _near(folder):
    """A folder as it is named beside the file, where it is there: panels are narrow."""
    beside = os.path.dirname(bpy.data.filepath)
    if beside and os.path.abspath(folder).startswith(os.path.join(beside, "")):
        return "//" + os.path.relpath(folder, beside).replace(os.sep, "/")
    return folder


_seen = {}  # folder: (time of bake.json, what it says); panels draw often


def stamp(folder):
    """By which a bake that went on or was made anew is known; None without one."""
    try:
        return tuple(os.stat(os.path.join(folder, name)).st_mtime_ns for name in (folders.BAKE, "state.ckpt"))
    except OSError:
        return None


def about(folder):
    """What bake.json says; None where there is no bake that can be read."""
    if not folder:
        return None
    seen = stamp(folder)
    if seen is None or _seen.get(folder, (None,))[0] != seen:
        found = _read(folder)
        if found and found["status"] == "running":  # its end may leave no trace: it may be killed
            _seen.pop(folder, None)
            return found
        _seen[folder] = seen, found
    return _seen[folder][1]


_judged = {}  # folder: (times of its files, the verdict)


def verdict(scene):
    """What is to be said of the frames that are there, as the core has it (_tribo.pyi); None where nothing
    is known: no bake, or one of an older version."""
    return verdict_of(playing(scene))


def verdict_of(folder):
    seen = stamp(folder) if folder else None
    if seen is None:
        return None
    if _judged.get(folder, (None,))[0] != seen:
        try:
            _judged[folder] = seen, tribo.Cache(folder).verdict()
        except tribo.Error:
            _judged[folder] = seen, None
    return _judged[folder][1]


_told = {}  # folder: (time of the notes, warnings)


def warnings(scene):
    """What the bake that plays warned of; kept with it."""
    folder = playing(scene)
    try:
        seen = os.stat(os.path.join(folder, folders.NOTES)).st_mtime_ns
    except OSError:
        return []
    if _told.get(folder, (None,))[0] != seen:
        found = folders.notes(folder).get("warnings", [])
        _told[folder] = seen, [str(text) for text in found] if isinstance(found, list) else []
    return _told[folder][1]


def _read(folder):
    try:
        return tribo.Cache(folder).about()
    except tribo.Error:
        return None


def check_idle(folder):
    """Refusal while a bake writes there, in this Blender or another."""
    about = _read(folder)
    if about and about["status"] == "running":
        raise Refusal(f"'{folder}' is being baked; wait, or stop that bake first")
