/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blunt: the corners and edges of a rigid mesh as points and lines that lie just below them.
 *
 * Where two blocks lie flush, corner on corner, a vertex has three sides of the other at no
 * distance, and the nearest is a matter of rounding. A point that lies `radius` below all faces
 * that meet at the vertex has the side below it at its radius and the others behind it. It is drawn
 * inwards by d radius with the shortest d for which
 *
 *   normal_k . d <= -1                                         for all faces k at the vertex
 *
 * and `tip` leads back. Towards a surface whose normal there is n the body reaches from the point
 * as far as the vertex does, max(radius, -tip . n): so corners and edges are exact however far the
 * points are drawn in, and only which face a corner is at is asked a little inside. Where there is
 * no such d, or a wedge is so thin that d is longer than BLUNT_FARTHEST, the vertex stays bare.
 *
 * Convex edges are cut into segments. Between two segments there is a point, too.
 */
#ifndef CONTACT_BLUNT_H
#define CONTACT_BLUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

/* Way inwards to a blunt point, in radii, at most: a cube's corner goes by sqrt(3). */
static const double BLUNT_FARTHEST = 4;

typedef struct blunt_shape {
  const char *name;
  const vec3 *x; /* in its own frame */
  size_t vertex_count;
  const int32_t *vertices; /* those on triangles, ascending */
  size_t count;
  const int32_t *triangles;
  size_t triangle_count;
  double radius, apart; /* apart: the length of a segment, at most; metres */
} blunt_shape;

typedef struct blunt_span {
  int32_t end[2]; /* points */
  vec3 from, to;  /* in the shape's frame, just below the edge */
  vec3 tip;       /* from there to the edge */
  double round;   /* how thick it is whatever the normal: the radius; bare: 0 */
} blunt_span;

typedef struct blunt_points {
  vec3 *local, *tip; /* where a point is, and the way from there to its vertex or edge */
  double *round;
  int32_t *rides;        /* the vertex that each is at, or comes after on an edge */
  int32_t (*between)[2]; /* of those on an edge: the points beside each on it; else -1 */
  size_t count;          /* vertices first, then those on edges */
  blunt_span *segments;
  size_t segment_count;
} blunt_points;

tribo_status blunt_make(const blunt_shape *shape, arena *memory, blunt_points *out,
                        tribo_error *err);

/* The vertices with which a mesh pokes into a face that is laid on it: all triangles around fall
 * away. Points on flat faces and straight edges do not. Their numbers among shape->vertices. */
tribo_status blunt_corners(const blunt_shape *shape, arena *memory, int32_t **out, size_t *count,
                           tribo_error *err);

/* The least extent along the axes of the frame. */
double blunt_least_extent(const blunt_shape *shape);

#endif
