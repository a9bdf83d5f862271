# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of one object over the samples of a bake.

Nobody asks Blender whether something is animated; the samples tell. What never changes has no
motion, what only turns and shifts is told by transforms, the rest vertex by vertex.
"""

from array import array

from ..library import tribo
from ..logic import matrix
from . import shapes


class Track:
    """Points of one object and its transform at every sample. `chosen`: only these vertices."""

    def __init__(self, chosen=None):
        self.chosen = chosen
        self.first = None  # points at the first sample, in the object's space
        self.first_bytes = b""
        self.transforms = []  # to the world, one a sample
        self.deforming = None  # Samples, once a point moved within the object's space
        self.start, self.interval = 0.0, 1.0
        self.goes_on = False  # more samples will follow, so one alone is a motion too

    def append(self, points, transform):
        if self.chosen is not None:
            points = shapes.choose(points, self.chosen)
        data = points.tobytes()
        if self.first is None:
            self.first, self.first_bytes = points, data
        if self.deforming is None and data != self.first_bytes:
            self.deforming = self._samples_of_first()
        if self.deforming is not None:
            self.deforming.append(points, array("d", transform))
        self.transforms.append(transform)

    def _samples_of_first(self):
        samples = tribo.Samples(self.start, self.interval, len(self.first) // 3)
        for transform in self.transforms:
            samples.append(self.first, array("d", transform))
        return samples

    def stands_still(self):
        first = self.transforms[0]
        if self.goes_on:
            return False
        return self.deforming is None and all(m == first for m in self.transforms)

    def as_points(self):
        """Samples of all points, or None where nothing moves."""
        if self.stands_still():
            return None
        return self.deforming if self.deforming is not None else self._samples_of_first()

    def as_motion(self):
        """Samples of the motion since the first sample: transforms where the shape is kept."""
        if self.goes_on:
            return self.as_points()
        if self.stands_still() or self.deforming is not None:
            return self.deforming
        back = matrix.inverse(self.transforms[0])
        since = [matrix.times(m, back) for m in self.transforms]
        if not all(matrix.keeps_shape(m) for m in since):
            return self._samples_of_first()
        samples = tribo.Samples(self.start, self.interval, 0)
        for m in since:
            samples.append(array("d", m))
        return samples
