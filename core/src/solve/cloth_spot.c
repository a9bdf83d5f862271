/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/cloth_spot.h"

cloth_spot cloth_spot_at_vertex(const model_feelers *cloth, int32_t vertex) {
  return (cloth_spot){.cloth = cloth, .vertex = vertex};
}

cloth_spot cloth_spot_in_triangle(const model_feelers *cloth, int32_t triangle,
                                  const double weight[3]) {
  return (cloth_spot){cloth, -1, triangle, {weight[0], weight[1], weight[2]}};
}

cloth_spot cloth_spot_on_edge(const model_feelers *cloth, int32_t corner, int32_t first,
                              double along) {
  cloth_spot at = {.cloth = cloth, .vertex = -1, .triangle = corner / 3};
  int from = corner % 3, to = (from + 1) % 3;
  bool forward = cloth->triangles[corner] == first;
  at.weight[from] = forward ? 1 - along : along;
  at.weight[to] = forward ? along : 1 - along;
  return at;
}

paint_value cloth_spot_paint(const model *m, const cloth_spot *at, const vec3 *x, vec3 normal) {
  const paint *p = &m->paints[at->cloth->object];
  if (!paint_any(p)) return paint_none();
  const vec3 *own = x + m->bodies[at->cloth->body].first_node;
  if (at->vertex >= 0) return paint_at_vertex(p, at->vertex, normal, own);
  const int32_t *t = at->cloth->triangles + 3 * at->triangle;
  vec3 sides[2] = {vec3_sub(own[t[1]], own[t[0]]), vec3_sub(own[t[2]], own[t[0]])};
  return paint_at_place(p, (size_t)at->triangle, at->weight, sides, normal);
}
