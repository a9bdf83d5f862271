/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_run: one run of Ipopt. Knows the library's options, its linear solvers and its manners; the
 * problems are others' business.
 */
#ifndef IPOPT_IPOPT_RUN_H
#define IPOPT_IPOPT_RUN_H

#include <IpStdCInterface.h>

#include "base/status.h"
#include "ipopt/ipopt_options.h"

/* What callbacks are handed begins with this. */
typedef struct ipopt_watch {
  int iterations;
} ipopt_watch;

/* minimise f(z) with low <= z <= high and g(z) >= 0. */
typedef struct ipopt_problem {
  int variables, constraints, jacobian_entries, hessian_entries;
  double *low, *high;
  double *floor, *ceiling; /* of g: zeros and infinities */
  Eval_F_CB value;
  Eval_Grad_F_CB gradient;
  Eval_G_CB constraint;
  Eval_Jac_G_CB jacobian; /* constant */
  Eval_H_CB hessian;
  bool quadratic; /* the Hessian is constant, too */
  void *user;     /* begins with an ipopt_watch */
} ipopt_problem;

typedef struct ipopt_settings {
  const ipopt_options *options;
  int threads;
  double tolerance;       /* of the gradient of the Lagrangian, largest entry */
  double complementarity; /* of multiplier times slack */
  double feasibility;     /* of the constraints */
  double relax;           /* bounds are moved out by this, so that there is an inside */
  int iterations;
} ipopt_settings;

typedef enum ipopt_outcome {
  IPOPT_SOLVED,
  IPOPT_RAN_OUT, /* of iterations */
  IPOPT_STUCK,   /* gave up, the last point is at hand */
  IPOPT_BROKE    /* no point to speak of */
} ipopt_outcome;

/* z: start and solution. multiplier: of each constraint, <= 0 where it presses; out. */
tribo_status ipopt_run(const ipopt_problem *p, const ipopt_settings *settings, double *z,
                       double *multiplier, ipopt_outcome *outcome, tribo_error *err);

/* Finds the linear solver, so that what is missing is said at the start. */
tribo_status ipopt_find_linear(const ipopt_options *options, tribo_error *err);

#endif
