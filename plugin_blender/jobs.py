# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes under way. They live here and nowhere else: not in the file, which might be saved, loaded or
undone, and not in an operator, which might be cancelled. One job a scene, by its name."""

import bpy

from .bridge import build, caches, findings, frames, inputs, playback, subjects
from .bridge.errors import Refusal
from .bridge.sampler import Sampler
from .library import tribo
from .logic import folders, kinds, progress, wording
from .props import quality

READING, BAKING, DONE, CANCELLED, FAILED = "reading", "baking", "done", "cancelled", "failed"
EXIT_CODES = {"bad_input": 2, "unavailable": 2, "no_memory": 1, "not_converged": 3, "io": 4}

MOST_WARNINGS = 20

running = {}  # scene name: Job
last = {}  # scene name: what the last bake of this session came to, a line
rendering = False  # while Blender renders, its data must stay as it is


def status_of(failure):
    """The core's word for what a Python exception came to."""
    return getattr(failure, "status", "io" if isinstance(failure, OSError) else "bad_input")


class Job:
    """One bake, from the first frame read to the last one written.

    resume: go on where a bake stopped. from_frame: keep the frames before, simulate anew from there.
    """

    def __init__(self, scene, view_layer, resume=False, from_frame=None):
        if scene.name in running:
            raise Refusal(f"{scene.name} is being baked already; press Esc to stop that")
        quality.begin_scene(scene)
        self._scene = subjects.SceneName(scene)
        self.resume, self.from_frame = resume, from_frame
        self.folder = _folder_for(scene, resume or from_frame is not None)
        folders.check_notes(self.folder)
        time_range = frames.of_scene(scene)
        if time_range.end < time_range.start:
            raise Refusal(f"The last frame ({time_range.end}) is before the first ({time_range.start})")
        self.start, self.end, self.fps = time_range
        self.threads, self.contacts = scene.tribo.threads, scene.tribo.contacts
        self.keep_states = scene.tribo.keep_states
        goes_on = resume or from_frame is not None
        files = folders.notes(self.folder).get("files", {}) if goes_on else None
        self.sampler = Sampler(scene, view_layer, *time_range, scene.tribo.samples, files)
        self.inputs = inputs.of_scene(scene, view_layer)
        self.state, self.message, self.error, self.verdict = READING, "", "", ""
        self.bake, self.poll, self.shown = None, None, False
        self.called = {r.subject.cache_name: r.subject.name for r in self.sampler.readings}
        self.files, self.noted, self.layer_name = {}, None, view_layer.name
        self.notes = []  # what else the core said
        self.warnings = findings.warnings(scene, view_layer)  # what the artist should know, though it bakes
        running[self.scene_name] = self

    @property
    def scene_name(self):
        return self._scene.name

    def scene(self):
        """The scene, or None when it is gone. It may have been renamed."""
        before = self.scene_name
        scene = self._scene.find()
        if self.scene_name != before and running.get(before) is self:
            del running[before]
            running[self.scene_name] = self
        return scene

    def rest(self):
        """Lets the artist's frame stand, for a file that is saved now."""
        if self.state == READING:
            self.sampler.finish()

    def advance(self, seconds=0.2):
        """Reads samples for a while, or looks how the bake is doing. Whether it goes on."""
        if rendering:
            return True
        self.scene()
        try:
            if self.state == READING:
                if not self.sampler.read(seconds):
                    self.sampler.finish()
                    self._begin_bake()
            elif self.state == BAKING:
                self._look()
        except (Refusal, tribo.Error, OSError) as failure:
            self._end(FAILED, str(failure), status_of(failure))
        except BaseException:
            self._end(FAILED, "stopped by an error in the add-on; see the console", "bad_input")
            raise
        return self.is_alive()

    def is_alive(self):
        return self.state in (READING, BAKING)

    def _begin_bake(self):
        scene, readings = self.sampler.scene(), self.sampler.readings
        core = build.core_scene(scene.tribo, self.sampler.gravity, self.start, self.end, self.fps, readings)
        self._show_quality(core)
        options = {"threads": self.threads, "contacts": self.contacts, "keep_states": self.keep_states,
                   "playback": build.playback(readings, self.start, self.end)}
        if self.from_frame is not None:
            options["from_frame"] = self.from_frame
        elif self.resume:
            options["resume"] = True
        else:
            options["overwrite"] = True
        self.warnings += filter(None, (core.note(i) for i in range(len(readings))))
        playback.show_nothing(scene)  # what plays may be what is about to be written
        self.bake = core.bake(self.folder, **options)
        self.state = BAKING
        self.sampler = None
        simulated = [r.subject for r in readings if kinds.is_simulated(r.subject.kind)]
        self.files = {subjects.title(s.name, s.library): folders.playback_file(s.cache_name) for s in simulated}

    def _show_quality(self, core):
        scene = self.sampler.scene()
        obs = [subjects.find(scene, r.subject) for r in self.sampler.readings]
        quality.show(scene, core.choice(), obs)

    def _write_notes(self):
        """Once the bake owns its folder, not before: it may find that the folder is another's. And again
        when there is more to tell."""
        if self.poll["frame"] is None or self.noted == len(self.warnings):
            return
        if self.noted is None and (self.resume or self.from_frame is not None):
            before = folders.notes(self.folder).get("warnings", [])
            self.warnings = before + [text for text in self.warnings if text not in before]
        folders.write_notes(self.folder, {
            "start": self.start, "view_layer": self.layer_name, "inputs": self.inputs,
            "files": self.files, "warnings": self.warnings})
        self.noted = len(self.warnings)

    def _look(self):
        self.poll = self.bake.poll()
        self._keep_warnings()
        self._write_notes()
        status = self.poll["status"]
        if status == "running":
            if self.poll["frame"] is not None and not self.shown:
                self._show()
            return
        self.bake.join()
        self._end({"done": DONE, "cancelled": CANCELLED}.get(status, FAILED),
                  self.poll["message"], self.poll.get("error", ""))

    def _worded(self, text):
        return wording.named(wording.artist(text, (self.start, self.fps)), self.called)

    def _keep_warnings(self):
        """The core tells each message once, to whoever polls."""
        for level, text in self.poll["log"]:
            text = self._worded(text)
            if level != "warning" and text not in self.notes and len(self.notes) < MOST_WARNINGS:
                self.notes.append(text)
            if level == "warning" and text not in self.warnings and len(self.warnings) < MOST_WARNINGS:
                self.warnings.append(text)

    def cancel(self):
        """Stops as soon as can be, and waits for it. What is on disk can be resumed."""
        if self.state == READING:
            self.sampler.finish()
            self._end(CANCELLED, "stopped before the first frame", "cancelled")
        elif self.state == BAKING:
            self.bake.cancel()
            self.bake.join()
            self._look()

    def _end(self, state, message, error):
        self.state, self.message, self.error = state, self._worded(message), error
        self.verdict = progress.verdict(caches.verdict_of(self.folder))
        if self.sampler is not None and state == FAILED:
            self.sampler.finish()
        self.sampler = None
        self.bake = None  # cancels and waits, where it still runs
        self.scene()
        running.pop(self.scene_name, None)
        last[self.scene_name] = self.line()
        self._show()

    def _show(self):
        """Frames play as soon as they are there."""
        scene = self.scene()
        if scene and folders.has_bake(self.folder):
            self.shown = True
            caches.remember(scene, self.folder)
            if not self.is_alive() and self.folder != caches.home(scene):
                caches.settle(scene)  # the file was saved meanwhile
            playback.show_cache(scene)

    def line(self):
        """For the status bar and the panel."""
        if self.state == READING:
            return f"Tribo reads the scene: {100 * self.sampler.fraction():.0f}%"
        if self.state == BAKING:
            return "Tribo: " + (progress.line(self.poll) if self.poll else "starts")
        if self.state == DONE:
            end = f", {self.poll['end']} is the last frame" if self.poll else ""
            return "Tribo: baked" + (f", {self.verdict}" if self.verdict else end)
        return f"Tribo: {self.state}" + (f": {self.message}" if self.message else "")

    def fraction(self):
        """0 to 1, of the part that is under way."""
        if self.state == READING:
            return self.sampler.fraction()
        return progress.fraction(self.poll) if self.poll else 0.0

    def exit_code(self):
        if self.state == DONE:
            return 0
        return 130 if self.state == CANCELLED else EXIT_CODES.get(self.error, 2)


