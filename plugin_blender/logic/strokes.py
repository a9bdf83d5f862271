# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes as numbers: their history, and the points of a stroke that is being drawn."""

BUDGET = 256 << 20  # bytes of records


class History:
    """Records of strokes, from the oldest that is still kept. position: how many strokes were done, of
    all that ever were."""

    def __init__(self, position=0, budget=BUDGET):
        self.first = self.position = position
        self.budget = budget
        self.records = []

    def add(self, record):
        """A new stroke; what was undone before it is gone. The last one is kept whatever its size."""
        del self.records[self.position - self.first:]
        self.records.append(record)
        self.position += 1
        while len(self.records) > 1 and sum(map(len, self.records)) > self.budget:
            del self.records[0]
            self.first += 1

    def move(self, position):
        """The records to swap, in order, to get to a position, or as near to it as they reach."""
        wanted = max(self.first, min(position, self.first + len(self.records)))
        at, to = self.position - self.first, wanted - self.first
        self.position = wanted
        return self.records[at:to] if to >= at else self.records[to:at][::-1]

    def can_undo(self):
        return self.position > self.first

    def can_redo(self):
        return self.position < self.first + len(self.records)


class Path:
    """Points of a stroke as they come from the mouse, which stands on whole pixels: those closer
    together than `spacing` are held back, so that a stroke runs where it is drawn and does not
    tremble."""

    def __init__(self, spacing):
        self.spacing = spacing
        self.last = None

    def take(self, point):
        """Whether the point goes into the stroke."""
        if self.last is not None and distance(point, self.last) < self.spacing:
            return False
        self.last = tuple(point)
        return True


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
