/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense: the arithmetic of one front: its Cholesky factorisation, and the triangular solves with
 * what that leaves. Our own and not BLAS's, for two reasons. A BLAS may not know the processor it
 * runs on (OpenBLAS falls back to the kernels of 2004 then), and its bits change with the number of
 * its threads.
 *
 * Here every number is one chain of operations whose order is a matter of its row and column alone:
 * not of the cutting into tiles, not of the number of threads, not of the width of a vector. So
 * whoever calls may cut as they like, and all processors that fuse multiplication and addition
 * agree to the bit. Fused operations are written as such; the compiler contracts nothing.
 *
 * A front is a symmetric matrix of height x height, of which the first `width` columns are to be
 * eliminated (the panel) and the rest is what that leaves (the update). Columns are eliminated
 * DENSE_DEPTH at a time; what was just eliminated is kept besides in `pack`, in slabs of DENSE_SLAB
 * rows, column after column: the order in which products read it.
 */
#ifndef LINSYS_DENSE_H
#define LINSYS_DENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  DENSE_GROUP = 6,   /* columns of a product at a time: two blocks of three */
  DENSE_SLAB = 24,   /* rows */
  DENSE_DEPTH = 192, /* columns eliminated at a time: with a slab they fill a first-level cache */
  DENSE_TILE = 4     /* slabs on a side of a tile of the rest */
};

/* All sizes are multiples of three. */
typedef struct dense_front {
  int height, width, below; /* height = width + below */
  double *panel;            /* height x width, by columns; above the diagonal: anything */
  double *update;           /* below x below, likewise */
  double *pack;             /* dense_pack_size doubles, on a cache line */
} dense_front;

/* Slabs end at `width`, and start anew below. */
static inline int dense_slabs_above(int width) { return (width + DENSE_SLAB - 1) / DENSE_SLAB; }
static inline int dense_slabs(int width, int below) {
  return dense_slabs_above(width) + dense_slabs_above(below);
}

static inline size_t dense_pack_size(int width, int below) {
  int depth = width < DENSE_DEPTH ? width : DENSE_DEPTH;
  return ((size_t)dense_slabs(width, below) * DENSE_SLAB + 1) * (size_t)depth + 8;
}

/* Where blocks of three rows go: block i to block to[i] - origin, and from i on length[i] of them
 * stay neighbours. */
typedef struct dense_runs {
  const int32_t *to, *length;
  size_t count;
  int32_t origin;
} dense_runs;

/* The panel of a front during a solve, and `vectors` right-hand sides `stride` apart, each of
 * `height` numbers: first the front's own, then those of its ancestors. */
typedef struct dense_sweep {
  int height, width;
  const double *panel;
  double *x;
  size_t stride;
  int vectors;
} dense_sweep;

typedef struct dense_kernels {
  const char *name;
  bool fused; /* agrees to the bit with every other that is */

  /* Cholesky of the square of DENSE_DEPTH columns (or what is left) from `column` on; all columns
   * before have been eliminated. False: a pivot is not positive, or not a number. */
  bool (*corner)(const dense_front *f, int column);
  /* Carries those columns through one slab after the corner. */
  void (*carry)(const dense_front *f, int column, int slab);
  /* Subtracts their product from one tile of the rest: slabs [row, row_end) x [column, column_end)
   * on and below the diagonal. Of the update nothing is read when column is 0. */
  void (*subtract)(const dense_front *f, int column, int row_slab, int column_slab);

  /* Adds three columns of a child's update where they belong. */
  void (*add)(const dense_runs *runs, const double *from, size_t from_stride, double *to,
              size_t to_stride);

  void (*forward)(const dense_sweep *s);  /* own <- L11^-1 own, ancestors -= L21 own */
  void (*backward)(const dense_sweep *s); /* own <- L11^-T (own - L21^T ancestors) */
} dense_kernels;

extern const dense_kernels dense_plain;

/* NULL: not for this processor. */
const dense_kernels *dense_avx2(void);
const dense_kernels *dense_avx512(void);

/* The fastest that this processor has. */
const dense_kernels *dense_best(void);

#endif
