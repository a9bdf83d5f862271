/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shells: closed and open surfaces by formula, triangle by triangle.
 */
#ifndef TESTS_CORE_MODEL_SHELLS_H
#define TESTS_CORE_MODEL_SHELLS_H

#include "claims.h"

#include "base/array.h"
#include "kinds/outline.h"
#include "scenes/shapes.h"

/* Triangles that others are added to. */
typedef struct shell {
  ARRAY(double) positions;
  ARRAY(int32_t) triangles;
} shell;

static inline int32_t add_point(shell *s, double x, double y, double z) {
  assert_true(ARRAY_PUSH(s->positions, x) && ARRAY_PUSH(s->positions, y) &&
              ARRAY_PUSH(s->positions, z));
  return (int32_t)(s->positions.count / 3) - 1;
}

static inline void add_triangle(shell *s, int32_t a, int32_t b, int32_t c) {
  assert_true(ARRAY_PUSH(s->triangles, a) && ARRAY_PUSH(s->triangles, b) &&
              ARRAY_PUSH(s->triangles, c));
}

static inline void add_quad(shell *s, int32_t a, int32_t b, int32_t c, int32_t d) {
  add_triangle(s, a, b, c);
  add_triangle(s, a, c, d);
}

static inline void shell_free(shell *s) {
  ARRAY_FREE(s->positions);
  ARRAY_FREE(s->triangles);
}

/* Around the z axis from -length/2 to length/2, open. */
static inline shell tube(int sides, int rings, double radius, double length) {
  shell s = {0};
  for (int j = 0; j <= rings; j++)
    for (int i = 0; i < sides; i++) {
      double a = 2 * M_PI * i / sides;
      add_point(&s, radius * cos(a), radius * sin(a), length * ((double)j / rings - 0.5));
    }
  for (int j = 0; j < rings; j++)
    for (int i = 0; i < sides; i++) {
      int32_t here = j * sides + i, next = j * sides + (i + 1) % sides;
      add_quad(&s, here, next, next + sides, here + sides);
    }
  return s;
}

/* A tube with caps of even triangles: a square grid drawn round, a quarter of it a side. */
static inline void add_even_cap(shell *s, int sides, int32_t rim, double radius, double z,
                                bool up) {
  int n = sides / 4;
  int32_t at[17][17];
  assert_true(n <= 16 && sides == 4 * n);
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
      double ring = fmax(fabs(x), fabs(y)), around; /* in quarters, from the ray x = y > 0 back */
      if (x >= fabs(y) && x > 0)
        around = y / x / 2;
      else if (y >= fabs(x) && y > 0)
        around = 1 - x / y / 2;
      else if (-x >= fabs(y) && x < 0)
        around = 2 + y / x / 2;
      else
        around = ring > 0 ? 3 - x / y / 2 : 0;
      int32_t on = (int32_t)lround(around * n + sides) % sides;
      double a = M_PI / 2 * around;
      at[i][j] =
          ring == 1 ? rim + on : add_point(s, ring * radius * cos(a), ring * radius * sin(a), z);
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int32_t a = at[i][j], b = at[i + 1][j], c = at[i + 1][j + 1], d = at[i][j + 1];
      if (up)
        add_quad(s, a, b, c, d);
      else
        add_quad(s, d, c, b, a);
    }
}

static inline shell cylinder(int sides, int rings, double radius, double length) {
  shell s = tube(sides, rings, radius, length);
  add_even_cap(&s, sides, 0, radius, -length / 2, false);
  add_even_cap(&s, sides, rings * sides, radius, length / 2, true);
  return s;
}

/* A tube with caps as Blender makes them: one polygon each, a fan around one of its corners. */
static inline shell cylinder_of_polygons(int sides, int rings, double radius, double length) {
  shell s = tube(sides, rings, radius, length);
  int32_t high = rings * sides;
  for (int i = 1; i + 1 < sides; i++) {
    add_triangle(&s, 0, i + 1, i);
    add_triangle(&s, high, high + i, high + i + 1);
  }
  return s;
}

/* A grid that closes both ways. */
static inline shell torus(int around, int section, double radius, double thickness) {
  shell s = {0};
  for (int i = 0; i < around; i++)
    for (int j = 0; j < section; j++) {
      double a = 2 * M_PI * i / around, b = 2 * M_PI * j / section;
      double r = radius + thickness * cos(b);
      add_point(&s, r * cos(a), r * sin(a), thickness * sin(b));
    }
  for (int i = 0; i < around; i++)
    for (int j = 0; j < section; j++) {
      int32_t n = (i + 1) % around, m = (j + 1) % section;
      add_quad(&s, i * section + j, n * section + j, n * section + m, i * section + m);
    }
  return s;
}

static inline shell sphere(int segments, int rings) {
  shell s = {0};
  for (int j = 1; j < rings; j++)
    for (int i = 0; i < segments; i++) {
      double a = 2 * M_PI * i / segments, b = M_PI * j / rings;
      add_point(&s, sin(b) * cos(a), sin(b) * sin(a), -cos(b));
    }
  int32_t south = add_point(&s, 0, 0, -1), north = add_point(&s, 0, 0, 1);
  int32_t top = (rings - 2) * segments;
  for (int i = 0; i < segments; i++) {
    int32_t next = (i + 1) % segments;
    add_triangle(&s, south, next, i);
    add_triangle(&s, north, top + i, top + next);
    for (int j = 0; j + 2 < rings; j++)
      add_quad(&s, j * segments + i, j * segments + next, (j + 1) * segments + next,
               (j + 1) * segments + i);
  }
  return s;
}

/* The skin of a block of cubes: a box, cut as finely as wanted. */
static inline shell box(int n) {
  mesh m = shape_block(n, n, n, 1, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.positions = m.positions, def.vertex_count = m.vertex_count;
  def.tets = m.tets, def.tet_count = m.tet_count;
  arena memory = {0};
  outline o;
  claim_ok(outline_trace(&def, &memory, &o, err));
  shell s = {0};
  for (size_t i = 0; i < 3 * m.vertex_count; i++) ARRAY_PUSH(s.positions, m.positions[i]);
  for (size_t i = 0; i < 3 * o.triangle_count; i++) ARRAY_PUSH(s.triangles, o.triangles[i]);
  arena_free(&memory);
  mesh_free(&m);
  return s;
}

static inline shell sheet(int n, double bump) {
  mesh m = shape_sheet(n, n, 1, 1);
  shell s = {0};
  for (size_t v = 0; v < m.vertex_count; v++) {
    double x = m.positions[3 * v], y = m.positions[3 * v + 1];
    add_point(&s, x, y, bump * sin(3 * x) * cos(4 * y));
  }
  for (size_t i = 0; i < 3 * m.triangle_count; i++) ARRAY_PUSH(s.triangles, m.triangles[i]);
  mesh_free(&m);
  return s;
}

static inline tribo_object_def object_of(const shell *s, tribo_kind kind) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = "it";
  def.positions = s->positions.data;
  def.vertex_count = s->positions.count / 3;
  def.triangles = s->triangles.data;
  def.triangle_count = s->triangles.count / 3;
  return def;
}

#endif
