/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_solver: what all solvers of a contact problem have in common, and the table of them.
 * Adding one: docs/add_a_solver.md.
 *
 * A solver sees a unit problem (round cones of slope 1, contact_problem.h) of one group of
 * contacts, a start and a goal. It returns the best iterate that it met, measured by the natural
 * map in true units, and never one worse than the start. Iterations and residuals are all that
 * decides; no clock.
 */
#ifndef COULOMB_CONTACT_SOLVER_H
#define COULOMB_CONTACT_SOLVER_H

#include "coulomb/contact_problem.h"

typedef struct contact_goal {
  double residual; /* contact_unit_residual at or below this is solved */
  int iterations;  /* at most */
  double enough;   /* a residual to be content with where more is dear; 0: none but `residual` */
} contact_goal;

typedef struct contact_run {
  int iterations;
  int sweeps;       /* of `auto`: what they cost, in sweeps of Gauss-Seidel; others leave it at 0 */
  double residual;  /* of the impulses handed back */
  const char *used; /* the solver whose answer it is */
} contact_run;

typedef struct contact_caps {
  bool singular;  /* meant for W without full rank, too: more contacts than bodies can tell apart */
  bool direct;    /* factorises a matrix: few, dear iterations */
  bool drilling;  /* solves problems with drilling, too */
  int iterations; /* a sensible limit */
} contact_caps;

typedef struct contact_solver {
  const char *name, *about;
  contact_caps caps;
  tribo_status (*solve)(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                        contact_run *run, tribo_error *err);
} contact_solver;

extern const contact_solver contact_gauss_seidel, contact_mixed, contact_prox, contact_staggered,
    contact_alart_curnier, contact_fischer_burmeister, contact_pivoting, contact_interior,
    contact_admm, contact_auto;

extern const contact_solver *const contact_solvers[];
extern const size_t contact_solver_count;

/* By name; NULL when there is none. */
const contact_solver *contact_solver_find(const char *name);

typedef struct contact_solve_options {
  double tolerance; /* contact_problem_residual at or below this is solved */
  double enough;    /* what will do where that is dear; 0: nothing else */
  int iterations;   /* a group; 0: what the solver thinks sensible; of `auto` in sweeps */
  bool whole;       /* all contacts as one group */
  tasks tasks;      /* over groups */
} contact_solve_options;

typedef struct contact_solve_report {
  size_t groups, largest; /* how many, and the contacts of the largest */
  int iterations;         /* of the group that took most */
  int sweeps;             /* what all cost (contact_run), in sweeps over all contacts */
  double residual;        /* contact_problem_residual of the answer */
  bool converged;
  const char *used; /* of the largest group */
} contact_solve_report;

/* r: a start (0 will do), and the best answer found. The same bits for any number of threads. */
tribo_status contact_solve(const contact_problem *p, const contact_solver *solver,
                           const contact_solve_options *options, vec3 *r,
                           contact_solve_report *report, tribo_error *err);

/* ---- for solvers ---- */

/* The best iterate so far. */
typedef struct contact_track {
  const contact_unit *p;
  vec3 *best;
  double residual;
} contact_track;

/* Starts with r; u has room for a velocity a contact and gets those of r. */
tribo_status contact_track_begin(const contact_unit *p, const vec3 *r, vec3 *u, arena *scratch,
                                 contact_track *out, tribo_error *err);

/* Measures r, whose velocities are u, and keeps it when it is the best. */
double contact_track_note(contact_track *t, const vec3 *u, const vec3 *r);

void contact_track_end(const contact_track *t, int iterations, vec3 *r, contact_run *run);

#endif
