# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches that should be there and are not, or not whole: what plays them stands still as it was modelled, and
nobody notices before the film is cut. What was never baked is not missing."""

import os

import bpy

from ..logic import folders
from . import caches, playback, stack, subjects


def of_scene(scene):
    """{name of an object: (what is wrong, the file or folder that it should play)}."""
    folder = caches.playing(scene)
    simulated = [ob for ob in scene.objects if subjects.is_simulated(ob)]
    out = {}
    if folder:
        files, about = folders.notes(folder).get("files", {}), caches.about(folder)
        for ob in simulated:
            file = files.get(subjects.title(ob.name, subjects.library_of(ob)))
            path = os.path.join(folder, file) if file else ""
            wrong = playback.fault(path, about["frames"] if about else 0) if file else ""
            if wrong:
                out[ob.name] = wrong, path
    else:
        remembered = caches.remembered(scene)
        for ob in simulated if remembered else ():
            out[ob.name] = "is missing", remembered
    for ob in simulated + list(_of_others(scene)):
        path = playback.played(ob)
        if path and ob.name not in out and os.path.dirname(path) != folder and playback.LIVE not in path:
            wrong = playback.fault(path)
            if wrong and not (os.path.isfile(path) and _is_running(os.path.dirname(path))):
                out[ob.name] = wrong, path
        elif path and ob.name not in out and not os.path.isfile(path):
            out[ob.name] = "is missing", path
    return out


def _is_running(folder):
    about = caches.about(folder)
    return bool(about) and about["status"] == "running"


def _of_others(scene):
    """Simulated objects that are seen in a scene and are not in it: of instanced collections, as linked
    characters are, and of the scene behind it."""
    seen, waiting = set(scene.objects), _collections_beside(scene)
    done = set()
    while waiting:
        collection = waiting.pop()
        if collection in done:
            continue
        done.add(collection)
        for ob in collection.all_objects:
            if ob.instance_collection:
                waiting.append(ob.instance_collection)
            if ob not in seen and subjects.is_simulated(ob):
                seen.add(ob)
                yield ob


def _collections_beside(scene):
    out = [ob.instance_collection for ob in scene.objects if ob.instance_collection]
    return out + ([scene.background_set.collection] if scene.background_set else [])


def _rendered(scene):
    """Names of the objects that a render of the scene shows itself; of collections that are left out or hidden
    in renders none."""
    out, waiting = set(), [layer.layer_collection for layer in scene.view_layers if layer.use]
    while waiting:
        found = waiting.pop()
        if not found.exclude and not found.collection.hide_render:
            out.update(ob.name for ob in found.collection.objects if not ob.hide_render)
            waiting.extend(found.children)
    return out


def sentence(scene):
    """For the panel; "" where nothing is missing."""
    found = of_scene(scene)
    if not found:
        return ""
    where = sorted(set(found.values()))
    (wrong, path), more = where[0], len(where) - 1
    names = ", ".join(sorted(found)[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")
    return (f"The cache {wrong}: {path}" + (f" and {more} more" if more else "")
            + f". Without it {names} {'stands' if len(found) == 1 else 'stand'} as modelled. Bring it back, or "
            "bake again")


def of_render(scene):
    """(what is missing, what else to say) of what a render of the scene shows, a line each."""
    found = of_scene(scene)
    rendered = _rendered(scene)
    lines = [f"{name}: its cache {wrong}: {path}" for name, (wrong, path) in sorted(found.items())
             if name in rendered or name not in scene.objects]
    folder, told = caches.playing(scene), []
    about = caches.about(folder)
    last = caches.last_frame(about) if about else scene.frame_end
    if last < scene.frame_end:
        told.append(f"the bake in {folder} is {about['status']} and ends at frame {last}: from there on its "
                    "last frame stands")
    for ob in scene.objects:
        modifier = stack.find(ob) if subjects.is_simulated(ob) and ob.name in rendered else None
        if modifier and not modifier.show_render:
            told.append(f"{ob.name}: the modifier {modifier.name} is switched off in renders")
        elif modifier and not playback.played(ob) and not found and not folder:
            told.append(f"{ob.name} is not baked, and is rendered as modelled")
    return lines, told


def bring_back():
    """Of modifiers that were switched off because their file was missing: those whose file is there
    again."""
    for ob in bpy.data.objects:
        modifier = stack.find(ob)
        if modifier and modifier.factor == 0.0 and playback.played(ob) and os.path.isfile(playback.played(ob)):
            modifier.factor = 1.0
