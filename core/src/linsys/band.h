/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band: Cholesky's factorisation A = L L^T of a small symmetric matrix with a band, and L's
 * triangular solves for many columns at once.
 *
 * A row stands as its last `half + 1` numbers up to the diagonal: a_ij at [i (half + 1) + half +
 * j - i] for i - half <= j <= i; what would lie before column 0 is 0. A full matrix of n rows is
 * one of half n - 1, a diagonal matrix one of half 0: a chain of springs and a strand in reduced
 * coordinates are factored by the same lines. Every number is one chain of operations in one order,
 * so the bits are those of the matrix alone.
 *
 * Columns of a right-hand side stand side by side: row i of k columns begins at [i k].
 */
#ifndef LINSYS_BAND_H
#define LINSYS_BAND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct band {
  int n, half; /* rows; numbers left of the diagonal: 0 <= half < n */
  double *a;   /* n (half + 1) */
} band;

static inline size_t band_size(int n, int half) { return (size_t)n * ((size_t)half + 1); }

/* Where a_ij stands; i - half <= j <= i. */
static inline double *band_at(const band *b, int i, int j) {
  return b->a + (size_t)i * ((size_t)b->half + 1) + (size_t)(b->half + j - i);
}

/* L in place of A. False, with A destroyed, where A is not positive definite or not finite. */
bool band_factor(band *b);

/* x = L^-1 x for k columns; rows before `first` of x are 0 and are not looked at. */
void band_forward(const band *l, int k, int first, double *x);

/* x = L^-T x for k columns. */
void band_backward(const band *l, int k, double *x);

#endif
