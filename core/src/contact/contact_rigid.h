/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_rigid: the contacts of a step in which nothing but rigid bodies moves.
 *
 * Phi then has no term that couples nodes, so that impulses act on masses and nothing else: the
 * friction problem (24) is exact, and solvers that are made for more contacts than freedoms take
 * it (contact_solver.h). From the free motion: u = W r + q, with q the room and the slip it leaves.
 *
 * A body in a heap has many places within reach of a step, and few that bear. So only some contacts
 * are assembled: those with an impulse, and those that would be inside, u_N < 0. With the answer
 * all others are looked at, u_N = room + by_node . change, and what is inside now comes in, until
 * nothing does. Sets grow, so that ends; and r = 0 with u_N >= 0 is Coulomb's law, so the answer is
 * one of all contacts. While a set grows a few sweeps tell who is in; the solvers come when it
 * stands.
 *
 * Drilling (document 002, section 4.4) is solved here and nowhere else.
 */
#ifndef CONTACT_CONTACT_RIGID_H
#define CONTACT_CONTACT_RIGID_H

#include "contact/friction_problem.h"
#include "coulomb/contact_solver.h"

/* `given` of the problem is 0. impulse, torque (of the contacts that drill, newton metre seconds):
 * a start, and the solution; change: what they add to the velocities of all nodes. */
tribo_status contact_rigid_solve(const friction_problem *p, const contact_solve_options *options,
                                 arena *scratch, vec3 *impulse, double *torque, vec3 *change,
                                 contact_solve_report *report, tribo_error *err);

#endif
