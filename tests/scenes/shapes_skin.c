/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_skin.h"

#include <stdlib.h>
#include <string.h>

vec3 field_gradient(shape_field field, const void *context, vec3 x) {
  const double h = 1e-6;
  double g[3], y[3] = {x.x, x.y, x.z};
  for (int a = 0; a < 3; a++) {
    double at = y[a], up, down;
    y[a] = at + h;
    up = field(context, y);
    y[a] = at - h;
    down = field(context, y);
    y[a] = at;
    g[a] = (up - down) / (2 * h);
  }
  return vec3_from(g);
}

vec3 field_onto(shape_field field, const void *context, vec3 x) {
  for (int k = 0; k < 8; k++) {
    double y[3] = {x.x, x.y, x.z};
    vec3 g = field_gradient(field, context, x);
    x = vec3_madd(x, -field(context, y) / vec3_dot(g, g), g);
  }
  return x;
}

/* Each vertex of a closed surface towards the middle of its neighbours, then back onto the surface;
 * some times over. */
static bool even_out(mesh *m, shape_field field, const void *context, int times) {
  vec3 *sums = malloc((m->vertex_count + 1) * sizeof *sums);
  double *counts = malloc((m->vertex_count + 1) * sizeof *counts);
  bool ok = sums && counts;
  for (int k = 0; ok && k < times; k++) {
    memset(sums, 0, m->vertex_count * sizeof *sums);
    memset(counts, 0, m->vertex_count * sizeof *counts);
    for (size_t c = 0; c < 3 * m->triangle_count; c++) {
      int32_t v = m->triangles[c], w = m->triangles[c % 3 == 2 ? c - 2 : c + 1];
      sums[v] = vec3_add(sums[v], vec3_from(m->positions + 3 * w));
      counts[v] += 1;
    }
    for (size_t v = 0; v < m->vertex_count; v++) {
      vec3 x = vec3_from(m->positions + 3 * v), middle = vec3_scale(1 / counts[v], sums[v]);
      x = field_onto(field, context, vec3_madd(x, 0.5, vec3_sub(middle, x)));
      m->positions[3 * v] = x.x;
      m->positions[3 * v + 1] = x.y;
      m->positions[3 * v + 2] = x.z;
    }
  }
  free(sums);
  free(counts);
  return ok;
}

mesh shape_field_skin(shape_field field, const void *context, const double low[3],
                      const double high[3], double size) {
  mesh solid = shape_stuffed(field, context, low, high, size), skin = {0};
  if (solid.positions) skin = shape_skin(&solid);
  if (skin.positions && !even_out(&skin, field, context, 20)) mesh_free(&skin);
  mesh_free(&solid);
  return skin;
}
