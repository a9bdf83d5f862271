/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prefactor_sweep: one front of a prefactor in the two triangular solves.
 */
#ifndef LINSYS_PREFACTOR_SWEEP_H
#define LINSYS_PREFACTOR_SWEEP_H

#include <stdint.h>

/* x, y, z and a number that is always 0; on a multiple of 32 bytes. */
typedef struct prefactor_row {
  double at[4];
} prefactor_row;

/* The rows of L that belong to the columns of one supernode: `height` rows of `width` numbers, the
 * first `width` rows a triangle with the inverse of its diagonal. */
typedef struct prefactor_front {
  int width, height;
  const double *l;
  int32_t first;         /* of its own rows in x, which are neighbours */
  const int32_t *target; /* of the others, height - width */
} prefactor_front;

typedef struct prefactor_sweep {
  void (*forward)(const prefactor_front *f, prefactor_row *x);  /* L y = b */
  void (*backward)(const prefactor_front *f, prefactor_row *x); /* L^T x = y */
} prefactor_sweep;

/* The fastest that this processor has. */
const prefactor_sweep *prefactor_sweep_best(void);

#endif
