# SPDX-License-Identifier: GPL-3.0-or-later
"""What the core says of each kind of object: learned once from its table, asked for by facts.

Blender knows a kind by its name in capitals, "CLOTH"; "NONE" and "" are of no kind and have no facts.
Labels, icons and presets of kinds are Blender's own and stand with what shows them.
"""

_rows = {}


def learn(rows):
    """rows: the core's kinds(), one dict each."""
    _rows.clear()
    _rows.update((row["name"].upper(), row) for row in rows)


def names():
    """Of all kinds, in the core's order."""
    return list(_rows)


def _has(kind, fact):
    return kind in _rows and _rows[kind][fact]


def is_simulated(kind):
    return _has(kind, "simulated")


def is_given(kind):
    """It is where its animation puts it."""
    return kind in _rows and not _rows[kind]["simulated"]


def deforms(kind):
    return _has(kind, "deforms")


def keeps_shape(kind):
    """Simulated, and rigid."""
    return is_simulated(kind) and not deforms(kind)


def is_sheet(kind):
    """Its triangles are its matter: it has no inside."""
    return _has(kind, "sheet")


def is_filled(kind):
    """Its inside becomes tets."""
    return _has(kind, "tets")


def takes_pins(kind):
    return _has(kind, "pinnable")


def groups_of(kind):
    """Groups of parameters that an object of the kind has."""
    out = {"surface", "maps"}
    if not is_given(kind):
        out.add("object")
    if kind in _rows:
        out.add(_rows[kind]["group"])
    if is_filled(kind):
        out.add("fill")
    return out - {None}
