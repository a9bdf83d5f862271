/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_newton: nonsmooth Newton on a function that is 0 where Coulomb's law holds (004,
 * Algorithm 1), with the Goldstein-Price search of its Algorithm 2.
 */
#ifndef COULOMB_CONTACT_NEWTON_H
#define COULOMB_CONTACT_NEWTON_H

#include "coulomb/contact_solver.h"

/* At one contact: the value, and one element of the generalised Jacobian by u and by r. scale: what
 * turns velocities into impulses there, for N and for T. */
typedef struct contact_sample {
  vec3 f;
  mat3 by_u, by_r;
} contact_sample;

typedef struct contact_scale {
  double n, t;
} contact_scale;

typedef vec3 (*contact_value)(vec3 u, vec3 r, contact_scale scale);
typedef contact_sample (*contact_slope)(vec3 u, vec3 r, contact_scale scale);

typedef struct contact_function {
  contact_value value;
  contact_slope slope;
} contact_function;

extern const contact_function contact_function_alart_curnier, contact_function_fischer_burmeister;

tribo_status contact_newton_run(const contact_unit *p, const contact_function *function,
                                const contact_goal *goal, arena *scratch, vec3 *r, contact_run *run,
                                tribo_error *err);

#endif
