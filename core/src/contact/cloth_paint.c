/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/cloth_paint.h"

#include "model/kinematics.h"

/* The weights of a triangle's corners; false where the place is not on it. Vertices are those of
 * the body. */
static bool spread_weights(const int32_t *triangle, const int32_t *vertices, const double *weights,
                           int count, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = 0;
  for (int i = 0; i < count; i++) {
    int k = 0;
    while (k < 3 && triangle[k] != vertices[i]) k++;
    if (k == 3) return false;
    out[k] = weights[i];
  }
  return true;
}

paint_value cloth_paint(const model *m, const model_probes *cloth, const int32_t *nodes,
                        const double *weights, int count, const vec3 *x, vec3 normal) {
  const paint *p = &m->paints[cloth->object];
  if (!paint_any(p) || !m->bodies[cloth->body].kinematics->by_vertex) return paint_none();
  int32_t first = m->bodies[cloth->body].first_node, own[3] = {0};
  for (int i = 0; i < count; i++) own[i] = nodes[i] - first;
  x += first;
  if (count == 1) return paint_at_vertex(p, own[0], normal, x);
  for (int32_t c = p->start[own[0]]; c < p->start[own[0] + 1]; c++) {
    size_t triangle = (size_t)p->corner[c] / 3;
    const int32_t *t = p->triangles + 3 * triangle;
    double weight[3];
    if (!spread_weights(t, own, weights, count, weight)) continue;
    vec3 sides[2] = {vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]])};
    return paint_at_place(p, triangle, weight, sides, normal);
  }
  return paint_none();
}
