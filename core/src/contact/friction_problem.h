/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * friction_problem: the second half of a forwarding step: which impulses at the contacts, given the
 * velocities that the first half predicts. One problem, many solvers.
 *
 * Impulses change velocities through the mass alone (the paper's effective mass, M_e^-1 = J M^-1
 * J^T): v = v* + M^-1 J^T (r - r0), with r0 the impulses that are in v* already. In contact i, with
 * its cone's frame, the rows of J are by_node for the normal and t^T carry, b^T carry for the two
 * tangents. Coulomb's law in velocities:
 *
 *   0 <= r_N  perpendicular to  s_i + dv_N >= 0      s_i = c_i(x*) / h, the room left by (23)
 *   r_T in the disc of radius mu r_N, and r_T = -mu r_N v_T / |v_T| where v_T != 0
 *
 * Impulses of a contact stand as (N, t, b). One that drills (friction/cone.h) has a torque about
 * its normal besides, with the row `turn` of the set; only solvers of contact problems know of it.
 */
#ifndef CONTACT_FRICTION_PROBLEM_H
#define CONTACT_FRICTION_PROBLEM_H

#include "contact/set.h"
#include "friction/cone.h"
#include "model/model.h"

typedef struct friction_problem {
  const contact_set *set;
  const friction_cone *cones;
  const mat3 *inverse_mass; /* a node; 0 for pinned ones */
  size_t node_count;
  const vec3 *velocity; /* v* of all nodes */
  const double *room;   /* s_i, m/s */
  const vec3 *given;    /* r0 */
} friction_problem;

typedef struct friction_report {
  int iterations;  /* staggered projections */
  int inner;       /* iterations of the two projections, in all */
  double residual; /* change of the impulses in the last one, relative */
  bool converged;
} friction_report;

/* The rows N, t, b of J at the node of entry e, which belongs to contact i. */
mat3 friction_rows(const friction_problem *p, size_t i, size_t e);

/* Whether contact i bears a torque: it has the friction for it, and something that turns. */
bool friction_drills(const friction_problem *p, size_t i);

/* How fast its sides turn against each other about the normal, rad/s. */
double friction_spin(const friction_problem *p, size_t i);

/* Adds what torques do, a contact, newton metre seconds. */
void friction_respond_drill(const friction_problem *p, const double *torque, vec3 *change);

/* What impulses add to the velocities of all nodes: change = M^-1 J^T (impulse - given). */
void friction_respond(const friction_problem *p, const vec3 *impulse, vec3 *change);

#endif
