/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/refine.h"

#include <stdint.h>
#include <string.h>

/* Into how many parts each side of a triangle is cut. */
static double parts_of(const vec3 *vertices, const int32_t *triangle, double spacing) {
  double longest = 0;
  for (int k = 0; k < 3; k++)
    longest =
        fmax(longest, vec3_norm(vec3_sub(vertices[triangle[(k + 1) % 3]], vertices[triangle[k]])));
  return spacing > 0 ? fmax(1, ceil(longest / spacing * (1 - 1e-9))) : 1;
}

static tribo_status copy(const vec3 *vertices, size_t vertex_count, const int32_t *triangles,
                         size_t triangle_count, arena *memory, refined *out, tribo_error *err) {
  *out = (refined){.vertex_count = vertex_count,
                   .triangle_count = triangle_count,
                   .vertices = ARENA_ARRAY(memory, vec3, vertex_count),
                   .triangles = ARENA_ARRAY(memory, int32_t, 3 * triangle_count)};
  if (!out->vertices || !out->triangles) return status_no_memory(err, "a surface");
  memcpy(out->vertices, vertices, vertex_count * sizeof *vertices);
  memcpy(out->triangles, triangles, 3 * triangle_count * sizeof *triangles);
  return TRIBO_OK;
}

/* The vertices of a cut triangle stand row by row: row a, of n - a + 1, is a/n of the way from side
 * (0, 1) to corner 2. */
static int32_t at(int32_t first, int32_t n, int32_t a, int32_t b) {
  return first + a * (n + 1) - a * (a - 1) / 2 + b;
}

static void cut(const vec3 *vertices, const int32_t *triangles, int32_t number, int32_t n,
                refined *out) {
  const int32_t *triangle = triangles + 3 * (size_t)number;
  int32_t first = (int32_t)out->vertex_count;
  for (int32_t a = 0; a <= n; a++)
    for (int32_t b = 0; b <= n - a; b++) {
      size_t i = out->vertex_count++;
      double w[3] = {(double)(n - a - b) / n, (double)b / n, (double)a / n};
      for (int k = 0; k < 3; k++) {
        out->parent[i][k] = triangle[k];
        out->weight[i][k] = w[k];
        out->vertices[i] = vec3_madd(out->vertices[i], w[k], vertices[triangle[k]]);
      }
    }
  for (int32_t a = 0; a < n; a++)
    for (int32_t b = 0; b < n - a; b++) {
      out->source[out->triangle_count] = number;
      int32_t *up = out->triangles + 3 * out->triangle_count++;
      up[0] = at(first, n, a, b), up[1] = at(first, n, a, b + 1), up[2] = at(first, n, a + 1, b);
      if (b == n - a - 1) continue;
      out->source[out->triangle_count] = number;
      int32_t *down = out->triangles + 3 * out->triangle_count++;
      down[0] = at(first, n, a, b + 1), down[1] = at(first, n, a + 1, b + 1);
      down[2] = at(first, n, a + 1, b);
    }
}

tribo_status refine_mesh(const char *name, const vec3 *vertices, size_t vertex_count,
                         const int32_t *triangles, size_t triangle_count, double spacing,
                         arena *memory, refined *out, tribo_error *err) {
  double total = 0, corners = 0;
  for (size_t i = 0; i < triangle_count; i++) {
    double n = parts_of(vertices, triangles + 3 * i, spacing);
    total += n * n;
    corners += (n + 1) * (n + 2) / 2;
  }
  if (total == (double)triangle_count)
    return copy(vertices, vertex_count, triangles, triangle_count, memory, out, err);
  if (total > REFINE_MOST)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': surface.spacing of %g m would take %.0f samples, more than "
                       "%d; use a larger spacing, or 'mesh' for surface.contact",
                       name, spacing, total, REFINE_MOST);
  size_t count = (size_t)corners;
  *out = (refined){.vertices = ARENA_ARRAY(memory, vec3, count),
                   .triangles = ARENA_ARRAY(memory, int32_t, 3 * (size_t)total),
                   .parent = arena_alloc(memory, count, sizeof *out->parent),
                   .weight = arena_alloc(memory, count, sizeof *out->weight),
                   .source = ARENA_ARRAY(memory, int32_t, (size_t)total)};
  if (!out->vertices || !out->triangles || !out->parent || !out->weight || !out->source)
    return status_no_memory(err, "a surface");
  for (size_t i = 0; i < triangle_count; i++)
    cut(vertices, triangles, (int32_t)i, (int32_t)parts_of(vertices, triangles + 3 * i, spacing),
        out);
  return TRIBO_OK;
}
