/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend: what a linear solver must offer to stand behind linsys.h.
 *
 * A backend is a constant table of functions over a state of its own. linsys.c checks nothing
 * twice: a backend may rely on a pattern with at least one row, on values() before factor(), on a
 * factor() that came out LINSYS_DONE before solve(), and on nrhs >= 1.
 */
#ifndef LINSYS_BACKEND_H
#define LINSYS_BACKEND_H

#include "linsys/linsys.h"

typedef struct linsys_backend {
  linsys_caps caps;
  /* On failure nothing is left behind and *state is not touched. */
  tribo_status (*create)(const linsys_options *options, const bcsr_pattern *pattern, void **state,
                         tribo_error *err);
  void (*begin)(void *state); /* NULL: nothing is remembered from one system to the next */
  void (*values)(void *state, const bcsr *a);
  tribo_status (*factor)(void *state, linsys_outcome *outcome, tribo_error *err);
  tribo_status (*solve)(void *state, const double *b, int nrhs, double *x, linsys_outcome *outcome,
                        tribo_error *err);
  int (*inertia)(const void *state);    /* NULL: cannot tell */
  int (*iterations)(const void *state); /* NULL: direct */
  void (*free)(void *state);
} linsys_backend;

extern const linsys_backend linsys_backend_cholmod;
extern const linsys_backend linsys_backend_pardiso;
extern const linsys_backend linsys_backend_cg;

extern const linsys_backend linsys_backend_mixed; /* made by linsys_mixed_create */

/* create() of cholmod, but *state is NULL when the factors would take more than most_bytes. `like`
 * is a state of cholmod's whose ordering is taken over where that is good enough, or NULL. */
tribo_status linsys_cholmod_within(const linsys_options *options, const bcsr_pattern *pattern,
                                   const void *like, double most_bytes, void **state,
                                   tribo_error *err);

/* Floating-point operations of one factorisation. */
double linsys_cholmod_flops(const void *state);

/* How many iterations of conjugate gradients cost a third of a factorisation. */
int linsys_mixed_budget(double factor_flops, const bcsr_pattern *pattern);

/* Takes over `direct`, a state of cholmod's, on success. */
tribo_status linsys_mixed_create(const linsys_options *options, const bcsr_pattern *pattern,
                                 void *direct, int budget, void **state, tribo_error *err);

/* That state of cholmod's. */
const void *linsys_mixed_direct(const void *state);

#endif
