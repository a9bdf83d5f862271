# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks through the frames of a scene and reads what the simulation needs.

After each turn of reading, modifiers and visibility are as they were; only the current frame moves
until finish(). So a modal operator can let the artist look, save or undo between turns.
"""

import time
from contextlib import contextmanager

from ..logic import kinds, matrix
from . import build, frames, presence, refusals, shapes, stack, subjects
from .errors import Refusal
from .tracks import Track

reading = False  # true while frames are changed here: the live simulation must not follow


class Reading:
    """What was read of one object."""

    def __init__(self, subject, ob):
        self.subject = subject
        self.presence = presence.Presence(ob)
        self.rest = None  # build.Rest, from the first sample
        self.topology = None
        self.body = None  # Track of a collider
        self.pins = []  # [(vertices, stiffness, Track)]
        self.places = []  # transform to the world at every frame


class Sampler:
    def __init__(self, scene, view_layer, start, end, fps, samples, files=None):
        view_layer.update()  # it may not know yet of an object that a script has just made
        self.scene_name, self.layer_name = subjects.SceneName(scene), view_layer.name
        self.start, self.end, self.fps, self.samples = start, end, fps, samples
        self.unit = scene.unit_settings.scale_length
        self.count = (end - start) * samples + 1
        self.done = 0
        self.gravity = None  # of the first sample: where a driver has it, only Blender knows
        self.frame_before = (scene.frame_current, scene.frame_subframe)
        taking_part = subjects.take_part(view_layer, files)
        obs = [subjects.expect(scene, subject) for subject in taking_part]
        refusals.check(scene, obs)
        self.readings = [Reading(subject, ob) for subject, ob in zip(taking_part, obs)]

    # Looked up every time: pointers do not survive undo.
    def scene(self):
        scene = self.scene_name.find()
        if scene is None:
            raise Refusal(f"The scene {self.scene_name.name} went away while it was read")
        return scene

    def view_layer(self):
        layers = self.scene().view_layers
        return layers.get(self.layer_name) or layers[0]

    def fraction(self):
        return self.done / self.count

    def read(self, seconds):
        """Reads samples for about so long; whether there are more."""
        until = time.monotonic() + seconds
        with self._input() as (obs, layer):
            while self.done < self.count:
                frame, part = divmod(self.done, self.samples)
                self.scene().frame_set(self.start + frame, subframe=part / self.samples)
                self._read_all(obs, layer, part == 0)
                if time.monotonic() > until:
                    break
        return self.done < self.count

    def read_here(self):
        """One sample at the frame where Blender is, from within a handler: Blender forgets what is
        still to be evaluated once that returns, so nothing may be left over."""
        with self._input() as (obs, layer):
            self._read_all(obs, layer, True)
        self.view_layer().update()

    @contextmanager
    def _input(self):
        """Objects as they are without Tribo."""
        global reading
        scene, layer = self.scene(), self.view_layer()
        obs = [subjects.expect(scene, r.subject) for r in self.readings]
        simulated = [ob for ob in obs if subjects.is_simulated(ob)]
        reading = True
        try:
            with stack.in_sight(obs, layer), stack.input_only(simulated):
                yield obs, layer
        finally:
            reading = False

    def _read_all(self, obs, layer, whole_frame):
        if self.gravity is None:
            self.gravity = frames.gravity(self.scene())
        for ob, found in zip(obs, self.readings):
            found.presence.see(ob, self.start + self.done / self.samples)
        with presence.shown(obs):
            layer.update()
            for ob, found in zip(obs, self.readings):
                self._read(ob, layer.depsgraph, found, whole_frame)
        self.done += 1

    def _read(self, ob, depsgraph, found, whole_frame):
        now = ob.evaluated_get(depsgraph)
        if not now.is_evaluated:
            raise Refusal(f"{ob.name} is in a collection that is switched off in the viewport: switch "
                          "it on, or set the object's kind to None")
        place = matrix.flat(now.matrix_world, self.unit)
        if matrix.is_flat(place):
            raise Refusal(f"{ob.name} is scaled to nothing at frame {self.frame_text()}; give it a "
                          "scale other than 0")
        first = found.rest is None
        if whole_frame:
            found.places.append(place)
        if not first and found.body is None and not found.pins and not stack.has_input(ob):
            return
        with shapes.evaluated(ob, depsgraph) as mesh:
            if first:
                self._begin(ob, mesh, found, place)
            elif shapes.topology(mesh) != found.topology:
                raise Refusal(refusals.why_topology(self, found.subject, mesh, found.topology))
            points = shapes.points(mesh)
        if (matrix.determinant(place) < 0) != found.rest.mirrored:
            raise Refusal(f"{ob.name} turns inside out at frame {self.frame_text()}: its scale changes "
                          "its sign")
        for track in [found.body] if found.body else [pin[2] for pin in found.pins]:
            track.append(points, place)

    def _begin(self, ob, mesh, found, place):
        found.topology = shapes.topology(mesh)
        found.rest = build.Rest(ob, mesh, place)
        if kinds.is_given(found.subject.kind):
            found.body = self._track()
        else:
            found.pins = [(v, k, self._track(v)) for v, k in build.pin_levels(ob, mesh)]

    def _track(self, chosen=None):
        track = Track(chosen)
        track.start, track.interval = float(self.start), 1.0 / self.samples
        return track

    def frame_text(self):
        return f"{self.start + self.done / self.samples:g}"

    def finish(self):
        """Puts the timeline back where it was."""
        global reading
        scene = self.scene_name.find()
        if scene is None:
            return
        reading = True
        try:
            scene.frame_set(self.frame_before[0], subframe=self.frame_before[1])
        finally:
            reading = False
