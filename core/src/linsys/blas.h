/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blas: the few dense kernels a factorisation is made of, and the promise that each call runs on
 * one thread.
 *
 * OpenBLAS cuts a product by the number of its threads, and the bits of the result change with the
 * cut. So its threads are put to sleep while a factorisation runs, and ours do the work. The number
 * belongs to the whole process: the host's setting comes back when the last of us is done.
 */
#ifndef LINSYS_BLAS_H
#define LINSYS_BLAS_H

void blas_hold_threads(void);
void blas_release_threads(void);

/* Fortran interfaces, column-major, 32-bit integers. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy);

#endif
