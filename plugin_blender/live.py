# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode: without a bake, the simulation advances as the timeline plays.

Frames go to a file in the temporary folder that the same Mesh Cache modifier reads, so scrubbing back
shows what was simulated, undo finds nothing to take back, and the artist's mesh is never touched.
"""

import os
import shutil
import struct
from array import array

import bpy

from . import jobs
from .bridge import (build, caches, frames, inputs, movers, playback, presence, sampler, shapes, stack,
                     subjects)
from .bridge.errors import Refusal
from .library import tribo
from .logic import fingerprint, folders, kinds, matrix, names, wording
from .props import quality

running = {}  # scene name: Run
messages = {}  # scene name: why it does not run
_dirty = set()  # scenes whose inputs may have changed
_seen = {}  # scene name: the frame where the timeline was before
_moving = False  # true while the timeline is moved here
_told = set()  # workspaces whose status bar has a hint

LOOK_AGAIN = 0.5  # seconds, whether it still plays
HEADER = struct.Struct("<12siiffi")


class Run:
    """The simulation of one scene, from its first frame to the last one played."""

    def __init__(self, scene, view_layer):
        time = frames.of_scene(scene)
        self.start, self.last, self.fps = time.start, time.start, time.fps
        self.warnings, self.rough = [], {}  # what the core told; frame: why it is rough
        self.inputs = inputs.of_scene(scene, view_layer)
        self.folder = os.path.join(bpy.app.tempdir, playback.LIVE, names.legal(scene.name))
        quality.begin_scene(scene)
        reader = sampler.Sampler(scene, view_layer, time.start, time.start, time.fps, 1)
        reader.read_here()
        self.readings = reader.readings
        self._expect_more(scene)
        core = build.core_scene(scene.tribo, reader.gravity, time.start,
                                max(time.end, time.start + 1), time.fps, self.readings)
        quality.show(scene, core.choice(), [subjects.find(scene, r.subject) for r in self.readings])
        self.sim = tribo.Sim(core, scene.tribo.threads)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self._write()
        self.show(scene)

    def path(self, found):
        return os.path.join(self.folder, folders.playback_file(found.subject.cache_name))

    def simulated(self):
        """(number among the simulated, what was read of it)."""
        return list(enumerate(r for r in self.readings if kinds.is_simulated(r.subject.kind)))

    def _expect_more(self, scene):
        """Tells the tracks of what may move that their samples come as the timeline plays."""
        for found in self.readings:
            tracks = [found.body] if found.body else [pin[2] for pin in found.pins]
            if movers.may_move(subjects.expect(scene, found.subject)):
                for track in tracks:
                    track.goes_on = True

    def show(self, scene):
        for _, found in self.simulated():
            ob = subjects.find(scene, found.subject)
            if ob:
                playback.show(scene, ob, self.path(found), self.start)

    def _write(self):
        """Appends the frame that the simulation stands at to every file."""
        sample = self.last - self.start
        for i, found in self.simulated():
            count = len(found.rest.points) // 3
            values = array("f", bytes(12 * count))
            self.sim.positions(i, values, array("d", matrix.inverse(found.places[-1])))
            with open(self.path(found), "r+b" if sample else "wb") as file:
                file.seek(HEADER.size + 12 * count * sample)
                file.write(values.tobytes())
                file.seek(0)
                file.write(HEADER.pack(b"POINTCACHE2\0", 1, count, self.start, 1.0, sample + 1))

    def advance(self, scene, view_layer):
        """One frame on, to the frame that Blender has just evaluated."""
        self._read(scene, view_layer)
        self.sim.start_frame()
        self.sim.wait()
        self.last += 1
        self._write()
        self._listen()
        for _, found in self.simulated():
            ob = subjects.find(scene, found.subject)
            if ob:
                stack.refresh(ob)
        view_layer.update()

    def _listen(self):
        """What is to be said of the frame that is there now."""
        report, called = self.sim.report(), {r.subject.cache_name: r.subject.name for r in self.readings}
        if report["rough"]:
            self.rough[self.last] = report["rough"]
        for level, text in report["log"]:
            text = wording.named(wording.artist(text, (self.start, self.fps)), called)
            if level == "warning" and text not in self.warnings and len(self.warnings) < jobs.MOST_WARNINGS:
                self.warnings.append(text)

    def _read(self, scene, view_layer):
        """One more sample of colliders and pins."""
        obs = [subjects.expect(scene, r.subject) for r in self.readings]
        shaped = [ob for ob, r in zip(obs, self.readings) if r.pins and stack.is_deformed(ob)]
        unit = scene.unit_settings.scale_length
        for i, (ob, found) in enumerate(zip(obs, self.readings)):
            if found.presence.path:
                frame = self.last + 1
                self.sim.extend_presence(i, frame, found.presence.see(ob, frame))
        with stack.in_sight(obs, view_layer), stack.input_only(shaped), presence.shown(obs):
            view_layer.update()
            depsgraph = view_layer.depsgraph
            for i, (ob, found) in enumerate(zip(obs, self.readings)):
                place = matrix.flat(ob.evaluated_get(depsgraph).matrix_world, unit)
                found.places[:] = [place]
                moving = found.body and found.body.goes_on
                pins = [(k, pin) for k, pin in enumerate(found.pins) if pin[2].goes_on]
                if not moving and not pins:
                    continue
                points = _points(ob, depsgraph, found, ob in shaped)
                if moving:
                    self.sim.extend(i, points, array("d", place))
                for k, (vertices, _, _) in pins:
                    self.sim.extend_pin(i, k, shapes.choose(points, vertices), array("d", place))
        view_layer.update()  # see bridge/sampler.py


def _points(ob, depsgraph, found, is_shaped):
    if found.pins and not is_shaped:
        return shapes.points(ob.data)
    with shapes.evaluated(ob, depsgraph) as mesh:
        if shapes.topology(mesh) != found.topology:
            raise Refusal(f"{ob.name} changes its number of vertices or faces; Bake says which "
                          "modifier does it")
        return shapes.points(mesh)


def follow(scene, view_layer):
    """After the timeline moved: begin at the first frame, go on one frame, or show what is there."""
    if _moving or not _wanted(scene):
        return
    try:
        _follow(scene, view_layer)
    except (Refusal, tribo.Error, OSError) as failure:
        forget(scene.name)
        time = frames.of_scene(scene)
        messages[scene.name] = wording.artist(str(failure), (time.start, time.fps))
    _seen[scene.name] = scene.frame_current
    _tell(hint(scene) if _is_playing() else "")


def _follow(scene, view_layer):
    time, frame = frames.of_scene(scene), scene.frame_current
    run = running.get(scene.name)
    if run and scene.name in _dirty:
        _dirty.discard(scene.name)
        if fingerprint.changes(run.inputs, inputs.of_scene(scene, view_layer)):
            forget(scene.name)
            run = None
            if _is_playing() and time.start <= frame <= time.end:
                _move(scene, time.start)  # what is being tuned is seen from its start
                frame = time.start
    if run is None:
        if frame == time.start:
            _begin(scene, view_layer)
        elif time.start < frame <= min(_near(time), time.end):
            run = _begin_late(scene, view_layer, time.start)
            frame = scene.frame_current
    elif _dropped(scene, run, time.end):
        _move(scene, run.last + 1)
        frame = run.last + 1
    if run and frame == run.last + 1 and frame <= time.end:
        run.advance(scene, view_layer)


def _begin(scene, view_layer):
    run = running[scene.name] = Run(scene, view_layer)
    _dirty.discard(scene.name)
    messages.pop(scene.name, None)
    return run


def _near(time):
    """The last frame that belongs to a begin at the first: Blender goes on before it tells of where play
    was pressed, by more than a frame where it drops some."""
    return time.start + (int(time.fps) if _is_playing() else 1)


def _begin_late(scene, view_layer, start):
    """Begins at the first frame although the timeline has just gone past it."""
    frame = scene.frame_current
    try:
        _move(scene, start)
        return _begin(scene, view_layer)
    finally:
        _move(scene, start + 1 if scene.name in running else frame)


def _dropped(scene, run, end):
    """Whether playback left frames out that are still to be simulated, as its sync modes do: the timeline
    waits then. Not where play was pressed beyond them, nor where it plays backwards from the first frame."""
    before, frame = _seen.get(scene.name, run.start), scene.frame_current
    backwards = before == run.start and frame in (scene.frame_end, scene.frame_preview_end)
    return (_is_playing() and before <= run.last and run.last + 1 < frame and run.last < end
            and not backwards)


def _move(scene, frame):
    """Takes the timeline elsewhere, from within the handler of its move."""
    global _moving
    _moving = True
    try:
        scene.frame_set(frame)
    finally:
        _moving = False


def _is_playing():
    manager = bpy.context.window_manager
    return bool(manager) and any(window.screen.is_animation_playing for window in manager.windows)


def hint(scene):
    """What to do where the timeline stands and nothing is simulated, or ""."""
    time, frame, run = frames.of_scene(scene), scene.frame_current, running.get(scene.name)
    if scene.name in messages or not _wanted(scene) or not time.start <= frame <= time.end:
        return ""
    if run is None:
        return f"Live simulates from frame {time.start} on: go there and press play"
    if frame > run.last:
        return (f"Live has simulated to frame {run.last}: go there, or to frame {time.start}, and press "
                "play")
    return ""


def _tell(text):
    """In the status bars, where all see it who see the timeline; for as long as it plays."""
    manager = bpy.context.window_manager
    spaces = {window.workspace.name: window.workspace for window in manager.windows} if manager else {}
    for name, space in spaces.items():
        if text or name in _told:
            space.status_text_set("Tribo: " + text if text else None)
    _told.clear()
    if text:
        _told.update(spaces)
        if not bpy.app.timers.is_registered(_until_it_stops):
            bpy.app.timers.register(_until_it_stops, first_interval=LOOK_AGAIN)


def _until_it_stops():
    if _is_playing():
        return LOOK_AGAIN
    _tell("")
    return None


def _wanted(scene):
    return (scene.tribo.live and not jobs.rendering and not sampler.reading
            and scene.name not in jobs.running and not caches.playing(scene)
            and any(subjects.is_simulated(ob) for ob in scene.objects)
            and not playback.strangers(scene))


def changed(scene):
    """The inputs of a scene may have changed; looked at when the timeline moves next."""
    if scene.name in running:
        _dirty.add(scene.name)


def frames_of(scene):
    """(first, last) frame in memory, or None."""
    run = running.get(scene.name)
    return (run.start, run.last) if run else None


def forget(name=None):
    """Drops the simulation of a scene, or all of them, with their files."""
    if name is None:
        _tell("")
    for one in [name] if name is not None else list(running):
        run = running.pop(one, None)
        if run:
            run.sim = None
            scene = bpy.data.scenes.get(one)
            if scene:
                playback.show_nothing_live(scene)
            shutil.rmtree(run.folder, ignore_errors=True)
        messages.pop(one, None)
        _dirty.discard(one)
        _seen.pop(one, None)
