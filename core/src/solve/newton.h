/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * newton: minimises an objective by Newton's method with a line search.
 *
 * Far from the minimum the Hessian is projected element by element, near it the exact one is taken
 * where it is positive definite; either way the direction descends, and the energy falls with every
 * iteration (to rounding). The stopping test is on the forces: their imbalance
 * against the size of the forces that balance, so it means the same for a feather and a bridge.
 */
#ifndef SOLVE_NEWTON_H
#define SOLVE_NEWTON_H

#include "linsys/linsys.h"
#include "solve/objective.h"

typedef struct newton {
  objective *objective;
  linsys *linear;
  bcsr hessian;                                        /* over all vertices */
  bcsr system;                                         /* over the free ones */
  vec3 *gradient, *trial_gradient, *direction, *trial; /* all vertices */
  vec3 *rows;                                          /* free ones: right-hand side, solution */
  int exact_pause; /* iterations until the exact Hessian is tried again */
  bool at_saddle;  /* it was indefinite when last tried, near the minimum */
} newton;

typedef struct newton_options {
  double tolerance; /* relative imbalance of forces */
  int iterations;   /* at most */
} newton_options;

typedef enum newton_outcome {
  NEWTON_CONVERGED,
  NEWTON_STALLED,    /* no decrease to be found */
  NEWTON_UNFINISHED, /* still going down when the iterations ran out */
  NEWTON_BROKEN      /* the start itself has no finite energy, or the linear solver gave none */
} newton_outcome;

typedef struct newton_report {
  newton_outcome outcome;
  int iterations, linear_iterations;
  double residual;
  double linear_seconds, assembly_seconds;
} newton_report;

tribo_status newton_create(objective *o, const linsys_options *linear, arena *memory, newton *out,
                           tribo_error *err);

/* From x to a minimum, in place; hard-pinned vertices stay where x has them. When it does not
 * converge x holds the lowest point reached. */
tribo_status newton_minimize(newton *n, const newton_options *options, vec3 *x,
                             newton_report *report, tribo_error *err);

void newton_free(newton *n);

#endif
