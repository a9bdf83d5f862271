/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * closed: closed triangle meshes whose mass and inertia are known, for rigid bodies.
 */
#ifndef TESTS_CLOSED_H
#define TESTS_CLOSED_H

#include "claims.h"
#include "math/quat.h"
#include "tribo/scene.h"

enum { CLOSED_MOST = 40000 };

typedef struct closed {
  double positions[3 * CLOSED_MOST];
  int32_t triangles[6 * CLOSED_MOST];
  size_t vertex_count, triangle_count;
} closed;

static inline closed *closed_new(void) {
  closed *c = calloc(1, sizeof *c);
  assert_non_null(c);
  return c;
}

static inline int32_t closed_vertex(closed *c, double x, double y, double z) {
  assert_true(c->vertex_count < CLOSED_MOST);
  double *p = c->positions + 3 * c->vertex_count;
  p[0] = x, p[1] = y, p[2] = z;
  return (int32_t)c->vertex_count++;
}

static inline void closed_triangle(closed *c, int32_t i, int32_t j, int32_t k) {
  int32_t *t = c->triangles + 3 * c->triangle_count++;
  t[0] = i, t[1] = j, t[2] = k;
}

static inline void closed_quad(closed *c, int32_t i, int32_t j, int32_t k, int32_t l) {
  closed_triangle(c, i, j, k);
  closed_triangle(c, i, k, l);
}

/* Adds the box between two corners. */
static inline void closed_add_box(closed *c, vec3 low, vec3 high) {
  int32_t v = (int32_t)c->vertex_count;
  for (int i = 0; i < 8; i++)
    closed_vertex(c, i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  closed_quad(c, v, v + 2, v + 3, v + 1);
  closed_quad(c, v + 4, v + 5, v + 7, v + 6);
  closed_quad(c, v, v + 1, v + 5, v + 4);
  closed_quad(c, v + 2, v + 6, v + 7, v + 3);
  closed_quad(c, v, v + 4, v + 6, v + 2);
  closed_quad(c, v + 1, v + 3, v + 7, v + 5);
}

static inline closed *closed_box(double a, double b, double c) {
  closed *box = closed_new();
  closed_add_box(box, vec3_make(-a / 2, -b / 2, -c / 2), vec3_make(a / 2, b / 2, c / 2));
  return box;
}

/* A frame: a box of sides `outer`, `outer`, `height` with a hole of sides `inner` through it. */
static inline closed *closed_frame(double outer, double inner, double height) {
  static const int CORNERS[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  closed *c = closed_new();
  for (int ring = 0; ring < 4; ring++) /* outer low, inner low, outer high, inner high */
    for (int i = 0; i < 4; i++) {
      double half = (ring % 2 ? inner : outer) / 2;
      closed_vertex(c, half * CORNERS[i][0], half * CORNERS[i][1], ring < 2 ? 0 : height);
    }
  for (int32_t i = 0; i < 4; i++) {
    int32_t j = (i + 1) % 4;
    closed_quad(c, i, j, 8 + j, 8 + i);
    closed_quad(c, 4 + j, 4 + i, 12 + i, 12 + j);
    closed_quad(c, 8 + i, 8 + j, 12 + j, 12 + i);
    closed_quad(c, j, i, 4 + i, 4 + j);
  }
  return c;
}

/* A sphere of n rings and 2 n meridians. */
static inline closed *closed_sphere(double radius, int n) {
  static const double PI = 3.14159265358979323846;
  closed *c = closed_new();
  int32_t around = 2 * n, south = closed_vertex(c, 0, 0, -radius);
  for (int i = 1; i < n; i++)
    for (int j = 0; j < around; j++) {
      double latitude = PI * i / n - PI / 2, longitude = 2 * PI * j / around;
      closed_vertex(c, radius * cos(latitude) * cos(longitude),
                    radius * cos(latitude) * sin(longitude), radius * sin(latitude));
    }
  int32_t north = closed_vertex(c, 0, 0, radius), last = north - around;
  for (int32_t j = 0; j < around; j++) {
    int32_t k = (j + 1) % around;
    closed_triangle(c, south, 1 + k, 1 + j);
    closed_triangle(c, north, last + j, last + k);
    for (int32_t i = 0; i < n - 2; i++) {
      int32_t low = 1 + i * around, high = low + around;
      closed_quad(c, low + j, low + k, high + k, high + j);
    }
  }
  return c;
}

static inline void closed_move(closed *c, quat turn, vec3 shift) {
  for (size_t i = 0; i < c->vertex_count; i++) {
    vec3 p = vec3_add(quat_rotate(turn, vec3_from(c->positions + 3 * i)), shift);
    memcpy(c->positions + 3 * i, &p, sizeof p);
  }
}

/* Points into *c. */
static inline tribo_object_def closed_object(const closed *c, const char *name) {
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.positions = c->positions;
  def.vertex_count = c->vertex_count;
  def.triangles = c->triangles;
  def.triangle_count = c->triangle_count;
  return def;
}

#endif
