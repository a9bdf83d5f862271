# SPDX-License-Identifier: GPL-3.0-or-later
"""Wedges of a scene in Blender: made, baked here, looked at, and one of them taken."""

import json
import os
import tempfile

import bpy

from . import jobs
from .bridge import caches
from .bridge.errors import Refusal
from .library import tribo
from .logic import folders, wedges

reports = {}  # scene name: the items of its wedge, as last looked at
runs = {}  # scene name: Run


def folder_of(scene):
    path = scene.tribo_wedge.folder
    if path.startswith("//") and not bpy.data.filepath:
        raise Refusal("Save the file first, or choose a folder for the wedge that does not begin with //")
    return os.path.abspath(bpy.path.abspath(path))


# ---- properties by their path ----


def owner_of(scene, owner):
    found = scene.objects.get(owner) if owner else scene
    if found is None:
        raise Refusal(f"There is no object '{owner}' in the scene; remove it from the wedge")
    return found


def resolve(scene, owner, path):
    """What has the property, and the property's name."""
    place, _, name = path.rpartition(".")
    found = owner_of(scene, owner)
    try:
        found = found.path_resolve(place) if place else found
        found.bl_rna.properties[name]
    except (ValueError, KeyError, AttributeError):
        raise Refusal(f"'{owner or scene.name}' has no property '{path}'") from None
    return found, name


def read_value(scene, owner, path, component):
    found, name = resolve(scene, owner, path)
    value = getattr(found, name)
    return value[component] if found.bl_rna.properties[name].is_array else value


def write_value(scene, owner, path, component, value):
    found, name = resolve(scene, owner, path)
    try:
        if getattr(found.bl_rna.properties[name], "is_array", False):
            getattr(found, name)[component] = value
        else:
            setattr(found, name, value)
    except (TypeError, ValueError, IndexError) as failure:
        raise Refusal(f"'{path}' does not take {value}: {failure}") from None


def add_axis(scene, owner, path):
    """A property into the wedge, with a range around its value."""
    found, name = resolve(scene, owner, path)
    about = found.bl_rna.properties[name]
    kinds = {"FLOAT": "REAL", "INT": "INT", "ENUM": "WORDS", "BOOLEAN": "INT"}
    if about.type not in kinds or about.type == "ENUM" and about.is_enum_flag:
        raise Refusal(f"'{about.name}' is neither a number nor a choice")
    if any(axis.owner == owner and axis.path == path and not axis.is_vector for axis in scene.tribo_wedge.axes):
        raise Refusal(f"'{about.name}' is in the wedge already")
    axis = scene.tribo_wedge.axes.add()
    axis.owner, axis.path, axis.kind = owner, path, kinds[about.type]
    axis.label = f"{about.name} ({owner})" if owner else about.name
    axis.is_vector = getattr(about, "is_array", False)
    if axis.kind == "WORDS":
        axis.words = ",".join(item.identifier for item in about.enum_items)
    elif about.type == "BOOLEAN":
        axis.low, axis.high, axis.count = 0, 1, 2
    else:
        value = float(read_value(scene, owner, path, 0))
        low, high = (value / 2, value * 2) if value else (0.0, 1.0)
        axis.low, axis.high = max(low, about.hard_min), min(high, about.hard_max)
    return axis


# ---- making one ----


def key_of(axis):
    return wedges.key(axis.owner, axis.path + (f"[{axis.component}]" if axis.is_vector else ""))


def combinations(scene):
    axes = scene.tribo_wedge.axes
    if not axes:
        raise Refusal("The wedge varies nothing yet: right click a property, Add to Wedge")
    try:
        lists = [axis.values() for axis in axes]
        for axis, values in zip(axes, lists):
            if not values:
                raise ValueError(f"'{axis.label}' has no values")
        return wedges.combinations([(values, axis.together) for axis, values in zip(axes, lists)])
    except ValueError as failure:
        raise Refusal(str(failure)) from None


def put_values(scene, view_layer, axes, values):
    for axis, value in zip(axes, values):
        write_value(scene, axis.owner, axis.path, axis.component, value)
    view_layer.update()


