/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * svd3: singular values and polar decomposition of a 3x3 matrix, by one-sided Jacobi rotations.
 *
 * Jacobi works on A itself, not on A^T A, so small singular values keep their relative accuracy;
 * that is what lets nearly flat and inverted elements give sound directions.
 */
#ifndef MATH_SVD3_H
#define MATH_SVD3_H

#include "math/mat3.h"

/* a = u diag(s) v^T with u and v proper rotations (det = +1), s.x >= s.y >= |s.z|, and s.z carrying
 * the sign of det a ("rotation-variant" convention: an inverted element has one negative stretch).
 * Defined for every finite a, the zero matrix and repeated values included. */
void svd3_decompose(const mat3 *a, mat3 *u, vec3 *s, mat3 *v);

#endif
