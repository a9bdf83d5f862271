/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * step: one time step, start to end, as a table of contents.
 *
 * Backward Euler as a minimisation (solve/objective.h): predict, aim the pins, minimise, commit. A
 * step that Newton does not get through is cut in two halves, each of which may be cut again.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "solve/newton.h"
#include "step/state.h"
#include "tribo/sim.h"

typedef struct stepper {
  const model *model;
  objective objective;
  newton newton;
  newton_options options;
  int cuts;           /* a step may be cut this many times in a row */
  bool accept_failed; /* at the last cut take the best iterate instead of failing */
  vec3 *guess;        /* the end positions under construction */
} stepper;

tribo_status step_create(const model *m, const tribo_solver_params *solver, const tasks *t,
                         arena *memory, stepper *out, tribo_error *err);

/* Moves x and v over h seconds from `seconds`. On failure x and v are undefined: the caller works
 * on a copy. Adds to the report. */
tribo_status step_advance(stepper *s, double seconds, double h, vec3 *x, vec3 *v,
                          tribo_report *report, tribo_error *err);

void step_free(stepper *s);

#endif
