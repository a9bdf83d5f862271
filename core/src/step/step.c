/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/step.h"

tribo_status step_create(const model *m, const tribo_solver_params *solver, const tasks *t,
                         arena *memory, stepper *out, tribo_error *err) {
  *out = (stepper){.model = m,
                   .options = {.tolerance = solver->tolerance, .iterations = solver->iterations},
                   .cuts = solver->cuts,
                   .accept_failed = solver->on_failure == TRIBO_ON_FAILURE_CONTINUE,
                   .guess = ARENA_ARRAY(memory, vec3, m->vertex_count)};
  if (!out->guess) return status_no_memory(err, "a step's work space");
  static const linsys_kind kinds[] = {[TRIBO_LINEAR_AUTO] = LINSYS_AUTO,
                                      [TRIBO_LINEAR_CHOLMOD] = LINSYS_CHOLMOD,
                                      [TRIBO_LINEAR_PARDISO] = LINSYS_PARDISO,
                                      [TRIBO_LINEAR_CG] = LINSYS_CG};
  linsys_options linear = {.kind = kinds[solver->linear],
                           .tasks = *t,
                           .cg_tolerance = solver->cg_tolerance,
                           .cg_iterations = solver->cg_iterations};
  TRY(objective_create(m, t, memory, &out->objective, err));
  return newton_create(&out->objective, &linear, memory, &out->newton, err);
}

void step_free(stepper *s) { newton_free(&s->newton); }

/* Hard pins go to where their targets are at the end of the step. */
static void place_pins(const model *m, double end_seconds, vec3 *x) {
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    if (pin->stiffness > 0) continue;
    for (size_t i = 0; i < pin->vertex_count; i++)
      x[pin->vertices[i]] = model_pin_target(pin, i, end_seconds);
  }
}

/* Two guesses are at hand: where everything would fly freely, and where it is. Begin at the lower.
 */
static void predict(stepper *s, const vec3 *x, double end_seconds) {
  objective *o = &s->objective;
  for (int32_t i = 0; i < s->model->vertex_count; i++) s->guess[i] = x[i];
  place_pins(s->model, end_seconds, s->guess);
  double staying = objective_energy(o, s->guess);
  for (int32_t i = 0; i < s->model->vertex_count; i++) s->guess[i] = o->predicted[i];
  place_pins(s->model, end_seconds, s->guess);
  double flying = objective_energy(o, s->guess);
  if (flying <= staying) return;
  for (int32_t i = 0; i < s->model->vertex_count; i++) s->guess[i] = x[i];
  place_pins(s->model, end_seconds, s->guess);
}

static void commit(const stepper *s, double h, vec3 *x, vec3 *v) {
  for (int32_t i = 0; i < s->model->vertex_count; i++) {
    v[i] = vec3_scale(1 / h, vec3_sub(s->guess[i], x[i]));
    x[i] = s->guess[i];
  }
}

static void add_to_report(const newton_report *n, bool converged, tribo_report *report) {
  report->newton_iterations += n->iterations;
  report->linear_iterations += n->linear_iterations;
  report->linear_seconds += n->linear_seconds;
  report->assembly_seconds += n->assembly_seconds;
  if (!converged) return;
  report->steps++;
  report->residual = fmax(report->residual, n->residual);
}

static tribo_status advance(stepper *s, double seconds, double h, int cuts_left, vec3 *x, vec3 *v,
                            tribo_report *report, tribo_error *err) {
  newton_report solved;
  objective_begin(&s->objective, x, v, h, seconds + h);
  predict(s, x, seconds + h);
  TRY(newton_minimize(&s->newton, &s->options, s->guess, &solved, err));

  bool last = cuts_left == 0 && s->accept_failed && solved.outcome != NEWTON_BROKEN;
  bool accept = solved.outcome == NEWTON_CONVERGED || last;
  add_to_report(&solved, accept, report);
  if (accept) {
    if (last) report->converged = false;
    commit(s, h, x, v);
    return TRIBO_OK;
  }
  if (cuts_left > 0) {
    report->cuts++;
    TRY(advance(s, seconds, h / 2, cuts_left - 1, x, v, report, err));
    return advance(s, seconds + h / 2, h / 2, cuts_left - 1, x, v, report, err);
  }
  report->converged = false;
  static const char *const reasons[] = {[NEWTON_STALLED] = "no lower energy was found",
                                        [NEWTON_UNFINISHED] = "the iterations ran out",
                                        [NEWTON_BROKEN] = "the energy is not finite"};
  return status_fail(
      err, TRIBO_NOT_CONVERGED,
      "the step at %.6g s did not converge: %s after %d Newton iterations with forces "
      "out of balance by %.3g, the step cut %d times to %.3g s; use more substeps, "
      "softer materials or slower pins, raise solver.iterations, or set "
      "solver.on_failure to 'continue'",
      seconds, reasons[solved.outcome], solved.iterations, solved.residual, s->cuts, h);
}

tribo_status step_advance(stepper *s, double seconds, double h, vec3 *x, vec3 *v,
                          tribo_report *report, tribo_error *err) {
  return advance(s, seconds, h, s->cuts, x, v, report, err);
}
