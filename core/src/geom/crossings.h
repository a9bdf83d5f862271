/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crossings: the edges of meshes that pass through triangles, exactly.
 *
 * An edge p q crosses a triangle a b c where p and q lie on different sides of its plane, and the
 * three volumes (p, q, a, b), (p, q, b, c) and (p, q, c, a) have one sign. Signs are exact, and
 * what only touches is decided as if it were moved by less than any number (geom/exact.h). Elements
 * that share a vertex do not cross. A triangle a b b is a line: it has an edge, which may cross,
 * and nothing passes through it.
 *
 * Nothing but positions and triangles goes in: what a solver believes plays no part. Which pairs
 * are looked at comes from hierarchies of boxes that are refitted to the places
 * (geom/bvh_moving.h); the answer does not depend on them, on what was asked before, or on the
 * number of threads.
 */
#ifndef GEOM_CROSSINGS_H
#define GEOM_CROSSINGS_H

#include "base/array.h"
#include "geom/bvh_moving.h"

/* The edges and triangles of one mesh. Vertices have numbers from first_number on, which are
 * different for all vertices of all meshes that are compared. */
typedef struct crossings_mesh {
  size_t vertex_count;
  const int32_t *triangles;
  size_t triangle_count;
  int32_t *edges; /* two vertices each, the lower first, sorted */
  size_t edge_count;
  int32_t *opposite; /* of each edge, in the two triangles that have it: their third vertices; -1
                        where there is none, and twice where there are more than two */
  double spacing;    /* mean length of the edges at rest */
  int64_t first_number;
  const vec3 *x; /* where the vertices are */
  bvh_motion *places;
  bvh_moving edge_tree, triangle_tree;
} crossings_mesh;

/* In `memory`; `triangles` is kept. `rest` arranges the trees and is finite. */
tribo_status crossings_mesh_build(const vec3 *rest, size_t vertex_count, const int32_t *triangles,
                                  size_t triangle_count, int64_t first_number, arena *memory,
                                  crossings_mesh *out, tribo_error *err);

/* Fits the trees to x, which is kept. */
void crossings_mesh_move(const tasks *t, const vec3 *x, crossings_mesh *mesh);

/* An edge of one mesh through a triangle of another, or of the same. */
typedef struct crossing {
  int32_t edge, triangle;
} crossing;

typedef ARRAY(crossing) crossing_list;

/* Adds those of the edges of `a` through the triangles of `b`, which may be the same mesh; in an
 * order that is always the same. */
tribo_status crossings_find(const tasks *t, const crossings_mesh *a, const crossings_mesh *b,
                            crossing_list *out, tribo_error *err);

/* Whether they cross, asked of these two alone. */
bool crossings_cross(const crossings_mesh *a, const crossings_mesh *b, crossing c);

/* Where the edge meets the plane of the triangle. */
vec3 crossings_place(const crossings_mesh *a, const crossings_mesh *b, crossing c);

/* How far, at least, the edge would have to be moved to be out of the triangle: back by one of its
 * ends, or over a side of the triangle behind which the surface ends or turns away by more than
 * 30 degrees, m. */
double crossings_depth(const crossings_mesh *a, const crossings_mesh *b, crossing c);

#endif