def make(scene, view_layer):
    """Writes the wedge; how many scenes it has. The artist's own values stand afterwards as before."""
    if scene.name in runs:
        raise Refusal("The wedge is being baked; press Esc first")
    folder, picked, axes = folder_of(scene), combinations(scene), list(scene.tribo_wedge.axes)
    before = [read_value(scene, a.owner, a.path, a.component) for a in axes]
    with tempfile.TemporaryDirectory(prefix="tribo_wedge_") as work:
        scenes = []
        try:
            for number, values in enumerate(picked):
                put_values(scene, view_layer, axes, values)
                place = os.path.join(work, str(number))
                jobs.read_scene(scene, view_layer).write(place)
                labels = [(key_of(a), json.dumps(v)) for a, v in zip(axes, values)]
                scenes.append((os.path.join(place, "scene.json"), labels))
        finally:
            put_values(scene, view_layer, axes, before)
        tribo.wedge_write(folder, scenes)
    look(scene)
    return len(picked)


# ---- looking at it ----


def look(scene):
    """The items as they stand; [] without a wedge."""
    try:
        reports[scene.name] = json.loads(tribo.wedge_report(folder_of(scene)))["items"]
    except (tribo.Error, Refusal, ValueError):
        reports.pop(scene.name, None)
    return reports.get(scene.name, [])


# ---- baking it here ----


class Run:
    """Bakes what is not done, several at once."""

    def __init__(self, scene):
        if scene.name in runs:
            raise Refusal("The wedge is being baked already")
        self.scene_name, self.folder, self.jobs = scene.name, folder_of(scene), scene.tribo_wedge.jobs
        items = json.loads(tribo.wedge_report(self.folder))["items"]
        self.items = {i["number"]: i for i in items}
        self.waiting = [i["number"] for i in items if i["same_as"] == i["number"] and i["state"] not in ("done", "running")]
        self.count, self.ended, self.failed = len(self.waiting), 0, []
        self.at_work = {}  # number: (bake, attempt)
        runs[self.scene_name] = self

    def advance(self):
        """Whether it goes on."""
        while self.waiting and len(self.at_work) < self.jobs:
            self._begin(self.waiting.pop(0))
        for number, (bake, attempt) in list(self.at_work.items()):
            poll = bake.poll()
            if poll["status"] != "running":
                bake.join()
                self._end(number, attempt, poll)
        if self.at_work or self.waiting:
            return True
        runs.pop(self.scene_name, None)
        return False

    def _begin(self, number):
        item = self.items[number]
        attempt = tribo.wedge_begin(self.folder, number)
        try:
            core = tribo.read_scene(os.path.join(self.folder, item["scene"]))
            bake = core.bake(os.path.join(self.folder, item["bake"]), resume=True, threads=1)
        except tribo.Error as failure:
            tribo.wedge_end(attempt, jobs.EXIT_CODES.get(jobs.status_of(failure), 2), str(failure))
            self.failed.append(number)
            self.ended += 1
            return
        self.at_work[number] = bake, attempt

    def _end(self, number, attempt, poll):
        del self.at_work[number]
        self.ended += 1
        code = {"done": 0, "cancelled": 130}.get(poll["status"], jobs.EXIT_CODES.get(poll.get("error", ""), 2))
        tribo.wedge_end(attempt, code, poll["message"])
        if code not in (0, 130):
            self.failed.append(number)

    def cancel(self):
        self.waiting = []
        for bake, _ in self.at_work.values():
            bake.cancel()
        for bake, _ in self.at_work.values():
            bake.join()
        self.advance()

    def line(self):
        return f"Tribo: {self.ended} of {self.count} scenes of the wedge, {len(self.failed)} failed"


def stop_all():
    for run in list(runs.values()):
        run.cancel()
    runs.clear()
    reports.clear()


# ---- taking one ----


def take(scene, view_layer, number):
    """Sets the values of an item, brings its bake to where the scene keeps its own, and plays it."""
    items = look(scene)
    if not 0 <= number < len(items):
        raise Refusal(f"The wedge has no scene {number}")
    item = items[number]
    if item["state"] != "done":
        raise Refusal(f"'{item['label']}' is not baked: {item['why'] or item['state']}")
    for key, value in item["values"].items():
        found = wedges.split_key(key, [ob.name for ob in scene.objects])
        if found is None:
            raise Refusal(f"Nothing in the scene is known as '{key}' any more")
        owner, path = found
        component = 0
        if path.endswith("]") and path.rpartition("[")[2][:-1].isdigit():
            path, _, digits = path.rpartition("[")
            component = int(digits[:-1])
        write_value(scene, owner, path, component, value)
    view_layer.update()
    target = caches.home(scene)
    folders.transfer(os.path.join(folder_of(scene), item["bake"]), target, move=False)
    caches.remember(scene, target)
    job = jobs.Job(scene, view_layer, resume=True)
    job.keep_states = job.contacts = False  # a wedge's bakes have neither
    return job
