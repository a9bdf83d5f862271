/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_local: Coulomb's law at one contact of a unit problem, exactly.
 *
 * Take-off (q_N >= 0) and stick (r = -W^-1 q in the cone) are looked at first. What is left slides:
 * u_T = -a r_T with a > 0, u_N = 0 and |r_T| = r_N. With the normal eliminated,
 *
 *   (S + a I) r_T = -b      S = W_TT - w w^T / W_NN, b = q_T - w q_N / W_NN
 *   r_N = -(q_N + w . r_T) / W_NN
 *
 * and r_N / |r_T| - 1 is below 0 at a = 0 (it does not stick), grows without bound, and nearly as a
 * straight line. The quartic that others solve for a has that root among its four; Newton within a
 * bracket finds it and no other. One that drills has a third component across, the torque; nothing
 * else changes.
 */
#ifndef COULOMB_CONTACT_LOCAL_H
#define COULOMB_CONTACT_LOCAL_H

#include "math/mat3.h"

enum { CONTACT_ACROSS = 3 }; /* at most */
typedef struct contact_local {
  double normal;            /* W_NN */
  double axis[2];           /* S of two: eigenvector of d[0] */
  mat3 axes;                /* S of three: eigenvectors, in rows */
  double d[CONTACT_ACROSS]; /* eigenvalues, the largest first */
  double w[CONTACT_ACROSS]; /* in the eigenvectors */
} contact_local;

/* w: positive semi-definite; its symmetric part counts. */
contact_local contact_local_make(const mat3 *w);

/* The impulse for u = W r + q; the slip rate a of a sliding contact goes in as a guess and comes
 * out, 0 for the others. */
vec3 contact_local_solve(const contact_local *c, vec3 q, double *slip);

/* The same of one that drills; w has (N, t, b, d) in its rows. */
contact_local contact_local_make_drill(double w[4][4]);
vec3 contact_local_solve_drill(const contact_local *c, vec3 q, double q_d, double *slip,
                               double *torque);

#endif
