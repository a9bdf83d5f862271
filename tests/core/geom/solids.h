/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solids: closed and open meshes to measure distances to, wound so that the front is outside.
 */
#ifndef TESTS_CORE_GEOM_SOLIDS_H
#define TESTS_CORE_GEOM_SOLIDS_H

#include "claims.h"
#include "math/mat3.h"

typedef struct solid {
  vec3 *points;
  int32_t *triangles;
  size_t point_count, triangle_count;
} solid;

static inline solid solid_make(size_t points, size_t triangles) {
  solid s = {calloc(points, sizeof(vec3)), calloc(3 * triangles, sizeof(int32_t)), 0, 0};
  assert_non_null(s.points);
  assert_non_null(s.triangles);
  return s;
}

static inline void solid_free(solid *s) {
  free(s->points);
  free(s->triangles);
}

static inline void solid_add(solid *s, size_t a, size_t b, size_t c) {
  int32_t *v = s->triangles + 3 * s->triangle_count++;
  v[0] = (int32_t)a;
  v[1] = (int32_t)b;
  v[2] = (int32_t)c;
}

/* A ball of rings and sectors with its poles on z. Radius 1, times 1 + bump at every second vertex
 * (of an even number of sectors): a star of sharp sharp features and grooves. Drawn out by `length`
 * along z in the middle, which makes a capsule (odd number of rings between the poles: even
 * `rings`). */
static inline solid solid_ball(size_t rings, size_t sectors, double bump, double length) {
  solid s = solid_make(2 + rings * sectors, 2 * rings * sectors);
  const double pi = 3.14159265358979323846;
  s.point_count = 2 + rings * sectors;
  s.points[0] = vec3_make(0, 0, 1 + length / 2);
  s.points[1] = vec3_make(0, 0, -1 - length / 2);
  for (size_t r = 0; r < rings; r++)
    for (size_t k = 0; k < sectors; k++) {
      /* With a length, the two middle rings both lie on the equator, `length` apart. */
      size_t turn = length > 0 && r >= rings / 2 ? r : r + 1;
      double steps = (double)(length > 0 ? rings : rings + 1);
      double up = pi * (double)turn / steps, round = 2 * pi * (double)k / (double)sectors;
      double radius = (r + k) % 2 ? 1 + bump : 1;
      vec3 p = vec3_make(sin(up) * cos(round), sin(up) * sin(round), cos(up));
      s.points[2 + r * sectors + k] = vec3_scale(radius, p);
      s.points[2 + r * sectors + k].z +=
          length > 0 ? (r < rings / 2 ? length / 2 : -length / 2) : 0;
    }
  for (size_t k = 0; k < sectors; k++) {
    size_t next = (k + 1) % sectors, last = 2 + (rings - 1) * sectors;
    solid_add(&s, 0, 2 + k, 2 + next);
    for (size_t r = 0; r + 1 < rings; r++) {
      size_t up = 2 + r * sectors, down = up + sectors;
      solid_add(&s, up + k, down + k, down + next);
      solid_add(&s, up + k, down + next, up + next);
    }
    solid_add(&s, 1, last + next, last + k);
  }
  return s;
}

/* A box from -half to half, twelve triangles; with `split`, no two sides share vertices. */
static inline solid solid_box(vec3 half, bool split) {
  static const int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  solid s = solid_make(24, 12);
  s.point_count = split ? 24 : 8;
  for (size_t i = 0; i < 6; i++) {
    size_t v[4];
    for (size_t c = 0; c < 4; c++) {
      int corner = sides[i][c];
      v[c] = split ? 4 * i + c : (size_t)corner;
      s.points[v[c]] = vec3_make(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                 corner & 4 ? half.z : -half.z);
    }
    solid_add(&s, v[0], v[1], v[2]);
    solid_add(&s, v[0], v[2], v[3]);
  }
  return s;
}

/* A square sheet from (-1, -1) to (1, 1) at z = 0, or at height(x, y), its front up. */
static inline solid solid_sheet(size_t cells, double (*height)(double x, double y)) {
  solid s = solid_make((cells + 1) * (cells + 1), 2 * cells * cells);
  s.point_count = (cells + 1) * (cells + 1);
  for (size_t i = 0; i < s.point_count; i++) {
    double x = 2 * (double)(i % (cells + 1)) / (double)cells - 1;
    double y = 2 * (double)(i / (cells + 1)) / (double)cells - 1;
    s.points[i] = vec3_make(x, y, height ? height(x, y) : 0);
  }
  for (size_t j = 0; j < cells; j++)
    for (size_t i = 0; i < cells; i++) {
      size_t a = j * (cells + 1) + i, b = a + 1, c = b + cells + 1, d = a + cells + 1;
      solid_add(&s, a, b, c);
      solid_add(&s, a, c, d);
    }
  return s;
}

static inline mat3 turn_about(vec3 axis, double angle) {
  vec3 n = vec3_normalized(axis);
  double c = cos(angle), s = sin(angle);
  mat3 across = {{{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}}}, along = mat3_outer(n, n);
  mat3 turn = mat3_identity(), part = mat3_scale(1 - c, &along);
  turn = mat3_scale(c, &turn);
  turn = mat3_add(&turn, &part);
  part = mat3_scale(s, &across);
  return mat3_add(&turn, &part);
}

static inline void solid_place(solid *s, const mat3 *turn, double scale, vec3 shift) {
  for (size_t i = 0; i < s->point_count; i++)
    s->points[i] = vec3_add(shift, vec3_scale(scale, mat3_mul_vec3(turn, s->points[i])));
}

static inline vec3 solid_corner(const solid *s, size_t triangle, size_t corner) {
  return s->points[s->triangles[3 * triangle + corner]];
}

/* How often a mesh winds around q: 1 inside a closed one, 0 outside (Van Oosterom, Strackee). */
static inline double solid_winding(const solid *s, vec3 q) {
  double angle = 0;
  for (size_t i = 0; i < s->triangle_count; i++) {
    vec3 a = vec3_sub(solid_corner(s, i, 0), q), b = vec3_sub(solid_corner(s, i, 1), q);
    vec3 c = vec3_sub(solid_corner(s, i, 2), q);
    double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
    angle +=
        2 * atan2(vec3_dot(a, vec3_cross(b, c)),
                  la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
  }
  return angle / (4 * 3.14159265358979323846);
}

#endif
