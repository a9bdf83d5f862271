/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * anderson: makes a fixed-point iteration v <- G(v) converge in fewer rounds (Anderson 1965; for
 * Projective Dynamics Peng et al. 2018). What the last few rounds changed, of v and of the residual
 * f = G(v) - v, says how f would answer to a step; the next v is G(v) less the combination of those
 * changes that leaves the least residual. For a linear G that is GMRES.
 *
 * A residual that has grown says that the past is no guide (contacts came or went): it is then
 * forgotten. Every sum has a fixed shape: the same bits for any number of threads.
 *
 * Each combination has weights that sum to 1, so whatever G keeps, such as momentum, is kept.
 */
#ifndef MATH_ANDERSON_H
#define MATH_ANDERSON_H

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"

enum { ANDERSON_WINDOW = 4 };

enum { ANDERSON_ROUNDS = ANDERSON_WINDOW + 1 };

typedef struct anderson {
  tasks tasks;
  size_t size; /* numbers in v */
  int count;   /* rounds that are remembered, the latest at `latest`, those before it before it */
  int latest;
  double last; /* |f|^2 of the last round; below 0: none */
  double *values[ANDERSON_ROUNDS], *residuals[ANDERSON_ROUNDS]; /* G(v) and f */
  double products[ANDERSON_ROUNDS][ANDERSON_ROUNDS];            /* of the residuals */
  double *sums;                                                 /* scratch: of chunks */
  tasks_body note, step; /* over chunks, as wide as the processor can */
} anderson;

tribo_status anderson_create(size_t size, const tasks *t, arena *memory, anderson *out,
                             tribo_error *err);

/* Forgets everything: another fixed point is looked for. */
void anderson_begin(anderson *a);

/* From v and f = G(v) - v to the next v. */
void anderson_next(anderson *a, const double *f, double *v);

#endif
