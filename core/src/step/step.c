/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/step.h"

#include <math.h>

#include "model/kinematics.h"
#include "step/methods.h"

tribo_status step_create(const model *m, const step_options *options, const tasks *t, arena *memory,
                         stepper *out, tribo_error *err) {
  const tribo_solver_params *solver = options->solver;
  const method *by = methods_row(options->method);
  *out = (stepper){.model = m,
                   .by = by,
                   .cuts = by->can.cuts ? solver->cuts : 0,
                   .accept_failed = solver->on_failure == TRIBO_ON_FAILURE_CONTINUE,
                   .frame_seconds = options->frame_seconds,
                   .first_frame = options->first_frame,
                   .guess = ARENA_ARRAY(memory, vec3, m->node_count)};
  if (!out->guess) return status_no_memory(err, "a step's work space");
  method_input in = {.model = m,
                     .friction = options->friction,
                     .solver = solver,
                     .seconds = options->seconds,
                     .tasks = t,
                     .memory = memory};
  return by->create(&in, &out->self, err);
}

void step_free(stepper *s) {
  if (s->self) s->by->free(s->self);
}

/* ---- commit -----------------------------------------------------------------------------------
 */

static tribo_status commit(stepper *s, double h, const method_result *solved, state *moving,
                           tribo_error *err) {
  kinematic_commit step = {s->guess, solved->free_motion, h, moving->x, moving->v, moving->turns};
  kinematics_commit(s->model, &step);
  if (!state_reserve_touches(moving, s->by->warm_count(s->self)))
    return status_no_memory(err, "contacts");
  moving->touch_count = s->by->warm(s->self, moving->touches);
  s->h = h;
  s->tangled = solved->tangled;
  return TRIBO_OK;
}

/* ---- report -----------------------------------------------------------------------------------
 */

static void add_cost(const method_result *r, tribo_report *report) {
  report->newton_iterations += r->iterations;
  report->linear_iterations += r->linear_iterations;
  report->linear_seconds += r->linear_seconds;
  report->assembly_seconds += r->assembly_seconds;
  report->linearizations += r->linearizations;
  report->friction_iterations += r->friction_iterations;
}

static void add_outcome(const method_result *r, tribo_report *report) {
  report->steps++;
  report->residual = fmax(report->residual, r->residual);
  report->contacts = r->contacts;
  report->friction_residual = fmax(report->friction_residual, r->friction_residual);
  report->max_penetration = fmax(report->max_penetration, r->penetration);
  report->cloth_contacts = r->cloth_contacts;
  report->cloth_depth = fmax(report->cloth_depth, r->cloth_depth);
  report->held_back += r->held_back;
  if (r->outcome != METHOD_CONVERGED || !r->law_holds || r->tangled) report->converged = false;
}

/* The frame that shows first what a step at `seconds` comes to. */
static trouble_time time_of(const stepper *s, double seconds) {
  double frames = s->frame_seconds > 0 ? seconds / s->frame_seconds : 0;
  return (trouble_time){seconds, s->first_frame + 1 + (int)floor(frames + 1e-6)};
}

/* What is wrong with what was solved, for those who are told of it. Where a bake is to stop at
 * that, it is an error; a method that takes every step has none. */
static tribo_status note_trouble(stepper *s, double seconds, tribo_error *err) {
  trouble found = s->by->explain(s->self, s->guess, time_of(s, seconds));
  trouble pins = s->by->explain_pins(s->self, s->guess, time_of(s, seconds));
  trouble_add(&found, &s->worst);
  if (pins.kind == TROUBLE_NONE) return TRIBO_OK;
  if (!s->accept_failed && s->by->can.cuts) return trouble_fail(&pins, &(trouble_cut){0}, err);
  trouble_add(&pins, &s->pins);
  return TRIBO_OK;
}

static tribo_status fail(const stepper *s, double seconds, double h, method_outcome outcome,
                         tribo_error *err) {
  static const char *const reasons[] = {[METHOD_CONVERGED] = "",
                                        [METHOD_STALLED] = "no lower energy was found",
                                        [METHOD_UNFINISHED] = "the iterations ran out",
                                        [METHOD_NO_ROOM] = "no force makes room",
                                        [METHOD_CURVED] = "contacts curve too much",
                                        [METHOD_BROKEN] = "the energy is not finite"};
  trouble found = s->by->explain(s->self, s->guess, time_of(s, seconds));
  trouble_cut cut = {reasons[outcome], s->by->can.instead, s->cuts, h};
  return trouble_fail(&found, &cut, err);
}

/* ---- the step ---------------------------------------------------------------------------------
 */

typedef struct part {
  const tasks *tasks;
  double seconds, h;
  int cuts_left;
  bool first; /* the whole step, before it was cut */
} part;

/* How often this part may still be cut, after what came of it. */
static int cuts_left_after(const part *of, const method_result *solved) {
  int left = of->cuts_left;
  if (solved->spent && solved->outcome != METHOD_BROKEN) left = 0;
  /* Parts of the step move less, but where there is no room they seldom find any. */
  if (solved->outcome == METHOD_NO_ROOM && left > 1) left = 1;
  return left;
}

static bool is_taken(const stepper *s, const method_result *solved, int cuts_left) {
  if (solved->outcome == METHOD_CONVERGED) return true;
  if (solved->goes_on && solved->outcome != METHOD_BROKEN) return true;
  /* A step that is as short as may be and still too long for its contacts leaves them a little
   * deeper than was asked for; that is no reason to stop. */
  if (cuts_left == 0 && solved->outcome == METHOD_CURVED) return true;
  return cuts_left == 0 && s->accept_failed && solved->outcome != METHOD_BROKEN;
}

static tribo_status advance(stepper *s, const part *of, state *moving, tribo_report *report,
                            tribo_error *err) {
  method_result solved;
  method_window window = {.seconds = of->seconds, .h = of->h, .parts = !of->first};
  TRY(tasks_check(of->tasks, err));
  if (s->by->lift) TRY(s->by->lift(s->self, of->seconds, moving, err));
  TRY(s->by->step(s->self, &window, moving, s->guess, &solved, err));
  add_cost(&solved, report);

  int cuts_left = cuts_left_after(of, &solved);
  if (is_taken(s, &solved, cuts_left)) {
    add_outcome(&solved, report);
    TRY(note_trouble(s, of->seconds, err));
    return commit(s, of->h, &solved, moving, err);
  }
  if (cuts_left == 0) {
    report->converged = false;
    return fail(s, of->seconds, of->h, solved.outcome, err);
  }
  report->cuts++;
  part half = {of->tasks, of->seconds, of->h / 2, cuts_left - 1, false};
  TRY(advance(s, &half, moving, report, err));
  half.seconds += half.h;
  return advance(s, &half, moving, report, err);
}

tribo_status step_advance(stepper *s, const tasks *t, double seconds, double h, state *moving,
                          tribo_report *report, tribo_error *err) {
  part whole = {t, seconds, h, s->cuts, true};
  return advance(s, &whole, moving, report, err);
}
