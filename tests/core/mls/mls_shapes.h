/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_shapes: surfaces to ask questions of, and the search that tries every sample.
 */
#ifndef TESTS_MLS_SHAPES_H
#define TESTS_MLS_SHAPES_H

#include "claims.h"
#include "mls/mls_check.h"
#include "mls/mls_patch.h"
#include "mls/mls_transport.h"
#include "mls/mls_tree.h"

static const mls_kernel KERNELS[3] = {MLS_INTERPOLATING, MLS_CUBIC, MLS_SMOOTH};

typedef struct shape {
  size_t vertex_count, triangle_count;
  vec3 *vertices;
  int32_t *triangles;
} shape;

static inline vec3 mls_random_vector(uint64_t *seed, double size) {
  double x = claim_between(seed, -size, size), y = claim_between(seed, -size, size);
  return vec3_make(x, y, claim_between(seed, -size, size));
}

/* A lattice of equilateral triangles with side h, bent to z = bend (x^2 + y^2)/2 and shaken. */
static inline shape mls_sheet(int n, double h, double bend, double shake, uint64_t *seed,
                              arena *memory) {
  size_t side = (size_t)n + 1;
  shape s = {side * side, 2 * (size_t)(n * n), ARENA_ARRAY(memory, vec3, side * side),
             ARENA_ARRAY(memory, int32_t, 6 * n * n)};
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      double x = h * (i + 0.5 * j - 0.75 * n), y = h * sqrt(0.75) * (j - 0.5 * n);
      vec3 at = vec3_make(x, y, 0.5 * bend * (x * x + y * y));
      s.vertices[(size_t)j * side + (size_t)i] = vec3_add(at, mls_random_vector(seed, shake * h));
    }
  int32_t *t = s.triangles;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      int32_t two[6] = {a, b, c, b, d, c};
      memcpy(t, two, sizeof two);
      t += 6;
    }
  return s;
}

/* A sphere of radius 1: the faces of an octahedron, n^2 triangles each, pushed out. Corners are not
 * shared between faces; samples do not mind. */
static inline shape mls_sphere(int n, arena *memory) {
  size_t count = 8 * (size_t)(n * n);
  shape s = {3 * count, count, ARENA_ARRAY(memory, vec3, 3 * count),
             ARENA_ARRAY(memory, int32_t, 3 * count)};
  size_t next = 0;
  for (int face = 0; face < 8; face++) {
    double sx = face & 1 ? -1 : 1, sy = face & 2 ? -1 : 1, sz = face & 4 ? -1 : 1;
    bool even = sx * sy * sz > 0; /* x, y, z turns outwards */
    for (int a = 0; a < n; a++)
      for (int b = 0; a + b < n; b++)
        for (int up = 0; up < 2 - (a + b == n - 1); up++) {
          int low[3][2] = {{a, b}, {a + 1, b}, {a, b + 1}};
          int high[3][2] = {{a + 1, b}, {a + 1, b + 1}, {a, b + 1}};
          for (int k = 0; k < 3; k++) {
            const int *p = up ? high[even ? k : 2 - k] : low[even ? k : 2 - k];
            vec3 v = {sx * p[0], sy * p[1], sz * (n - p[0] - p[1])};
            s.triangles[next] = (int32_t)next;
            s.vertices[next++] = vec3_normalized(v);
          }
        }
  }
  return s;
}

/* Every sample for every place. */
static inline tribo_status mls_find_all(void *context, const tasks *t, const vec3 *places,
                                        size_t count, double reach, arena *memory, mls_lists *out,
                                        tribo_error *err) {
  const mls_surface *surface = context;
  (void)t, (void)places, (void)reach, (void)err;
  size_t *start = ARENA_ARRAY(memory, size_t, count + 1);
  int32_t *index = ARENA_ARRAY(memory, int32_t, count * surface->count);
  for (size_t i = 0; i < count; i++) {
    start[i + 1] = start[i] + surface->count;
    for (size_t j = 0; j < surface->count; j++) index[start[i] + j] = (int32_t)j;
  }
  *out = (mls_lists){start, index};
  return TRIBO_OK;
}

static inline int32_t *mls_everyone(size_t count, arena *memory) {
  int32_t *all = ARENA_ARRAY(memory, int32_t, count);
  for (size_t i = 0; i < count; i++) all[i] = (int32_t)i;
  return all;
}

static inline mls_surface mls_of(const shape *s, mls_kernel kernel, double epsilon, arena *memory) {
  mls_surface surface;
  claim_ok(mls_from_triangles(kernel, epsilon, s->triangles, s->triangle_count, s->vertices, memory,
                              &surface, err));
  return surface;
}

/* The formulas of the paper as they stand there, for one query. */
static inline double mls_by_the_paper(const mls_surface *surface, vec3 q) {
  double top = 0, bottom = 0, e = surface->epsilon;
  for (size_t i = 0; i < surface->count; i++) {
    const mls_sample *s = &surface->samples[i];
    double r = vec3_norm(vec3_sub(q, s->point)), t = r / s->radius, w = 0;
    if (t >= 1) continue;
    double edge = 1 / ((1 + e) * (1 + e)), here = 1 / ((t * t + e) * (t * t + e));
    if (surface->kernel == MLS_CUBIC) w = 1 - 3 * t * t + 2 * t * t * t;
    if (surface->kernel == MLS_INTERPOLATING) w = (here - edge) / (1 / (e * e) - edge);
    if (surface->kernel == MLS_SMOOTH)
      w = (here - edge + 2 * edge / (1 + e) * (t * t - 1)) /
          (1 / (e * e) - edge - 2 * edge / (1 + e));
    top += w * (s->value + vec3_dot(s->normal, vec3_sub(q, s->point)));
    bottom += w;
  }
  return top / bottom;
}

static inline mat3 mls_random_rotation(uint64_t *seed) {
  return mls_rotation(vec3_normalized(mls_random_vector(seed, 1)),
                      vec3_normalized(mls_random_vector(seed, 1)));
}

#endif
