/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multipliers: finds out who pushes, sticks and slips where guessing runs in circles.
 *
 * The quadratic model of a Newton step with its contacts, for given forces f and cones R, is the
 * minimum of
 *
 *   psi(d) = g d + d H d / 2 + L_N(d; f) + L_T(d; f, R)        (forwarding/augmented.h)
 *
 * which is convex and smooth once. Newton's method with an exact line search finds it from
 * anywhere, each of its steps changing as many grips as the line search lets it: that is what
 * guessing grips for all contacts at once lacks. Then forces and cones are those of the minimum,
 * and so on: the method of multipliers, to whose end the forces obey Coulomb's law. Bonds are soft
 * meanwhile, so that no single contact dominates the line search.
 *
 * It costs a factorisation for every Newton step; it is for the step in twenty that needs it.
 */
#ifndef FORWARDING_MULTIPLIERS_H
#define FORWARDING_MULTIPLIERS_H

#include "forwarding/augmented.h"
#include "linsys/linsys.h"

typedef struct multipliers_model {
  augmented *contact;
  linsys *linear;
  const tasks *tasks;
  const bcsr *hessian;  /* positive definite, over free nodes */
  const vec3 *gradient; /* over all nodes */
  const vec3 *x;        /* all nodes */
  int most;             /* factorisations; 0: as many as it takes */
} multipliers_model;

typedef struct multipliers_report {
  int factorizations;
  double change; /* of the forces in the last round, relative */
  bool settled;
} multipliers_report;

/* direction, over free nodes; pushes, grips, forces and cones in m->contact, bonds stiff as before.
 */
tribo_status multipliers(const multipliers_model *m, vec3 *direction, multipliers_report *report,
                         tribo_error *err);

#endif
