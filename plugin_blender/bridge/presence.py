# SPDX-License-Identifier: GPL-3.0-or-later
"""When a collider is there: keyframes and drivers of its visibility.

What is shown is what is rendered, so hide_render decides where it changes over time; where only
hide_viewport does, that. What is simply hidden takes part, as a proxy does.
"""

import math
from array import array
from contextlib import contextmanager

from ..logic import kinds
from . import animation, stack

PATHS = ("hide_render", "hide_viewport")


def deciding(ob):
    """The property by which a collider comes and goes, or ""."""
    if not kinds.is_given(ob.tribo.kind):
        return ""
    return next((path for path in PATHS if animation.switches(ob, path)), "")


class Presence:
    """Whether a collider was there, sample by sample; from each to the next it stays so."""

    def __init__(self, ob):
        self.path = deciding(ob)
        self.switches = []  # frames at which it appears, vanishes, appears, ...
        self.always = True

    def see(self, ob, frame):
        """At the frame that Blender stands at, before anything is shown for reading. Whether it is
        there."""
        there = not (self.path and getattr(ob, self.path))
        if there != (len(self.switches) % 2 == 1):
            self.switches.append(float(frame))
        self.always = self.always and there
        return there

    def ranges(self):
        """For Scene.add; None where it is always there."""
        if self.always:
            return None
        open_end = [math.inf] if len(self.switches) % 2 else []
        return array("d", self.switches + open_end)


@contextmanager
def shown(obs):
    """While it lasts, these objects are evaluated although animation hides them at this frame."""
    muted, hidden = [], []
    try:
        for ob in filter(stack.comes_and_goes, obs):
            for curve in animation.curves(ob):
                if curve.data_path == "hide_viewport" and not curve.mute:
                    curve.mute = True
                    muted.append(curve)
            if ob.hide_viewport:
                ob.hide_viewport = False
                hidden.append(ob)
                stack.refresh(ob, "TIME")
        yield
    finally:
        for curve in muted:
            curve.mute = False
        for ob in hidden:
            ob.hide_viewport = True
