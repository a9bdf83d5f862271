/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * step: one time step, start to end, as a table of contents.
 *
 * Backward Euler as a minimisation (solve/objective.h), with contact and friction where there is
 * anything to touch (solve/forwarding.h): predict, aim the pins, solve, commit. A step that is not
 * got through is cut in two halves, each of which may be cut again.
 *
 * Or, for cloth, by a fixed number of local and global iterations (solve/projective.h), which are
 * always got through.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "barrier/lift.h"
#include "barrier/list.h"
#include "solve/forwarding.h"
#include "solve/projective_list.h"
#include "step/state.h"
#include "step/trouble.h"
#include "tribo/sim.h"

typedef struct stepper {
  const model *model;
  objective objective;
  newton newton;
  forwarding forwarding;
  projective projective; /* in place of newton and forwarding, where `projects` */
  bool projects;
  barrier fence;          /* in their place, too, where `fences` */
  barrier_listing fenced; /* what touched in its last step */
  bool fences;
  guard_made made; /* energy that contacts of the last step made (projective_guard.h) */
  bool tangled;    /* contacts between cloths contradicted each other (projective.h) */
  double frame_seconds;
  int first_frame;
  trouble worst, pins; /* of the steps since the caller last cleared them */
  bool touching;       /* there are pairs that can meet */
  int cuts;            /* a step may be cut this many times in a row */
  bool accept_failed;  /* at the last cut take the best iterate instead of failing */
  vec3 *guess;         /* the end positions under construction */
} stepper;

typedef struct step_options {
  int method; /* TRIBO_METHOD_... */
  const tribo_solver_params *solver;
  const pairs *friction; /* coefficients of the scene's objects; must outlive the stepper */
  double seconds;        /* of a step that is not cut */
  double frame_seconds;  /* of a frame; 0: there are none */
  int first_frame;
} step_options;

tribo_status step_create(const model *m, const step_options *options, const tasks *t, arena *memory,
                         stepper *out, tribo_error *err);

/* Moves the state over h seconds from `seconds`, all of it but its count of steps. On failure it is
 * undefined: the caller works on a copy. Adds to the report. */
tribo_status step_advance(stepper *s, double seconds, double h, state *moving, tribo_report *report,
                          tribo_error *err);

/* What touched in the last step, whatever found it. */
typedef struct step_contacts {
  contact_finder *finder;
  const contact_set *set;
  const friction_cone *cones;
  const vec3 *impulses;  /* (N, t, b), N s */
  const double *torques; /* of drilling, N m; NULL: none drills */
} step_contacts;

step_contacts step_touching(stepper *s);

/* Of the last step, which may have been cut. */
double step_seconds(const stepper *s);

/* How the feeler of contact i slides on the surface at the end of the last step, m/s, in the world.
 */
vec3 step_slip(const stepper *s, size_t i);

/* What touched besides, between vertices of cloth. x: the nodes at the end of the last step. */
size_t step_between_count(const stepper *s);
projective_listed step_between(const stepper *s, const vec3 *x, size_t i);

void step_free(stepper *s);

#endif
