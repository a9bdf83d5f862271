#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes vertex-face.csv and edge-edge.csv: collision queries whose true answer is known by how
they are made, in exact rational numbers.

A hit is made around the moment and the place of contact: two points that coincide there, and
motions through it. A miss has a plane that keeps the two apart at the start and at the end, and so
at all times between; it may be as narrow as 2^-40. Among both are motions in a plane, parallel
edges, contacts at corners and at the very end.
"""

import random
from fractions import Fraction as F
from pathlib import Path

HERE = Path(__file__).parent
COUNT = 160


def number(rng, bits=12):
    return F(rng.randint(-(1 << bits), 1 << bits), 1 << bits)


def point(rng, flat=False):
    return [number(rng), number(rng), F(0) if flat else number(rng)]


def add(a, b, s=1):
    return [x + s * y for x, y in zip(a, b)]


def shares(rng, count, corner):
    """Dyadic weights that add up to 1."""
    if corner:
        at = rng.randrange(count)
        return [F(int(i == at)) for i in range(count)]
    cuts = sorted(rng.randint(0, 64) for _ in range(count - 1))
    return [F(b - a, 64) for a, b in zip([0] + cuts, cuts + [64])]


def mix(weights, points):
    out = [F(0)] * 3
    for w, p in zip(weights, points):
        out = add(out, p, w)
    return out


def hit(rng, split):
    """Where they meet at time t = 2^-k or 1: first side shifted so that its point is on the second's."""
    flat = rng.random() < 0.3
    time = F(1, 1 << rng.randint(0, 3))
    corner = rng.random() < 0.3
    meet = [point(rng, flat) for _ in range(4)]
    if split == 2 and rng.random() < 0.2:  # parallel edges
        meet[1] = add(meet[0], add(meet[3], meet[2], -1))
    sizes = (split, 4 - split)
    one = mix(shares(rng, sizes[0], corner), meet[:split])
    other = mix(shares(rng, sizes[1], corner), meet[split:])
    for i in range(split):
        meet[i] = add(add(meet[i], other), one, -1)
    move = [point(rng, flat) for _ in range(4)]
    start = [add(p, m, -time) for p, m in zip(meet, move)]
    return start, [add(p, m) for p, m in zip(start, move)]


def miss(rng, split):
    """Apart in z by a gap at both ends, and turned about so that z is any axis."""
    gap = F(1, 1 << rng.choice((2, 6, 12, 20, 40)))
    sides = []
    for _ in range(2):
        rows = [point(rng) for _ in range(4)]
        level = number(rng)
        for i, p in enumerate(rows):
            depth = F(0) if rng.random() < 0.4 else abs(number(rng))
            p[2] = level + (gap + depth if i < split else -depth)
        sides.append(rows)
    turn = rng.randrange(3)
    return [[p[turn:] + p[:turn] for p in rows] for rows in sides]


def write(name, split, seed):
    rng = random.Random(seed)
    with open(HERE / name, "w", encoding="utf-8") as file:
        for k in range(2 * COUNT):
            truth = k % 2
            start, end = (hit if truth else miss)(rng, split)
            for p in start + end:
                row = [n for x in p for n in (x.numerator, x.denominator)]
                file.write(",".join(map(str, row + [truth])) + "\n")


write("vertex-face.csv", 1, 18)
write("edge-edge.csv", 2, 81)
