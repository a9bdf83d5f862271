# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves of a data-block, in every version of Blender."""


def _of_action(user):
    """Of the action that animation data or a strip plays. From 4.4 on an action has slots, and this plays
    one of them."""
    if not hasattr(user, "action_slot"):
        yield from user.action.fcurves
        return
    for layer in user.action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(user.action_slot) if user.action_slot else None
            yield from bag.fcurves if bag else ()


def curves(owner):
    """Every F-curve and driver that may move a property of this data-block."""
    data = getattr(owner, "animation_data", None)
    if data is None:
        return
    if data.action:
        yield from _of_action(data)
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action:
                yield from _of_action(strip)
    yield from data.drivers


def moved_paths(owner):
    """Data paths whose values belong to the animation, not to the artist's hand."""
    return {curve.data_path for curve in curves(owner)}


def switches(owner, path):
    """Whether animation turns a property on and off, and does not just hold it."""
    values = set()
    for curve in curves(owner):
        if curve.data_path == path and not curve.mute:
            if getattr(curve, "driver", None) or len(curve.modifiers):
                return True
            values |= {key.co[1] > 1 - 1e-6 for key in curve.keyframe_points}  # as Blender rounds
    return len(values) > 1


def varies(owner, path):
    """Whether animation changes a property over time."""
    for curve in curves(owner):
        if curve.data_path == path and not curve.mute:
            if getattr(curve, "driver", None) or len(curve.modifiers):
                return True
            values = [key.co[1] for key in curve.keyframe_points]
            if values and max(values) - min(values) > 1e-6 * max(map(abs, values)):
                return True
    return False


def is_driven(owner, path):
    data = getattr(owner, "animation_data", None)
    return data is not None and any(d.data_path == path and not d.mute for d in data.drivers)


def value_at(owner, path, index, frame, otherwise):
    """What keyframes make of a property at a frame; of a driver nobody knows but Blender."""
    for curve in curves(owner):
        if curve.data_path == path and curve.array_index == index and not curve.mute:
            if not getattr(curve, "driver", None):
                return curve.evaluate(frame)
    return otherwise


def key_numbers(owner, paths=None, but=()):
    """All that shapes the F-curves, as numbers and text, for a fingerprint; of some paths only, or of
    all but some."""
    out = []
    for curve in curves(owner):
        if curve.data_path in but or (paths is not None and curve.data_path not in paths):
            continue
        out += [curve.data_path, curve.array_index, curve.extrapolation, curve.mute]
        for key in curve.keyframe_points:
            out += [*key.co, *key.handle_left, *key.handle_right, key.interpolation]
        for modifier in curve.modifiers:
            out.append(modifier.type)
        if getattr(curve, "driver", None):
            out += [curve.driver.type, curve.driver.expression]
    return out
