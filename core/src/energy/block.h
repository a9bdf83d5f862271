/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block: an element's Hessian, written by 3x3 blocks. `arity` is a constant where these are called,
 * so that the compiler can unroll them.
 */
#ifndef ENERGY_BLOCK_H
#define ENERGY_BLOCK_H

#include "math/mat3.h"

/* Block (a, b) becomes m, and block (b, a) its transpose: the matrix is symmetric to the bit, given
 * that m is where a = b. */
static inline void block_put(int arity, int a, int b, const mat3 *m, double *h) {
  int n = 3 * arity;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      h[(3 * a + i) * n + 3 * b + j] = h[(3 * b + j) * n + 3 * a + i] = m->m[i][j];
}

/* Fills the row and the column of vertex 0, given all the others: when all vertices move as one, no
 * energy between them changes, so each row's blocks add up to 0. */
static inline void block_close(int arity, double *h) {
  int n = 3 * arity;
  for (int i = 3; i < n; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int a = 1; a < arity; a++) sum += h[i * n + 3 * a + j];
      h[i * n + j] = h[j * n + i] = -sum;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int a = 1; a < arity; a++) sum += h[(3 * a + i) * n + j];
      h[i * n + j] = h[j * n + i] = -sum;
    }
}

/* u m u^T, symmetric only but for rounding where m is symmetric: see block_symmetrize. */
static inline mat3 block_rotated(const mat3 *u, const mat3 *m) {
  mat3 um = mat3_mul(u, m);
  return mat3_mul_t(&um, u);
}

/* The upper triangle of a block that is symmetric but for rounding is copied to the lower. */
static inline void block_symmetrize(mat3 *m) {
  m->m[1][0] = m->m[0][1];
  m->m[2][0] = m->m[0][2];
  m->m[2][1] = m->m[1][2];
}

#endif
