/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * staggered: friction by staggered projections (section 5.5.2, equations (24) to (27)), without
 * leaving contact space.
 *
 * In turn, the friction that dissipates most for given normal impulses (24), then the normal
 * impulses that keep the bodies apart for given friction (25), until the friction stays. Each is a
 * quadratic problem over discs or half-lines, solved contact by contact (block Gauss-Seidel) with
 * the exact solution in each: no cone is cut into facets, and no polar coordinates are needed. With
 * external surfaces the contacts do not see each other through the mass, and one sweep is exact.
 *
 * Where the paper's predictor (27) projects M_e J v*, the velocities are used as they are, and the
 * room that (23) left counts: a contact that is opening needs no impulse.
 */
#ifndef FORWARDING_STAGGERED_H
#define FORWARDING_STAGGERED_H

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "contact/friction_problem.h"

typedef struct staggered_options {
  double tolerance;   /* change of the friction impulses, relative */
  int iterations;     /* staggered projections at most */
  const tasks *tasks; /* whether to give up; NULL: never */
} staggered_options;

/* impulse: a start, and the solution. change: M^-1 J^T (impulse - given), what the solution adds to
 * the velocities of all nodes. */
tribo_status staggered_solve(const friction_problem *p, const staggered_options *options,
                             arena *scratch, vec3 *impulse, vec3 *change, friction_report *report,
                             tribo_error *err);

#endif
