/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rub: friction as a potential of the slip, exact in the limit of its own iteration.
 *
 * With u the slip of a contact within the step (m, two components along t and b of its frame), its
 * normal force lambda (N) and the ellipse K of half-axes lambda mu_t, lambda mu_b, Coulomb's law
 * with maximum dissipation is that the friction f (N, against u) maximises f . u over K. The
 * potential max_K f . u has a corner at u = 0, where a contact sticks. Its Moreau envelope
 *
 *   D(u; r) = max_{f in K} f . u - |f - r|^2 / (2 rho),   f = P_K(r + rho u) = dD/du
 *
 * is convex and once continuously differentiable, with d2D/du2 = rho dP_K. After a solve r <- f,
 * and lambda, frame and weights follow the contacts (the method of multipliers): where r stays what
 * it was, f in K is borne at u = 0 exactly, or f is on the rim of K along u: the law itself, for
 * any rho > 0 (N/m). r comes from the last step, so what rests or slides steadily has it at once.
 * With r = 0 for ever it would be the smoothed law that creeps.
 */
#ifndef BARRIER_RUB_H
#define BARRIER_RUB_H

#include "barrier/contacts.h"
#include "friction/cone.h"

typedef struct barrier_rub {
  uint64_t key;
  int32_t vertex[4];
  double weight[4];
  friction_cone cone;
  double load;   /* lambda, N */
  double before; /* what the last update had of it */
  double rho;    /* N/m */
  double r[2];   /* N, along t and b */
  double f[2];   /* of the last call of energy or bear */
  int32_t other; /* part */
  bool stuck;    /* a direction takes it for one that sticks (barrier/foresee.h) */
} barrier_rub;

typedef ARRAY(barrier_rub) barrier_rub_list;

/* u at x, from the places at the start of the step; vertices of the mesh. */
void barrier_rub_slip(const barrier_rub *c, const vec3 *x, const vec3 *start, double u[2]);

/* D; sets f. */
double barrier_rub_energy(barrier_rub *c, const double u[2]);

/* f, and d2D/du2. */
void barrier_rub_bear(barrier_rub *c, const double u[2], double stiffness[2][2]);

/* Friction f drives the slip u that a direction leads to: f . u < 0. */
bool barrier_rub_drives(const barrier_rub *c, const double u[2]);

/* In the world: what the first side feels is minus this, N. */
static inline vec3 barrier_rub_force(const barrier_rub *c, const double f[2]) {
  return vec3_madd(vec3_scale(f[0], c->cone.t), f[1], c->cone.b);
}

/* How far f and u are from Coulomb's law, N: |f - P_K(f + rho u)|. */
double barrier_rub_residual(const barrier_rub *c, const double u[2]);

#endif
