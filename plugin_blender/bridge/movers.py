# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects by which an object is moved or shaped."""

from . import stack, subjects

# Modifiers whose outcome depends on nothing but the mesh and their settings.
STILL = {
    "ARRAY", "BEVEL", "BOOLEAN", "CAST", "DECIMATE", "DISPLACE", "EDGE_SPLIT", "MASK", "MIRROR",
    "MULTIRES", "REMESH", "SCREW", "SIMPLE_DEFORM", "SKIN", "SMOOTH", "SOLIDIFY", "SUBSURF",
    "TRIANGULATE", "WEIGHTED_NORMAL", "WELD", "WIREFRAME",
}


def input_modifiers(ob):
    """Modifiers that shape what Tribo reads."""
    return stack.above(ob) if subjects.is_simulated(ob) else list(ob.modifiers)


def helper(modifier):
    """The object that a modifier looks at, or None."""
    for name in ("object", "target", "curve", "mirror_object", "offset_object", "object_from"):
        found = getattr(modifier, name, None)
        if hasattr(found, "matrix_world"):
            return found
    return None


def of(ob):
    """The object itself, what carries it, and what its modifiers and constraints look at."""
    out, waiting = [], [ob]
    while waiting:
        one = waiting.pop()
        if one is None or one in out:
            continue
        out.append(one)
        waiting.append(one.parent)
        waiting += [getattr(constraint, "target", None) for constraint in one.constraints]
        waiting += [helper(modifier) for modifier in input_modifiers(one)]
    return out


def may_move(ob):
    """False only where nothing can change from frame to frame."""
    for one in of(ob):
        parts = (one, one.data, getattr(one.data, "shape_keys", None))
        if any(getattr(part, "animation_data", None) for part in parts):
            return True
        if one.constraints or one.rigid_body or getattr(one, "soft_body", None):
            return True
        if any(modifier.type not in STILL for modifier in input_modifiers(one)):
            return True
    return False
