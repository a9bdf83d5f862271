/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rod: the elasticity of a thin rod: stretching of its segments, bending and twisting between them
 * (Bergou, Wardetzky, Robinson, Audoly, Grinspun 2008, "Discrete Elastic Rods"; strains as in Lang,
 * Linn, Arnold 2011).
 *
 * A segment has its two points x0, x1 and a director d, a vector of length r at right angles to it:
 * the arrow from the centre line to a line that is drawn along the surface of the rod. With
 * e = x1 - x0 the frame of the segment is
 *
 *   t = e/|e|,   a = the part of d across t, normalised,   b = t x a.
 *
 * Everything follows from positions and directors, so a rod needs no orientation in the state and
 * no frame of reference that is carried along (docs/rods.md says what that is compared with).
 *
 * Stretching: E A L/2 (|e|/L - 1)^2. It carries the gauge, what a director may do without
 * any effect on the frame: its length and its lean,
 *
 *   g/2 (r^2/4 (|d|^2/r^2 - 1)^2 + (d . e)^2 / L^2),
 *
 * which is 0 at the minimum of everything else, for nothing else resists it.
 *
 * Bending and twisting: R = (t a b)_1^T (t a b)_2 takes the frame of one segment to that of the
 * next. Turned by an angle phi about the unit vector n,
 *
 *   kappa = 2 tan(phi/2) n,   kappa_i = 2 (R_kj - R_jk) / (1 + tr R),
 *   E = sum_i K_i/2 (kappa_i - kappa0_i)^2,
 *
 * i = twist about t, bending about a and about b; K = G J / l, E I / l with l the mean of the two
 * lengths. kappa is a rational function of the frame and grows without bound towards half a
 * turn, so a fold is never folded further, and a twist of more than half a turn between two
 * segments is not lost.
 *
 * Exact derivatives: with w the turning of each frame in its own axes, D = w2 - w1, S = w1 + w2 and
 * c = kappa/2, d kappa = D + c x S + (c . D) c. Projected Hessian: the Gauss-Newton part
 * K grad kappa grad kappa^T, exact at rest.
 */
#ifndef ENERGY_ROD_H
#define ENERGY_ROD_H

#include "energy/elements.h"

/* A segment: x0, x1, d. */
typedef struct rod_stretch {
  double stiffness; /* E A, N */
  double length;    /* L, m */
  double radius;    /* r, the length of the director, m */
  double gauge;     /* g, N/m */
} rod_stretch;

/* Two segments that follow each other: x0, x1, x2, d01, d12. Twist, about a, about b. */
typedef struct rod_bend {
  double stiffness[3]; /* K, N m */
  double rest[3];      /* kappa0 */
} rod_bend;

/* kappa of five positions; not finite where a segment has no length, a director no part across its
 * segment, or at half a turn. */
vec3 rod_curvature(const vec3 x[5]);

extern const element_kernel rod_stretch_kernel, rod_bend_kernel;

#endif
