/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * linsys: one contract for everything that solves A x = b with A symmetric and block-sparse.
 *
 *   analyze  the pattern, once           values  the numbers, every iteration
 *   factor   (or set up)                 solve   one or more right-hand sides
 *   inertia  how many negative pivots    caps    what this backend can and promises
 *   free
 *
 * A caller never asks which backend it has. Adding one: docs/add_a_backend.md.
 */
#ifndef LINSYS_LINSYS_H
#define LINSYS_LINSYS_H

#include "base/log.h"
#include "math/bcsr.h"

typedef struct linsys linsys;

typedef enum linsys_kind { LINSYS_AUTO, LINSYS_CHOLMOD, LINSYS_PARDISO, LINSYS_CG } linsys_kind;

typedef struct linsys_caps {
  const char *name;
  bool direct;        /* a factorisation: solves are exact to rounding, several are cheap */
  bool indefinite;    /* solves with a matrix that is not positive definite, too */
  bool deterministic; /* the same bits for any number of threads */
} linsys_caps;

/* How a factor() or solve() came out. Not a fault of the caller: the step decides what to do. */
typedef enum linsys_outcome {
  LINSYS_DONE,
  LINSYS_NOT_POSITIVE_DEFINITE,
  LINSYS_NOT_CONVERGED /* an iterative backend stopped early; x holds its best */
} linsys_outcome;

typedef struct linsys_options {
  linsys_kind kind;
  tasks tasks;
  double cg_tolerance; /* relative residual |b - A x| / |b| */
  int cg_iterations;   /* at most */
} linsys_options;

/* AUTO chooses by the size and fill of the pattern alone, never by timing. A backend that is not on
 * this machine: TRIBO_UNAVAILABLE, with what to install. */
tribo_status linsys_create(const linsys_options *options, const bcsr_pattern *pattern, linsys **out,
                           tribo_error *err);

/* The same for a pattern that is the one of `like` and some couplings more. Where `like` has an
 * ordering, it is taken over with the rows that couple anew put last, as long as that costs little
 * more than it did: that saves most of the analysis. What comes out depends on the two patterns
 * alone. `like` may be NULL; it and its pattern must be there during the call, not after. */
tribo_status linsys_create_like(const linsys *like, const linsys_options *options,
                                const bcsr_pattern *pattern, linsys **out, tribo_error *err);

/* Forgets what was learned from earlier systems. Whoever must decide the same way after a resume
 * calls it where a state is complete: at the start of a step. */
void linsys_begin(linsys *s);

/* Takes the numbers of a (same pattern). The matrix must outlive the next factor and solve. */
void linsys_values(linsys *s, const bcsr *a);

/* LINSYS_NOT_POSITIVE_DEFINITE for such a matrix from every direct backend (an iterative one may
 * notice only in solve), and for one that holds NaN. solve must then not be called, unless
 * caps.indefinite. */
tribo_status linsys_factor(linsys *s, linsys_outcome *outcome, tribo_error *err);

/* nrhs right-hand sides, each of 3 * rows doubles, one after another; b and x may be the same. */
tribo_status linsys_solve(linsys *s, const double *b, int nrhs, double *x, linsys_outcome *outcome,
                          tribo_error *err);

/* Negative eigenvalues seen in the last factorisation; -1 when the backend cannot tell. */
int linsys_inertia(const linsys *s);

const linsys_caps *linsys_capabilities(const linsys *s);

/* Iterations of the last solve, for the report; 0 for direct backends. */
int linsys_iterations(const linsys *s);

void linsys_free(linsys *s);

/* Whether Intel MKL is on this machine. */
bool linsys_pardiso_available(void);

#endif
