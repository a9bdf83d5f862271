/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exact: on which side of a plane a point lies, without a rounding.
 *
 * The sign of the determinant
 *
 *   | ax ay az 1 |
 *   | bx by bz 1 |
 *   | cx cy cz 1 |
 *   | dx dy dz 1 |
 *
 * is found in doubles where their error bound allows it, and by expansions elsewhere: sums of
 * doubles that do not overlap (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and
 * Fast Robust Geometric Predicates, 1997). Exact while no product of three coordinates leaves the
 * range of doubles: coordinates of 0, or between 1e-90 and 1e100 in size.
 *
 * exact_side never answers 0: points are told apart by a perturbation that is smaller than any
 * number, a different one for every coordinate, ordered by the numbers of the points (H.
 * Edelsbrunner, E. P. Mücke, Simulation of Simplicity, 1990). So whatever is asked of the same
 * points agrees: a line through the common side of two triangles passes one of them.
 */
#ifndef GEOM_EXACT_H
#define GEOM_EXACT_H

#include <stdint.h>

#include "math/vec3.h"

/* The sign of the determinant: positive where a, b, c run clockwise as seen from d; 0 where the
 * four lie in one plane. */
int exact_orient(vec3 a, vec3 b, vec3 c, vec3 d);

/* A point and its number. */
typedef struct exact_point {
  vec3 at;
  int64_t number;
} exact_point;

/* The same sign, of four points with different numbers; 1 or -1. */
int exact_side(const exact_point points[4]);

#endif
