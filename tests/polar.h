/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * polar: the polar decomposition, which tests compare with what the solvers find on their own ways.
 */
#ifndef TESTS_POLAR_H
#define TESTS_POLAR_H

#include "math/svd3.h"

/* a = r p with r = u v^T a proper rotation and p = v diag(s) v^T symmetric. */
static inline void polar_of(const mat3 *a, mat3 *r, mat3 *p) {
  mat3 u, v;
  vec3 s;
  svd3_decompose(a, &u, &s, &v);
  *r = mat3_mul_t(&u, &v);
  mat3 stretched = v;
  for (int i = 0; i < 3; i++) {
    stretched.m[i][0] *= s.x;
    stretched.m[i][1] *= s.y;
    stretched.m[i][2] *= s.z;
  }
  *p = mat3_mul_t(&stretched, &v);
}

#endif
