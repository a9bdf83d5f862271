# SPDX-License-Identifier: GPL-3.0-or-later
"""What the weights of a vertex group mean."""

LEVELS = 16  # a pin of the core has one stiffness, so soft weights are rounded to sixteenths
HELD_FROM = 0.5


def levels(weights, stiffness):
    """[(vertices, stiffness)] of the pins that a group makes.

    Stiffness 0: vertices with a weight of a half or more are held exactly. Above 0: every vertex
    hangs on a spring of stiffness times its weight.
    """
    if stiffness <= 0:
        held = [i for i, weight in enumerate(weights) if weight >= HELD_FROM]
        return [(held, 0.0)] if held else []
    found = {}
    for i, weight in enumerate(weights):
        level = int(min(1.0, weight) * LEVELS + 0.5)
        if level > 0:
            found.setdefault(level, []).append(i)
    return [(found[level], stiffness * level / LEVELS) for level in sorted(found, reverse=True)]


def blend(weights, low, high):
    """Multipliers from weights: low where the weight is 0, high where it is 1."""
    return [low + (high - low) * weight for weight in weights]
