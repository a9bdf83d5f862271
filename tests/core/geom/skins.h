/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * skins: surfaces to fill, clean and not, and sums over tets.
 */
#ifndef TESTS_SKINS_H
#define TESTS_SKINS_H

#include "base/arena.h"
#include "claims.h"
#include "math/vec3.h"

typedef struct skin {
  size_t vertex_count, triangle_count;
  vec3 *vertices;
  int32_t *triangles;
} skin;

static inline int open_arena(void **memory) {
  *memory = calloc(1, sizeof(arena));
  return 0;
}

static inline int close_arena(void **memory) {
  arena_free(*memory);
  free(*memory);
  return 0;
}

static inline void skin_quad(skin *s, int32_t a, int32_t b, int32_t c, int32_t d) {
  int32_t two[6] = {a, b, c, a, c, d};
  memcpy(s->triangles + 3 * s->triangle_count, two, sizeof two);
  s->triangle_count += 2;
}

/* A box around the origin, nx, ny, nz squares along its edges, wound outward. */
static inline skin skin_bar(int nx, int ny, int nz, vec3 half, arena *memory) {
  int points = (nx + 1) * (ny + 1) * (nz + 1);
  skin s = {.vertices = ARENA_ARRAY(memory, vec3, points),
            .triangles = ARENA_ARRAY(memory, int32_t, 12 * (nx * ny + ny * nz + nz * nx))};
  int32_t *number = ARENA_ARRAY(memory, int32_t, points);
#define AT(i, j, k) number[((k) * (ny + 1) + (j)) * (nx + 1) + (i)]
  for (int k = 0; k <= nz; k++)
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i <= nx; i++) {
        if (i > 0 && i < nx && j > 0 && j < ny && k > 0 && k < nz) continue;
        AT(i, j, k) = (int32_t)s.vertex_count;
        s.vertices[s.vertex_count++] = vec3_make(
            half.x * (2.0 * i / nx - 1), half.y * (2.0 * j / ny - 1), half.z * (2.0 * k / nz - 1));
      }
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      skin_quad(&s, AT(i, j, 0), AT(i, j + 1, 0), AT(i + 1, j + 1, 0), AT(i + 1, j, 0));
      skin_quad(&s, AT(i, j, nz), AT(i + 1, j, nz), AT(i + 1, j + 1, nz), AT(i, j + 1, nz));
    }
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++) {
      skin_quad(&s, AT(0, j, k), AT(0, j, k + 1), AT(0, j + 1, k + 1), AT(0, j + 1, k));
      skin_quad(&s, AT(nx, j, k), AT(nx, j + 1, k), AT(nx, j + 1, k + 1), AT(nx, j, k + 1));
    }
  for (int k = 0; k < nz; k++)
    for (int i = 0; i < nx; i++) {
      skin_quad(&s, AT(i, 0, k), AT(i + 1, 0, k), AT(i + 1, 0, k + 1), AT(i, 0, k + 1));
      skin_quad(&s, AT(i, ny, k), AT(i, ny, k + 1), AT(i + 1, ny, k + 1), AT(i + 1, ny, k));
    }
#undef AT
  return s;
}

static inline skin skin_box(int n, vec3 half, arena *memory) {
  return skin_bar(n, n, n, half, memory);
}

/* A sphere: the box pushed out, each face by tangents so that its squares stay even. */
static inline skin skin_sphere(int n, double radius, arena *memory) {
  skin s = skin_box(n, vec3_make(1, 1, 1), memory);
  double quarter = acos(-1) / 4;
  for (size_t i = 0; i < s.vertex_count; i++) {
    vec3 p = s.vertices[i];
    p = vec3_make(tan(quarter * p.x), tan(quarter * p.y), tan(quarter * p.z));
    s.vertices[i] = vec3_scale(radius, vec3_normalized(p));
  }
  return s;
}

