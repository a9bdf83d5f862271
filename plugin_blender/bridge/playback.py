# SPDX-License-Identifier: GPL-3.0-or-later
"""Points the Mesh Cache modifiers at the files that they play."""

import os
import struct

import bpy

from ..logic import folders
from . import caches, frames, renames, stack, subjects


LIVE = "tribo_live"  # the folder of frames that are in no bake
HEADER = struct.Struct("<12siiffi")  # of a PC2 file: what it is, version, points, start, rate, samples


def show(scene, ob, path, start):
    """Plays a file from frame `start` of the scene on; "" plays nothing, and the input is seen."""
    modifier = stack.put(ob)
    modifier.cache_format = "PC2"
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    modifier.deform_mode, modifier.interpolation = "OVERWRITE", "LINEAR"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.flip_axis = set() if isinstance(modifier.flip_axis, set) else (False,) * 3  # 5.2: three switches
    modifier.frame_start, modifier.frame_scale = start, frames.scale(scene)
    _point(ob, modifier, path)


def _point(ob, modifier, path):
    """Without a file the influence is 0: saving makes "//" of an empty path, and that is a folder."""
    modifier.factor = 1.0 if path else 0.0
    if not path and modifier.name.split(".")[0] != stack.MODIFIER:
        modifier.name = stack.MODIFIER  # renamed, and without a path nothing else tells whose it is
    if modifier.filepath != path:
        modifier.filepath = path
    stack.refresh(ob)


def follow_time(scene):
    """A scene whose time is remapped evaluates another moment than it shows; a cache has a sample for
    each frame that is shown."""
    scale = frames.scale(scene)
    for ob in scene.objects if scene.tribo.remapped or scale != 1.0 else ():
        modifier = stack.find(ob) if subjects.is_simulated(ob) else None
        if modifier and abs(modifier.frame_scale - scale) > 1e-6 * scale:
            modifier.frame_scale = scale
    if scene.tribo.remapped != (scale != 1.0):
        scene.tribo.remapped = scale != 1.0


def _written(ob, path):
    """As the modifier keeps it: from the file, so that both can move together. A linked object would
    read that from its own file."""
    if ob.library or not bpy.data.filepath or caches.is_temporary(path):
        return path
    try:
        return bpy.path.relpath(path)
    except ValueError:  # another drive
        return path


def _read(ob, path):
    return bpy.path.abspath(path, library=ob.library)


def played(ob):
    """The file that its modifier names, in full; "" for none, of which saving makes a path of dots."""
    modifier = stack.find(ob)
    return _read(ob, modifier.filepath) if modifier and modifier.filepath.endswith(stack.PLAYED) else ""


def show_cache(scene):
    """Every simulated object plays its part of the cache that the scene plays."""
    folder = caches.playing(scene)
    about = folders.notes(folder) if folder else {}
    files = about.get("files", {})
    for ob in scene.objects:
        file = files.get(subjects.title(ob.name, subjects.library_of(ob))) or _file_of_renamed(ob, files)
        if file and subjects.is_simulated(ob):
            path = os.path.join(folder, file)
            show(scene, ob, _written(ob, path) if has_frames(path) else "", about.get("start", 1))


def fault(path, frames=None):
    """Why a file cannot be played; "" where it can. frames: how many it should have, where that is known; of one
    that is still being written its header may promise more."""
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            begin = file.read(HEADER.size)
    except OSError:
        return "is missing"
    if len(begin) < HEADER.size or not begin.startswith(b"POINTCACHE2\0"):
        return "is no cache, or was emptied"
    _, _, points, _, _, samples = HEADER.unpack(begin)
    wanted = samples if frames is None else min(samples, frames)
    there = (size - HEADER.size) // (12 * max(points, 1))
    return f"is cut off after {max(there, 0)} of {wanted} frames" if there < wanted else ""


def has_frames(path):
    """A file under construction may not even have its header of 32 bytes."""
    try:
        return os.path.getsize(path) > 32
    except OSError:
        return False


def _file_of_renamed(ob, files):
    """A renamed object is known by what its modifier plays."""
    played = renames.played_file(ob)
    return played if played in files.values() else ""


def strangers(scene):
    """Simulated objects that play a bake of another file, as an appended one does."""
    own = caches.playing(scene)
    out = []
    for ob in scene.objects:
        modifier = stack.find(ob) if subjects.is_simulated(ob) else None
        if not modifier or not modifier.factor or LIVE in modifier.filepath:
            continue
        path = os.path.abspath(_read(ob, modifier.filepath))
        if os.path.isfile(path) and os.path.dirname(path) != own and folders.has_bake(os.path.dirname(path)):
            out.append(ob)
    return out


def show_nothing(scene):
    for ob in scene.objects:
        modifier = stack.find(ob)
        if modifier and subjects.is_simulated(ob):
            _point(ob, modifier, "")


def show_nothing_missing(scene):
    """Of files that are gone: what names them stays, and is told (bridge/missing.py)."""
    for ob in scene.objects:
        modifier = stack.find(ob)
        if modifier and modifier.factor and not os.path.isfile(played(ob)):
            modifier.factor = 0.0
            stack.refresh(ob)


def show_nothing_live(scene):
    """What the live simulation wrote is gone with the session."""
    for ob in scene.objects:
        modifier = stack.find(ob)
        if modifier and ob.library is None and LIVE in modifier.filepath:
            _point(ob, modifier, "")


def follow_kind(ob):
    """A simulated object has the modifier, others have not."""
    if subjects.is_simulated(ob):
        stack.put(ob)
    else:
        stack.take_away(ob)
