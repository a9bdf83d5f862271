# SPDX-License-Identifier: GPL-3.0-or-later
"""A warp direction for any cloth.

The core takes the warp from an axis that it projects on each triangle, so the axis must not stand
upright on any. The default, x, does on the sides of a box; one click must do for that as well.
"""

DEFAULT = (1.0, 0.0, 0.0)
CANDIDATES = (DEFAULT, (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.82, 0.41, 0.4), (0.36, 0.48, 0.8),
              (0.6, 0.37, 0.71))
UPRIGHT = 0.9999  # the cosine of about 0.8 degrees


def worst(axis, normals, back):
    """How upright an axis of the world stands on the triangle where it does so most: 1 is upright.
    normals: 3 numbers each, in the object's space; back: 16 numbers from the world to there."""
    # A normal n of the object is M^-T n in the world, M^-1 being `back`.
    rows = [(back[i], back[4 + i], back[8 + i]) for i in range(3)]
    most = 0.0
    for x, y, z in zip(normals[0::3], normals[1::3], normals[2::3]):
        n = [r[0] * x + r[1] * y + r[2] * z for r in rows]
        size = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) ** 0.5
        if size > 0:
            most = max(most, abs(n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]) / size)
    return most


def choose(normals, back):
    """The default where it will do, otherwise the best of some others."""
    if worst(DEFAULT, normals, back) < UPRIGHT:
        return DEFAULT
    return min(CANDIDATES, key=lambda axis: worst(axis, normals, back))
