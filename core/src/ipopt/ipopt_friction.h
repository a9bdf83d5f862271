/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_friction: staggered projections, equation (26), each projection by Ipopt: the paper's way.
 *
 * With W = J M^-1 J^T and d = r - r0, what both halves lower is the kinetic energy of the contacts:
 *
 *   normal (25)   min over y >= 0          1/2 dN' W_NN dN + dN' (s + W_NT dT)
 *   tangent (28)  min over |y_i| <= mu r_N  1/2 dT' W_TT dT + dT' (v*_T + W_TN dN)
 *
 * The discs of (28) are not cut into facets: y_i = alpha_i (cos theta_i, sin theta_i), which leaves
 * a bound on alpha and none on theta.
 */
#ifndef IPOPT_IPOPT_FRICTION_H
#define IPOPT_IPOPT_FRICTION_H

#include "contact/friction_problem.h"

/* impulse: a contact's (N, t, b), in: the start, out: the solution, within its cone. The loop stops
 * when a round changes the impulses by less than `tolerance` of their size, both measured by the
 * velocities that they cause. Without Ipopt in this build: TRIBO_UNAVAILABLE, with what to install.
 */
tribo_status ipopt_friction_solve(const friction_problem *p, double tolerance, int iterations,
                                  arena *memory, vec3 *impulse, friction_report *report,
                                  tribo_error *err);

#endif