def _folder_for(scene, goes_on):
    """Where to bake; Refusal when there is nothing to go on from."""
    home = caches.home(scene)
    playing = caches.playing(scene)
    if not goes_on:
        return home
    if caches.is_at_home(scene):
        return home
    if playing:
        raise Refusal(f"The cache that plays, '{playing}', belongs to another file or scene; Copy or "
                      "Move it here first (Cache panel)")
    if folders.has_bake(home):
        return home
    raise Refusal("There is no bake to go on from; press Bake")


def run(job, report=None, stop=None):
    """Blocks until a job has ended. report(job) is called whenever a frame is done; stop() says
    whether to cancel."""
    seen, alive = None, True
    while alive:
        alive = job.advance()
        if alive and stop and stop():
            job.cancel()
            alive = False
        elif job.state == BAKING:
            job.bake.join(0.05)
        frame = job.poll["frame"] if job.poll else None
        if report and frame != seen:
            seen = frame
            report(job)
    return job


def read_scene(scene, view_layer):
    """The core's scene as a bake would have it, read at once."""
    quality.begin_scene(scene)
    time_range = frames.of_scene(scene)
    sampler = Sampler(scene, view_layer, *time_range, scene.tribo.samples)
    try:
        while sampler.read(seconds=1.0):
            pass
    finally:
        sampler.finish()
    return build.core_scene(scene.tribo, sampler.gravity, *time_range, sampler.readings)


def stop_all():
    """Before a file is loaded, and when the add-on goes."""
    for job in list(running.values()):
        job.cancel()
    running.clear()
    last.clear()
