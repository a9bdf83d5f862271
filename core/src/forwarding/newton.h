/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * newton: minimises an objective by Newton's method with a line search, also under the constraints
 * of a contact set (contact/constrained.h; this is the `native` backend).
 *
 * Far from the minimum the Hessian is projected element by element, near it the exact one is taken
 * where it is positive definite; either way the direction descends, and the energy falls with every
 * iteration (to rounding). The stopping test is on the forces: their imbalance
 * against the size of the forces that balance, so it means the same for a feather and a bridge.
 *
 * Contacts enter as an augmented Lagrangian (forwarding/augmented.h). Each direction solves the
 * quadratic model under its linear constraints: a guess which contacts are active, a factorisation
 * with these bonded, a few rounds of the multiplier method on it (each one solve), then the guess
 * revised until it holds: a primal-dual active set method. Between steps that resemble each other
 * the guess holds at once, and a step costs one factorisation; what rests or slides steadily goes
 * on with the forces of the last step, and costs none. Where revisions run in circles,
 * forwarding/multipliers.h takes over, which does not.
 */
#ifndef FORWARDING_NEWTON_H
#define FORWARDING_NEWTON_H

#include "contact/constrained.h"
#include "forwarding/augmented.h"
#include "linsys/linsys.h"
#include "potential/objective.h"

typedef struct newton {
  objective *objective;
  linsys *own;    /* for the model's pattern */
  linsys *linear; /* in use: own, or one for the pattern that contacts have widened */
  augmented contact;
  bool constrained;
  bool was_frozen; /* the normal forces have been found by themselves before */
  bool patient;    /* directions led nowhere: the method of multipliers is taken instead */
  bool plain;      /* take the Newton direction as it is, without revising the active contacts */
  int stumbles;    /* directions that led nowhere, and were replaced by plain ones */
  int left;        /* factorisations that may still be made; the caller sets it, INT_MAX at first */
  int floor;       /* what may be left of them at least; below 0 where the minimisation had few */
  double open;     /* metres, by which contacts were violated when forces were last updated */
  int contradicted;      /* how often in a row that was no less than before */
  double forces_changed; /* by the last update of a patient method, relative */
  bcsr hessian;          /* of the objective, over all nodes */
  bcsr system;           /* over the free ones */
  vec3 *gradient, *trial_gradient, *direction, *trial; /* all nodes */
  vec3 *balance;   /* scratch: the gradient and the contact forces */
  vec3 *rows;      /* free ones: right-hand side, solution */
  double energy;   /* of the objective at the current point */
  int exact_pause; /* iterations until the exact Hessian is tried again */
  bool at_saddle;  /* it was indefinite when last tried, near the minimum */
} newton;

tribo_status newton_create(objective *o, const linsys_options *linear, arena *memory, newton *out,
                           tribo_error *err);

/* From x to a minimum, in place; hard-pinned nodes stay where x has them. When it does not
 * converge x holds the lowest point reached. contacts may be NULL. Where few factorisations are
 * left it gets a few all the same, and `left` is below 0 afterwards. */
tribo_status newton_minimize(newton *n, const constrained_options *options,
                             const contact_task *contacts, vec3 *x, constrained_report *report,
                             tribo_error *err);

void newton_free(newton *n);

#endif
