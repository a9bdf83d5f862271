/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blas: the promise that each call of BLAS runs on one thread, for those who call it: Ipopt's
 * linear solvers do, our own does not (dense.h).
 *
 * OpenBLAS cuts a product by the number of its threads, and the bits of the result change with the
 * cut. So its threads are put to sleep meanwhile. The number belongs to the whole process: the
 * host's setting comes back when the last of us is done.
 */
#ifndef LINSYS_BLAS_H
#define LINSYS_BLAS_H

void blas_hold_threads(void);
void blas_release_threads(void);

#endif
