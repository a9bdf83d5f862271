# SPDX-License-Identifier: GPL-3.0-or-later
"""What a wedge is made of, without Blender: the values of an axis, their combinations, and the keys that its
scenes are known by."""

import itertools

MOST = 2000  # scenes of a wedge made in Blender: each is read from the file at all its frames


def spread(low, high, count, equal_factors=False, whole=False):
    """`count` values from low to high."""
    if equal_factors and (low <= 0 or high <= 0):
        raise ValueError("values with equal factors between them take a range above 0")
    out = []
    for i in range(count):
        share = i / (count - 1) if count > 1 else 0.0
        value = low * (high / low) ** share if equal_factors else low + (high - low) * share
        out.append(round(value) if whole else value)
    if count > 1 and not whole:
        out[-1] = high
    return list(dict.fromkeys(out))


def combinations(axes):
    """axes: (values, together with the axis before). One tuple of values a scene, the first axis slowest."""
    groups = []
    for values, together in axes:
        if together and groups:
            if len(groups[-1][0]) != len(values):
                raise ValueError(f"what goes together takes as many values: {len(groups[-1][0])} and {len(values)}")
            groups[-1].append(values)
        else:
            groups.append([values])
    picked = itertools.product(*[list(zip(*group)) for group in groups])
    out = list(itertools.islice((tuple(itertools.chain(*rows)) for rows in picked), MOST + 1))
    if len(out) > MOST:
        raise ValueError(f"there are more than {MOST} combinations; take fewer values, or let some go together")
    return out


def key(owner, path):
    """What a property is known by: objects[Cloth].tribo.cloth.bend; of the scene without an owner."""
    return f"objects[{owner}].{path}" if owner else f"scene.{path}"


def split_key(text, owners):
    """The owner ("" for the scene) and the path of a key; None where nobody of `owners` is meant."""
    if text.startswith("scene."):
        return "", text[len("scene."):]
    for owner in sorted(owners, key=len, reverse=True):
        opening = f"objects[{owner}]."
        if text.startswith(opening):
            return owner, text[len(opening):]
    return None


def line(item):
    """One item of a wedge, for a list."""
    state = item["state"]
    if state == "done" and item["rough"]:
        state = f"{item['rough']} rough frames"
    if state in ("running", "stopped"):
        state = f"{state}, {item['frames']} of {item['end'] - item['start'] + 1}"
    return f"{item['label']}: {state}"
