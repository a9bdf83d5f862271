/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_constrained: the elastic step that stays outside, equation (23), by Ipopt: the paper's way.
 *
 * An interior-point method walks towards the minimum from inside the constraints. Unknowns are the
 * free nodes only. Lengths are measured in L, how far the forces at the start would carry a mean
 * node within the step, and forces in F = m L / h^2; so first derivatives are near 1, as the paper
 * asks, and so are the inertial second ones. What Ipopt says of its success is not believed: forces
 * and gaps are measured here, in our units, and where they fall short Ipopt goes on from there, in
 * units chosen anew and with a smaller tolerance.
 *
 * The results are equal to tolerance from run to run, not bit by bit. Ipopt with MUMPS must not run
 * twice at once in a process, so calls wait for one another. docs/ipopt.md has the settings.
 */
#ifndef IPOPT_IPOPT_CONSTRAINED_H
#define IPOPT_IPOPT_CONSTRAINED_H

#include "contact/constrained.h"
#include "ipopt/ipopt_options.h"

typedef struct ipopt_constrained ipopt_constrained;

/* Without Ipopt in this build, or without the linear solver on this machine: TRIBO_UNAVAILABLE,
 * with what to install. `o` must outlive it. */
tribo_status ipopt_constrained_create(objective *o, const ipopt_options *options, arena *memory,
                                      ipopt_constrained **out, tribo_error *err);

/* x: all nodes, in: the start, which may violate the constraints, out: the solution; hard-pinned
 * ones stay. lambda: a contact's force, in: a guess (0: none), out: the solution. A contact that
 * hangs on pinned nodes alone binds nothing: its force is 0, and its gap is not in the report. */
tribo_status ipopt_constrained_minimize(ipopt_constrained *s, const contact_set *set,
                                        const constrained_options *options, vec3 *x, double *lambda,
                                        constrained_report *report, tribo_error *err);

void ipopt_constrained_free(ipopt_constrained *s);

#endif
