/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_find: what of cloth may touch cloth within a step: vertices the inside of triangles,
 * edges edges. See projective_layers.h for what is a contact; this finds them.
 *
 * Cloth is full of itself: next to every vertex are triangles that lie beside it in the same sheet,
 * and of ten thousand pairs that are near each other few touch. So pairs are sorted out by eights
 * (bvh_moving.h), first by their boxes, then by a bound that is quick to tell; what is left is
 * measured one by one. What is found depends on the places and velocities alone: nothing of one
 * step is kept for the next.
 */
#ifndef PROJECTIVE_PROJECTIVE_FIND_H
#define PROJECTIVE_PROJECTIVE_FIND_H

#include "geom/bvh_moving.h"
#include "model/model.h"

/* What a vertex or an edge found near it. */
typedef struct layers_find {
  int32_t other;    /* triangle or edge */
  double distance2; /* m^2 */
  bool far;         /* too far to touch, but it approaches */
  double ahead;     /* the distance; of what is far, at the end of the step if both go on; m */
  double weight[4]; /* of the four nodes: own first */
  vec3 normal;      /* unit, from the other to this */
} layers_find;

enum { LAYERS_MOST = 4 }; /* contacts that a vertex or an edge starts, at most */

typedef struct layers_finder {
  const model *model;
  tasks tasks;
  double h;
  double thickest;
  double *thickness;                     /* of nodes: 0: does not take part */
  int32_t *body;                         /* of nodes */
  int32_t *vertices, *triangles, *edges; /* that take part: nodes, triples and pairs of them */
  size_t vertex_count, triangle_count, edge_count;
  bvh_moving vertex_tree, triangle_tree, edge_tree;
  eight_triangles *eight_triangles; /* one a group of triangle_tree */
  eight_edges *eight_edges;         /* and of edge_tree */
  double *lowest;                   /* number of an edge in such a group */
  bvh_motion *motion;               /* of nodes, from here on */
  double *speed;                    /* against the mean of all, m/s */
  layers_find *found;               /* LAYERS_MOST for each vertex, then for each edge */
  int32_t *found_count;
  bool *close; /* of each vertex, then of each edge: something is in reach, kept or not */
} layers_finder;

/* Cloth takes part where its surface.thickness is above 0, and so does a solid whose vertices are
 * nodes. */
tribo_status layers_finder_create(const model *m, double h, const tasks *t, arena *memory,
                                  layers_finder *out, tribo_error *err);

/* Whether a body has a thickness and yet takes no part: a lattice of tets carries its vertices. */
bool layers_finder_leaves_out(const layers_finder *f, size_t body);

/* Fills found and found_count for a step from x, v. */
void layers_finder_look(layers_finder *f, const vec3 *x, const vec3 *v);

/* The distance that the surfaces of two nodes keep. */
double layers_thickness(const layers_finder *f, int32_t a, int32_t b);

#endif
