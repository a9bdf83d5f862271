# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms as 16 numbers, row by row, in double precision.

Blender's own matrices are floats; what is computed from them (an inverse, a motion since the first
frame) is computed here, so that no more is lost.
"""

import math

IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
LAST_ROW = (0.0, 0.0, 0.0, 1.0)


def flat(rows, unit=1.0):
    """From four rows of four numbers; unit is metres a Blender unit."""
    return tuple(float(x) * unit for row in list(rows)[:3] for x in row) + LAST_ROW


def times(a, b):
    """First b, then a."""
    linear = [
        sum(a[4 * i + k] * b[4 * k + j] for k in range(3)) + (a[4 * i + 3] if j == 3 else 0.0)
        for i in range(3)
        for j in range(4)
    ]
    return tuple(linear) + LAST_ROW


def determinant(m):
    """How volumes grow; below 0 the transform mirrors."""
    return (
        m[0] * (m[5] * m[10] - m[6] * m[9])
        - m[1] * (m[4] * m[10] - m[6] * m[8])
        + m[2] * (m[4] * m[9] - m[5] * m[8])
    )


def is_flat(m):
    """Squashes space into a plane, a line or a point: there is no way back."""
    size = max(math.hypot(m[i], m[4 + i], m[8 + i]) for i in range(3))
    return not (abs(determinant(m)) > 1e-12 * size**3)


def inverse(m):
    """The way back; ValueError where there is none."""
    if is_flat(m):
        raise ValueError("the transform squashes the mesh flat")
    a, b, c, d, e, f, g, h, i = m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]
    scale = 1.0 / determinant(m)
    rows = (
        ((e * i - f * h) * scale, (c * h - b * i) * scale, (b * f - c * e) * scale),
        ((f * g - d * i) * scale, (a * i - c * g) * scale, (c * d - a * f) * scale),
        ((d * h - e * g) * scale, (b * g - a * h) * scale, (a * e - b * d) * scale),
    )
    shift = (m[3], m[7], m[11])
    out = []
    for row in rows:
        out += [*row, -sum(r * s for r, s in zip(row, shift))]
    return tuple(out) + LAST_ROW


def keeps_shape(m, tolerance=1e-6):
    """Turns, shifts and scales all alike, without mirroring."""
    columns = [(m[i], m[4 + i], m[8 + i]) for i in range(3)]
    volume = determinant(m)
    if not volume > 0:
        return False
    scale = volume ** (2.0 / 3.0)
    for i in range(3):
        for j in range(i, 3):
            product = sum(x * y for x, y in zip(columns[i], columns[j])) / scale
            if abs(product - (i == j)) > tolerance:
                return False
    return True
