/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * step: one time step, start to end, as a table of contents: the method (method/method.h) finds the
 * positions at its end; what it did not get through is cut in two halves, each of which may be cut
 * again; what is taken is committed to the state, with what contacts bore.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "method/method.h"
#include "tribo/sim.h"

typedef struct stepper {
  const model *model;
  const method *by; /* a row of step/methods.c */
  void *self;       /* its own */
  double frame_seconds;
  int first_frame;
  int cuts;            /* a step may be cut this many times in a row */
  bool accept_failed;  /* at the last cut take the best iterate instead of failing */
  vec3 *guess;         /* the end positions under construction */
  double h;            /* of the last step that was taken, which may be a part */
  bool tangled;        /* its contacts between cloths contradict each other */
  trouble worst, pins; /* of the steps since the caller last cleared them */
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
tribo_status step_advance(stepper *s, const tasks *t, double seconds, double h, state *moving,
                          tribo_report *report, tribo_error *err);

void step_free(stepper *s);

#endif
