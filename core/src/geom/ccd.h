/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ccd: when do two things that move straight come as close as `slack`?
 *
 * Additive continuous collision detection (Li, Kaufman and Jiang, "Codimensional incremental
 * potential contact", 2021, section 5): time advances by what is surely free of contact, until the
 * gap is used up. Several bounds say how far that is, and the largest is taken: theirs, the gap
 * over the greatest relative speed; the time at which the plane across the two closest points stops
 * separating the two, which is exact for sliding along a face and lets most pairs go in one step;
 * and, where these are slow, the time for which a plane that turns with the triangle or the two
 * edges separates them.
 *
 * The time is never later than the true one: up to it the distance stays above slack. It may be a
 * little earlier, at a gap of up to a millionth of the first one (or what rounding of the
 * coordinates blurs, if that is more). Coordinates should lie between 1e-60 and 1e60.
 */
#ifndef GEOM_CCD_H
#define GEOM_CCD_H

#include "geom/bvh.h"

typedef enum ccd_outcome {
  CCD_FREE,  /* stays apart */
  CCD_HIT,   /* comes as close as slack, give or take the millionth */
  CCD_UNSURE /* free up to `time`; what comes then was not found in 1,000 steps: take it for a hit
              */
} ccd_outcome;

typedef struct ccd_hit {
  double time;      /* in [0, 1]; 0 when the two are that close from the beginning; 1 when free */
  double weight[4]; /* of the closest points at that time: the point's 1 and the triangle's three,
                       or two of each edge */
  vec3 direction;   /* unit, from the second to the first at that time */
} ccd_hit;

/* start and end: the point, then the triangle's corners. slack >= 0. */
ccd_outcome ccd_point_triangle(const vec3 start[4], const vec3 end[4], double slack, ccd_hit *hit);

/* start and end: the ends of one edge, then of the other. */
ccd_outcome ccd_edge_edge(const vec3 start[4], const vec3 end[4], double slack, ccd_hit *hit);

/* A mesh that moves: its vertices at the start and at the end, and a tree over the boxes that
 * bvh_triangle_boxes makes of both. For one that rests, or moves rigidly and is asked in its own
 * frame, end is start. */
typedef struct ccd_mesh {
  const vec3 *start, *end;
  const int32_t *triangles;
  const bvh *tree;
} ccd_mesh;

typedef struct ccd_mesh_hit {
  double time; /* 1 when free */
  double weight[3];
  int32_t triangle; /* -1 when free */
  ccd_outcome outcome;
} ccd_mesh_hit;

/* The first triangle that a point, moving straight, comes as close to as slack; of equally early
 * ones that with the smallest number. */
ccd_mesh_hit ccd_mesh_first(const ccd_mesh *m, vec3 from, vec3 to, double slack);

/* Many points: from[i] to to[i], slack[i]. */
void ccd_mesh_batch(const tasks *t, const ccd_mesh *m, const vec3 *from, const vec3 *to,
                    const double *slack, size_t count, ccd_mesh_hit *hits);

#endif
