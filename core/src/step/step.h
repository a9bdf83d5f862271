/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * step: one time step, start to end, as a table of contents.
 *
 * Backward Euler as a minimisation (solve/objective.h), with contact and friction where there is
 * anything to touch (solve/forwarding.h): predict, aim the pins, solve, commit. A step that is not
 * got through is cut in two halves, each of which may be cut again.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "solve/forwarding.h"
#include "step/state.h"
#include "tribo/sim.h"

typedef struct stepper {
  const model *model;
  objective objective;
  newton newton;
  forwarding forwarding;
  bool touching;      /* there are pairs that can meet */
  int cuts;           /* a step may be cut this many times in a row */
  bool accept_failed; /* at the last cut take the best iterate instead of failing */
  vec3 *guess;        /* the end positions under construction */
} stepper;

/* friction: coefficients of the scene's objects; NULL: no contact. It must outlive the stepper. */
tribo_status step_create(const model *m, const tribo_solver_params *solver, const pairs *friction,
                         const tasks *t, arena *memory, stepper *out, tribo_error *err);

/* Moves the state over h seconds from `seconds`, all of it but its count of steps. On failure it is
 * undefined: the caller works on a copy. Adds to the report. */
tribo_status step_advance(stepper *s, double seconds, double h, state *moving, tribo_report *report,
                          tribo_error *err);

void step_free(stepper *s);

#endif
