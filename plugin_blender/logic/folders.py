# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a cache: where it is, what is in it, and which of that is Tribo's.

Beside shot.blend a scene's cache is tribo_cache_shot/SCENE. The core writes a bake there
(docs/farm.md), the add-on adds blender.json: what the cache was made from. Only files that these two
list are ever moved or removed; whatever else lies there stays.
"""

import json
import os
import re
import shutil

from . import names

NOTES = "blender.json"
MARK = "tribo_blender"  # by which notes are known as Tribo's
BAKE = "bake.json"
ENDINGS = ("", ".tmp")
STATES = "states"
PLAYED = ".local.pc2"
STATE = re.compile(r"-?\d+\.ckpt")


def of_blend(blend, scene, temporary):
    """The folder for a scene of a .blend file; of an unsaved one ("") in the temporary folder."""
    if not blend:
        return os.path.join(temporary, "tribo_cache_unsaved", names.distinct(scene))
    name = os.path.basename(blend)
    stem = name[: -len(".blend")] if name.endswith(".blend") else name  # shot.blend1 is another file
    beside = f"tribo_cache_{names.distinct(stem)}"
    return os.path.join(os.path.dirname(blend), beside, names.distinct(scene))


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def notes(folder):
    """What the add-on wrote beside the bake; {} where there is nothing, or somebody else's file."""
    found = _read(os.path.join(folder, NOTES))
    return found if MARK in found else {}


def check_notes(folder):
    """FileExistsError where the place of the notes is taken by a file that is not Tribo's."""
    path = os.path.join(folder, NOTES)
    if os.path.lexists(path) and not notes(folder):
        raise FileExistsError(f"'{folder}' holds a file '{NOTES}' that is not Tribo's; bake into another "
                              "folder, or move the file away")


def write_notes(folder, content):
    """Whole or not at all."""
    check_notes(folder)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, NOTES)
    content = {MARK: 1, **content}
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, sort_keys=True)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".tmp", path)


def has_bake(folder):
    return bool(folder) and os.path.isfile(os.path.join(folder, BAKE))


def playback_file(name):
    """What the Mesh Cache modifier of an object reads."""
    return name + PLAYED


def owned(folder):
    """Files in the folder that a bake or the add-on wrote, bake.json last: while it is there, the
    rest is known to be Tribo's."""
    bake = _read(os.path.join(folder, BAKE))
    if not bake:
        bake = _by_notes(folder)
    elif "tribo_bake" not in bake:
        bake = {}
    listed = []
    if bake:
        listed += ["state.ckpt", "stats.jsonl", "verdict.jsonl", "contacts.jsonl", "bake.lock", *_states(folder)]
        for thing in bake.get("objects", []):
            listed += [thing.get("mesh"), thing.get("cache"), thing.get("playback")]
        listed += [name for name in bake.get("removing", []) if name != STATES]
    if notes(folder):
        listed.append(NOTES)
    if bake:
        listed.append(BAKE)
    candidates = dict.fromkeys(name + ending for name in listed if name for ending in ENDINGS)
    return [file for file in candidates if _is_inside(file) and
            os.path.isfile(os.path.join(folder, file))]


def _by_notes(folder):
    """Of a bake whose bake.json is damaged: what the notes beside it say that it plays, or {}. An interrupted
    write leaves none: bake.json is replaced as a whole."""
    played = notes(folder).get("files", {})
    if not has_bake(folder) or not isinstance(played, dict):
        return {}
    stems = [file.removesuffix(PLAYED) for file in played.values() if isinstance(file, str) and file.endswith(PLAYED)]
    objects = [{"mesh": stem + ".obj", "cache": stem + ".pc2", "playback": stem + PLAYED} for stem in stems]
    return {"objects": objects} if objects else {}


def _states(folder):
    """The states that a bake kept, one a frame; of one that was being written when the bake was killed
    there is only the half with `.tmp` behind its name."""
    try:
        found = os.listdir(os.path.join(folder, STATES))
    except OSError:
        return []
    names = sorted({name.removesuffix(".tmp") for name in found})
    return [os.path.join(STATES, name) for name in names if STATE.fullmatch(name)]


def _is_inside(file):
    """A damaged bake.json must not lead out of its folder."""
    return os.path.basename(file) == file or os.path.dirname(file) == STATES


def remove(folder):
    """Takes away what is Tribo's, then folders that are left empty. How many files went."""
    files = owned(folder)
    for file in files:
        os.unlink(os.path.join(folder, file))
    _remove_empty(folder)
    return len(files)


def transfer(source, target, move):
    """Copies or moves a cache; a cache that is in the way is replaced. How many files."""
    if os.path.abspath(source) == os.path.abspath(target):
        return 0
    files = owned(source)
    remove(target)
    os.makedirs(os.path.join(target, STATES) if _states(source) else target, exist_ok=True)
    in_the_way = [f for f in files if os.path.lexists(os.path.join(target, f))]
    if in_the_way:
        raise FileExistsError(
            f"'{target}' holds a file '{in_the_way[0]}' that is not Tribo's; move it away first"
        )
    if move and os.stat(source).st_dev == os.stat(target).st_dev:
        for file in files:
            os.rename(os.path.join(source, file), os.path.join(target, file))
    else:
        _copy(source, target, files)
        for file in files if move else ():
            os.unlink(os.path.join(source, file))
    if move:
        _remove_empty(source)
    return len(files)


def _copy(source, target, files):
    """All of them, or none: the disk may be full half-way."""
    try:
        for file in files:
            shutil.copy2(os.path.join(source, file), os.path.join(target, file))
    except OSError:
        for file in files:
            if os.path.lexists(os.path.join(target, file)):
                os.unlink(os.path.join(target, file))
        _remove_empty(target)
        raise


def _remove_empty(folder):
    """Folders that Tribo made, as far as nothing is left in them."""
    around = os.path.dirname(folder)
    paths = [os.path.join(folder, STATES), folder]
    if os.path.basename(around).startswith("tribo_cache_"):
        paths.append(around)
    for path in paths:
        try:
            os.rmdir(path)
        except OSError:  # not there, or somebody's things are in it
            pass
