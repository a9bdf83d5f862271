/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comb_stroke.h"

/* ---- where a ray meets the surface ------------------------------------------------------------
 */

typedef struct ray {
  const comb_map *map;
  vec3 from, along;
  int32_t triangle;
  double at;
} ray;

/* Moller and Trumbore 1997: from + t along = (1 - u - v) a + u b + v c, by Cramer's rule. */
static bool meets(const ray *r, const vec3 c[3], double *t) {
  vec3 e1 = vec3_sub(c[1], c[0]), e2 = vec3_sub(c[2], c[0]), p = vec3_cross(r->along, e2);
  double det = vec3_dot(e1, p);
  if (det == 0) return false;
  vec3 s = vec3_sub(r->from, c[0]), q = vec3_cross(s, e1);
  double u = vec3_dot(s, p) / det, v = vec3_dot(r->along, q) / det;
  *t = vec3_dot(e2, q) / det;
  return u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9 && *t >= 0;
}

static double visit_ray(void *context, int32_t place, double limit) {
  ray *r = context;
  double t;
  if (!meets(r, r->map->surface.corners[place], &t) || t > limit) return limit;
  int32_t triangle = r->map->surface.tree.order[place];
  if (t == r->at && triangle > r->triangle) return limit; /* on an edge: the first of the two */
  r->triangle = triangle;
  return r->at = t;
}

bool comb_pick(const comb *c, vec3 from, vec3 direction, int32_t *triangle, vec3 *point) {
  if (!vec3_finite(from) || !vec3_finite(direction) || !(vec3_norm(direction) > 0)) return false;
  /* As far as the mesh can be. */
  double far = 0;
  for (size_t i = 0; i < c->map.mesh.vertex_count; i++)
    far = fmax(far, vec3_norm2(vec3_sub(c->map.mesh.positions[i], from)));
  ray r = {&c->map, from, vec3_scale(1.01 * sqrt(far), vec3_normalized(direction)), -1, 2};
  bvh_along(&c->map.surface.tree, from, vec3_add(from, r.along), 0, visit_ray, &r);
  if (r.triangle < 0) return false;
  *triangle = r.triangle;
  *point = vec3_madd(from, r.at, r.along);
  return true;
}

/* ---- what is painted at a place ---------------------------------------------------------------
 */

/* The two texels around a coordinate along one side, and the share of the second: as
 * model/texture.c has them. */
static void between(double at, int32_t count, bool repeat, int32_t place[2], double *share) {
  double x = (repeat ? at - floor(at) : fmin(fmax(at, 0), 1)) * count - 0.5, low = floor(x);
  place[0] = (int32_t)low;
  place[1] = place[0] + 1;
  *share = x - low;
  if (place[0] < 0) place[0] = repeat ? count - 1 : 0;
  if (place[1] >= count) place[1] = repeat ? place[1] - count : count - 1;
}

static comb_grain grain_at(const comb_map *map, const float *pixels, double u, double v) {
  int32_t x[2], y[2];
  double right, up;
  between(u, map->width, map->repeat, x, &right);
  between(v, map->height, map->repeat, y, &up);
  comb_grain row[2];
  for (int j = 0; j < 2; j++) {
    comb_grain g[2];
    for (int i = 0; i < 2; i++) {
      const float *pixel = pixels + 4 * ((size_t)y[j] * (size_t)map->width + (size_t)x[i]);
      g[i] = comb_grain_read(pixel[0], pixel[1]);
    }
    row[j] = comb_grain_between(g[0], g[1], right);
  }
  return comb_grain_between(row[0], row[1], up);
}

static comb_glyph look(const comb_map *map, const comb_patch *patch, const float *pixels,
                       size_t triangle, const double weight[3]) {
  const double *uv = map->mesh.uvs + 6 * triangle;
  double u = 0, v = 0;
  comb_glyph glyph = {.normal = patch->normal};
  for (int k = 0; k < 3; k++) {
    u += weight[k] * uv[2 * k];
    v += weight[k] * uv[2 * k + 1];
    glyph.point = vec3_madd(glyph.point, weight[k], patch->corner[k]);
  }
  comb_grain grain = grain_at(map, pixels, u, v);
  double length = comb_grain_length(grain), x, y;
  if (!(length > 0)) return glyph;
  comb_grain_direction(grain, &x, &y);
  vec3 direction = vec3_madd(vec3_scale(x, patch->t), y, patch->b);
  glyph.structure = vec3_scale(length, direction);
  return glyph;
}

comb_glyph comb_look(const comb *c, const float *pixels, size_t triangle, const double weight[3]) {
  comb_patch patch;
  if (comb_map_patch(&c->map, triangle, &patch))
    return look(&c->map, &patch, pixels, triangle, weight);
  return (comb_glyph){.point = {0, 0, 0}};
}

/* ---- places spread over the surface -----------------------------------------------------------
 */

static double area_of(const comb_patch *p) {
  vec3 a = vec3_sub(p->corner[1], p->corner[0]), b = vec3_sub(p->corner[2], p->corner[0]);
  return 0.5 * vec3_norm(vec3_cross(a, b));
}

double comb_area(const comb *c) {
  double sum = 0;
  for (size_t t = 0; t < c->map.mesh.triangle_count; t++) {
    comb_patch patch;
    if (comb_map_patch(&c->map, t, &patch)) sum += area_of(&patch);
  }
  return sum;
}

/* The k-th of points that fill a triangle evenly however many there are: the additive sequence of
 * the plastic number (Roberts 2018), folded into the triangle. */
static void spread(size_t k, double weight[3]) {
  double u = 0.5 + 0.7548776662466927 * (double)k, v = 0.5 + 0.5698402909980532 * (double)k;
  u -= floor(u);
  v -= floor(v);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  weight[0] = 1 - u - v;
  weight[1] = u;
  weight[2] = v;
}

size_t comb_glyphs(const comb *c, const float *pixels, double spacing, comb_glyph *out,
                   size_t capacity) {
  if (!(spacing > 0)) return 0;
  size_t count = 0;
  double due = 0.5; /* what of the area so far has no place yet goes on to the next triangle */
  for (size_t t = 0; t < c->map.mesh.triangle_count; t++) {
    comb_patch patch;
    if (!comb_map_patch(&c->map, t, &patch)) continue;
    due = fmin(due + area_of(&patch) / (spacing * spacing), 1e8);
    for (; due >= 1; due -= 1, count++) {
      if (count >= capacity) continue;
      double weight[3];
      spread(count, weight);
      out[count] = look(&c->map, &patch, pixels, t, weight);
    }
  }
  return count;
}