static inline void skin_move(skin *s, double x, double y, double z) {
  for (size_t i = 0; i < s->vertex_count; i++)
    s->vertices[i] = vec3_add(s->vertices[i], vec3_make(x, y, z));
}

static inline void skin_turn_over(skin *s, size_t triangle) {
  int32_t *t = s->triangles + 3 * triangle, kept = t[1];
  t[1] = t[2];
  t[2] = kept;
}

static inline void skin_turn_all(skin *s) {
  for (size_t i = 0; i < s->triangle_count; i++) skin_turn_over(s, i);
}

static inline skin skin_both(const skin *a, const skin *b, arena *memory) {
  skin s = {a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count,
            ARENA_ARRAY(memory, vec3, a->vertex_count + b->vertex_count),
            ARENA_ARRAY(memory, int32_t, 3 * (a->triangle_count + b->triangle_count))};
  memcpy(s.vertices, a->vertices, a->vertex_count * sizeof *s.vertices);
  memcpy(s.vertices + a->vertex_count, b->vertices, b->vertex_count * sizeof *s.vertices);
  memcpy(s.triangles, a->triangles, 3 * a->triangle_count * sizeof *s.triangles);
  for (size_t i = 0; i < 3 * b->triangle_count; i++)
    s.triangles[3 * a->triangle_count + i] = b->triangles[i] + (int32_t)a->vertex_count;
  return s;
}

static inline vec3 skin_random(uint64_t *seed, double size) {
  double x = claim_between(seed, -size, size), y = claim_between(seed, -size, size);
  return vec3_make(x, y, claim_between(seed, -size, size));
}

/* Triangles anywhere, of any shape, some on three points of a line. */
static inline skin skin_soup(size_t triangles, uint64_t *seed, arena *memory) {
  size_t vertices = triangles + 3;
  skin s = {vertices, triangles, ARENA_ARRAY(memory, vec3, vertices),
            ARENA_ARRAY(memory, int32_t, 3 * triangles)};
  for (size_t i = 0; i < vertices; i++) {
    s.vertices[i] = skin_random(seed, 1);
    if (claim_random(seed) < 0.2) s.vertices[i].z = 0;
    if (claim_random(seed) < 0.1) s.vertices[i] = vec3_make(round(s.vertices[i].x), 0, 0);
  }
  for (size_t i = 0; i < triangles; i++) {
    int32_t *t = s.triangles + 3 * i;
    do
      for (int a = 0; a < 3; a++) t[a] = (int32_t)(claim_random(seed) * (double)vertices);
    while (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]);
  }
  return s;
}

static inline double tet_volume(const vec3 *x, const int32_t *t) {
  return vec3_dot(vec3_cross(vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]])),
                  vec3_sub(x[t[3]], x[t[0]])) /
         6;
}

/* All volumes positive; their sum. */
static inline double tets_volume(const vec3 *x, const int32_t *tets, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    double volume = tet_volume(x, tets + 4 * i);
    assert_true(volume > 0);
    sum += volume;
  }
  return sum;
}

static inline int32_t skin_root(int32_t *parent, int32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* How many pieces the tets fall into, that have no node in common. */
static inline size_t tets_pieces(size_t node_count, const int32_t *tets, size_t count) {
  int32_t *parent = malloc((node_count + 1) * sizeof *parent);
  bool *used = calloc(node_count + 1, sizeof *used);
  assert_true(parent && used);
  for (size_t i = 0; i < node_count; i++) parent[i] = (int32_t)i;
  for (size_t i = 0; i < 4 * count; i++) {
    used[tets[i]] = true;
    parent[skin_root(parent, tets[i])] = skin_root(parent, tets[i / 4 * 4]);
  }
  size_t pieces = 0;
  for (size_t i = 0; i < node_count; i++) pieces += used[i] && parent[i] == (int32_t)i;
  free(parent);
  free(used);
  return pieces;
}

#endif
