/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cloth_spot: a place on cloth that touches something, at a vertex or between vertices, and what is
 * painted there. Between vertices it is looked up inside of a triangle, so a map is seen as sharp
 * as it is; an edge belongs to the first of its triangles.
 */
#ifndef SOLVE_CLOTH_SPOT_H
#define SOLVE_CLOTH_SPOT_H

#include "model/model.h"

typedef struct cloth_spot {
  const model_feelers *cloth;
  int32_t vertex;   /* the body's own; -1: the place is inside a triangle */
  int32_t triangle; /* of the feelers */
  double weight[3]; /* of its corners */
} cloth_spot;

cloth_spot cloth_spot_at_vertex(const model_feelers *cloth, int32_t vertex);
cloth_spot cloth_spot_in_triangle(const model_feelers *cloth, int32_t triangle,
                                  const double weight[3]);

/* `along` of the way from vertex `first` to the other end of the edge that begins at `corner`
 * (3 triangle + side). */
cloth_spot cloth_spot_on_edge(const model_feelers *cloth, int32_t corner, int32_t first,
                              double along);

/* x: all nodes. normal: unit, across the contact. */
paint_value cloth_spot_paint(const model *m, const cloth_spot *at, const vec3 *x, vec3 normal);

#endif
