/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense_lu: P A = L U of a square matrix without symmetry, with the largest pivot of each column.
 *
 * Our own and not LAPACK's, whose products go to BLAS: OpenBLAS has kernels for every processor,
 * which add in different orders, and answers would differ by where a scene is baked. Here every
 * number is one chain of products taken off one after the other, a_ij - l_i1 u_1j - l_i2 u_2j ...,
 * never fused, so that neither the width of vectors nor the cutting into blocks is seen in the
 * bits.
 */
#ifndef LINSYS_DENSE_LU_H
#define LINSYS_DENSE_LU_H

#include <stdbool.h>

/* a: size x size, by rows; becomes L below the diagonal, which is 1 there, and U. pivots: the row
 * that row i changed places with. False: singular, or not a number. */
bool dense_lu_factor(int size, double *a, int *pivots);

/* x: y becomes A^-1 y. */
void dense_lu_solve(int size, const double *a, const int *pivots, double *x);

#endif
