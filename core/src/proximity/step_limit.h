/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * step_limit: how far a motion may go until a pair comes too close.
 *
 * Additive continuous collision detection (geom/ccd.h) on the gap g = d - xi of each pair, d the
 * distance and xi what its surfaces keep between them: the pair may use up all but a share of the
 * gap that it starts with,
 *
 *   d(t) >= xi + keep g(0)   for all t up to the limit,   0 < keep < 1.
 *
 * A pair whose gap is not above 0 at the start has no way to go: the limit is 0. Nothing is missed,
 * as the queries miss nothing; a limit may come a little early.
 */
#ifndef PROXIMITY_STEP_LIMIT_H
#define PROXIMITY_STEP_LIMIT_H

#include "proximity/candidates.h"
#include "proximity/stencil.h"

typedef struct step_limit_pairs {
  const surface_mesh *mesh;
  const candidate *faces, *edges;
  size_t face_count, edge_count;
  const double *face_thickness, *edge_thickness; /* xi of each, m */
} step_limit_pairs;

typedef struct step_limit {
  double time;  /* in [0, 1] */
  int32_t pair; /* that sets it: of the faces, then of the edges; -1: none does */
} step_limit;

/* Of all pairs. times: of each pair, faces then edges, its own limit; NULL: not wanted. With times
 * every pair is followed to its own limit, else only as far as the others let it. */
step_limit step_limit_find(const step_limit_pairs *pairs, const tasks *t, const vec3 *from,
                           const vec3 *to, double keep, double *times);

/* Of one pair: four points, split 1 for a vertex and a triangle, 2 for two edges. */
double step_limit_pair(const vec3 from[4], const vec3 to[4], int split, double thickness,
                       double keep);

/* The same in a few steps, for who needs no more than a safe time: a pair that is not sure to stay
 * free is given the time up to which it is, at which from a `keep`th to twice that is left of the
 * gap, or more where 16 steps did not get there. *at: the closest points then, for times between 0
 * and 1.
 */
double step_limit_quick(const vec3 from[4], const vec3 to[4], int split, double thickness,
                        double keep, stencil *at);

#endif
