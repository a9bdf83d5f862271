/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mat3: 3x3 matrices, row-major, by value or by const pointer where they are read in place.
 */
#ifndef MATH_MAT3_H
#define MATH_MAT3_H

#include "math/vec3.h"

typedef struct mat3 {
  double m[3][3]; /* m[row][column] */
} mat3;

static inline mat3 mat3_identity(void) { return (mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

static inline mat3 mat3_from_columns(vec3 a, vec3 b, vec3 c) {
  return (mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline vec3 mat3_column(const mat3 *a, int c) {
  return (vec3){a->m[0][c], a->m[1][c], a->m[2][c]};
}

static inline vec3 mat3_mul_vec3(const mat3 *a, vec3 v) {
  return (vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

/* a^T v */
static inline vec3 mat3_tmul_vec3(const mat3 *a, vec3 v) {
  return (vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static inline mat3 mat3_mul(const mat3 *a, const mat3 *b) {
  mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return c;
}

/* a b^T */
static inline mat3 mat3_mul_t(const mat3 *a, const mat3 *b) {
  mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
  return c;
}

static inline mat3 mat3_transposed(const mat3 *a) {
  mat3 t;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t.m[i][j] = a->m[j][i];
  return t;
}

static inline mat3 mat3_scale(double s, const mat3 *a) {
  mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = s * a->m[i][j];
  return c;
}

static inline mat3 mat3_add(const mat3 *a, const mat3 *b) {
  mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = a->m[i][j] + b->m[i][j];
  return c;
}

/* a b^T of two vectors */
static inline mat3 mat3_outer(vec3 a, vec3 b) {
  return (mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                 {a.y * b.x, a.y * b.y, a.y * b.z},
                 {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

static inline double mat3_det(const mat3 *a) {
  return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
         a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
         a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

/* d det / d a, the cofactor matrix: a^-T det a where a can be inverted, and defined everywhere. */
static inline mat3 mat3_cofactor(const mat3 *a) {
  vec3 c0 = mat3_column(a, 0), c1 = mat3_column(a, 1), c2 = mat3_column(a, 2);
  return mat3_from_columns(vec3_cross(c1, c2), vec3_cross(c2, c0), vec3_cross(c0, c1));
}

/* The caller makes sure that det a is not 0. */
static inline mat3 mat3_inverse(const mat3 *a) {
  mat3 cofactor = mat3_cofactor(a);
  mat3 adjugate = mat3_transposed(&cofactor);
  return mat3_scale(1 / mat3_det(a), &adjugate);
}

static inline double mat3_frobenius2(const mat3 *a) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += a->m[i][j] * a->m[i][j];
  return sum;
}

#endif
