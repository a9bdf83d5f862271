/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * distance: the closest points of points, segments and triangles.
 *
 * Feet are convex combinations of the corners, with weights in [0, 1] that add up to 1 within
 * rounding, and the distance is measured to the foot: what is returned is the distance of a point
 * that belongs to the triangle or segment, whatever its shape. Triangles and segments without
 * extent count as the segment or the point that they are. Nothing here divides by what may be zero.
 */
#ifndef GEOM_DISTANCE_H
#define GEOM_DISTANCE_H

#include "math/vec3.h"

/* What of a triangle is closest: a corner, the side from that corner to the next, or its inside. */
typedef enum distance_feature {
  DISTANCE_CORNER_0,
  DISTANCE_CORNER_1,
  DISTANCE_CORNER_2,
  DISTANCE_SIDE_01,
  DISTANCE_SIDE_12,
  DISTANCE_SIDE_20,
  DISTANCE_FACE
} distance_feature;

typedef struct distance_foot {
  double distance2;
  vec3 foot;
  double weight[3];
  distance_feature feature;
} distance_foot;

/* From q to the triangle c[0] c[1] c[2]. */
distance_foot distance_point_triangle(vec3 q, const vec3 c[3]);

/* The squared distance from q to the segment a b; the foot is a + *t (b - a), 0 <= t <= 1, and is
 * exactly a or b at the ends. */
double distance_point_segment(vec3 q, vec3 a, vec3 b, double *t);

/* The squared distance of the segments a[0] a[1] and b[0] b[1]; the closest points are
 * a[0] + *s (a[1] - a[0]) and b[0] + *t (b[1] - b[0]). Of parallel ones, where many pairs are
 * equally close, one at an end. */
double distance_edge_edge(const vec3 a[2], const vec3 b[2], double *s, double *t);

/* a + t (b - a), and exactly b where t is 1. */
static inline vec3 distance_along(vec3 a, vec3 b, double t) {
  return t == 1 ? b : vec3_madd(a, t, vec3_sub(b, a));
}

#endif
