/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eigen: symmetric eigenproblems of the small, dense kind that elements have, by cyclic Jacobi.
 */
#ifndef MATH_EIGEN_H
#define MATH_EIGEN_H

enum { EIGEN_MAX = 12 };

/* a: n x n symmetric, row-major, n <= EIGEN_MAX; destroyed. values[i] ascending, with eigenvector i
 * in column i of vectors (row-major, orthonormal). */
void eigen_symmetric(int n, double *a, double *values, double *vectors);

/* The nearest positive semi-definite matrix in the Frobenius norm: negative eigenvalues become 0.
 * In place. Already semi-definite matrices are returned unchanged, to the bit. */
void eigen_project_psd(int n, double *a);

#endif
