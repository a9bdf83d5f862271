/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil: the distance of a vertex and a triangle, or of two edges, as a function of its points.
 *
 * With r = sum_i w_i(t) x_i the vector between a point of the one and a point of the other, at
 * parameters t, the squared distance is
 *
 *   D(x) = min_t |r|^2,   w linear in t, t within the triangle or the two edges.
 *
 * Which of t are at a bound decides the type: between two points none is free, between a point and
 * an edge one, else two. With T_a = dr/dt_a, G = T^T T and w'_ia = dw_i/dt_a (envelope theorem, and
 * the implicit derivative of T^T r = 0)
 *
 *   dD/dx_i       = 2 w_i r
 *   d2D/dx_i dx_j = 2 (w_i w_j I - sum_ab (w'_ia r + w_i T_a) G^-1_ab (w'_jb r + w_j T_b)^T).
 *
 * D is once continuously differentiable where the type changes, but for parallel edges, where the
 * closest points jump. There a contact is faded out by the mollifier (Li et al. 2020, "Incremental
 * potential contact", section 5) of c = |e_a x e_b|^2, e the edges, m^4:
 *
 *   m(c) = (2 - c/c0) c/c0   for c < c0,   1 above,   c0 = 1e-3 |e_a|^2 |e_b|^2 at rest.
 */
#ifndef PROXIMITY_STENCIL_H
#define PROXIMITY_STENCIL_H

#include "math/mat3.h"

typedef enum stencil_type {
  STENCIL_POINT_POINT,
  STENCIL_POINT_EDGE,
  STENCIL_POINT_FACE,
  STENCIL_EDGE_EDGE
} stencil_type;

enum { STENCIL_POINTS = 4 };

/* Of a vertex (point 0) and a triangle (1 to 3), or of the edges 0 1 and 2 3. */
typedef struct stencil {
  stencil_type type;
  double distance;  /* m */
  vec3 normal;      /* unit, from the second to the first; zero where the distance is */
  double weight[4]; /* w: of the first's points they add up to 1, of the second's to -1 */
  int free;         /* parameters that are free: 0, 1 or 2 */
  double by[4][2];  /* w'_ia */
  unsigned taking;  /* points that take part, a bit each: the feature's name */
} stencil;

stencil stencil_vertex_face(const vec3 x[4]);
stencil stencil_edge_edge(const vec3 x[4]);

/* The distance alone, and the points that take part. */
double stencil_vertex_face_distance(const vec3 x[4], unsigned *taking);
double stencil_edge_edge_distance(const vec3 x[4], unsigned *taking);

/* Of the squared distance: four vectors, and a 12 x 12 row-major matrix. */
void stencil_gradient(const stencil *s, vec3 g[4]);
void stencil_hessian(const stencil *s, const vec3 x[4], double h[144]);

/* c0 of two edges. */
double stencil_mollifier_bound(const vec3 rest[4]);

/* m at x, and where g is not NULL its gradient, where h is not NULL its Hessian. */
double stencil_mollifier(const vec3 x[4], double bound, vec3 g[4], double h[144]);

#endif
