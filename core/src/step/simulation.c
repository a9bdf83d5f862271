/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/extend.h"
#include "model/kinematics.h"
#include "step/buried.h"
#include "step/contacts.h"
#include "step/start_checks.h"
#include "step/step.h"

struct simulation {
  model model;
  tasks tasks;
  arena memory; /* work space */
  state state;
  state next;                   /* a step works here; success swaps it in */
  vec3 *positions, *velocities; /* of all vertices, at `state` */
  vec3 *next_positions;         /* at `next`, before it is swapped in */
  pairs friction;
  double step_seconds;
  trouble_told told;
  log_sink log;
  stepper stepper;
  contact_finder own_finder; /* where the method has none */
  bool has_own_finder;
  contact_finder *finder;   /* finds points in surfaces; what nothing touches has none: NULL */
  double contact_tolerance; /* m */
  contacts contacts;        /* of the last step */
  judge *judge;
};

/* The vertices follow the state. */
static void carry_along(simulation *s) {
  const tasks *t = &s->tasks;
  kinematics_positions(&s->model, t, s->state.x, s->state.turns, s->positions);
  kinematics_velocities(&s->model, t, s->state.x, s->state.turns, s->state.v, s->velocities);
}

static void put_at_start(const model *m, state *out) {
  memcpy(out->x, m->rest, out->node_count * sizeof *m->rest);
  memcpy(out->v, m->start_velocity, out->node_count * sizeof *m->start_velocity);
  kinematics_start_turns(m, out->turns);
  /* The object's velocity is not that of vertices held in place. */
  for (size_t p = 0; p < m->pin_count; p++)
    for (size_t i = 0; m->pins[p].stiffness == 0 && i < m->pins[p].vertex_count; i++)
      out->v[m->pins[p].vertices[i]] = vec3_make(0, 0, 0);
}

/* What starts inside something is pushed out (contact/narrow_phase.h), and told of; so is what
 * starts through it. */
static tribo_status look_at_start(simulation *s, tribo_error *err) {
  buried_told told = {0};
  contact_moment now = {.start = (double)s->state.step * s->step_seconds,
                        .h = 1e-6 * s->step_seconds, /* colliders are where this ends */
                        .x = s->state.x,
                        .turns = s->state.turns,
                        .vertices = s->positions,
                        .x_before = s->state.x,
                        .before = s->positions,
                        .first = true};
  if (s->finder)
    TRY(buried_at_start(s->finder, &now, s->velocities, 10 * s->contact_tolerance, &s->log, &told,
                        err));
  judge_start(s->judge, told.depth, told.what, told.in);
  return TRIBO_OK;
}

/* The same of what is inside of a collider that appears in the step from `moving`. */
static tribo_status warn_of_appearing(simulation *s, double seconds, const state *moving,
                                      tribo_error *err) {
  const model *m = &s->model;
  const tasks *t = &s->tasks;
  if (!s->finder || !s->log.write || !start_checks_appears(m, seconds, s->step_seconds))
    return TRIBO_OK;
  arena scratch = {0};
  vec3 *positions = ARENA_ARRAY(&scratch, vec3, m->vertex_count);
  vec3 *velocities = ARENA_ARRAY(&scratch, vec3, m->vertex_count);
  tribo_status status = TRIBO_OK;
  if (!positions || !velocities) {
    status = status_no_memory(err, "contacts");
  } else {
    kinematics_positions(m, t, moving->x, moving->turns, positions);
    kinematics_velocities(m, t, moving->x, moving->turns, moving->v, velocities);
    contact_moment now = {.start = seconds,
                          .h = s->step_seconds,
                          .x = moving->x,
                          .turns = moving->turns,
                          .vertices = positions,
                          .x_before = moving->x,
                          .before = positions};
    status =
        buried_by_appearing(s->finder, &now, velocities, 10 * s->contact_tolerance, &s->log, err);
  }
  arena_free(&scratch);
  return status;
}

static tribo_status set_up_judge(simulation *s, const simulation_options *options,
                                 tribo_error *err) {
  int substeps = options->substeps > 0 ? options->substeps : 1;
  judge_options how = {
      .crossings = s->stepper.by->can.contact ? options->solver.crossings : TRIBO_CROSSINGS_OFF,
      .first_frame = options->first_frame,
      .frame_seconds = options->step_seconds * substeps,
      .substeps = substeps,
      .last_step = options->frames > 0 ? (int64_t)(options->frames - 1) * substeps : INT64_MAX,
      .contact_tolerance = s->contact_tolerance,
      .go_on = options->solver.on_failure == TRIBO_ON_FAILURE_CONTINUE,
      .by = &s->stepper,
      .log = options->log};
  return judge_create(&s->model, &s->tasks, &how, s->positions, &s->judge, err);
}

/* Who looks for what is inside of surfaces: the method's finder, or one beside a method without. */
static tribo_status set_up_finder(simulation *s, const simulation_options *options,
                                  tribo_error *err) {
  const stepper *by = &s->stepper;
  if (!by->by->touching(by->self)) return TRIBO_OK;
  if (by->by->finder) {
    s->finder = by->by->finder(by->self);
    return TRIBO_OK;
  }
  s->finder = &s->own_finder;
  s->has_own_finder = true;
  return contact_finder_create(&s->model, BROAD_PHASE_ALL, method_transport(&options->solver),
                               &s->tasks, &s->own_finder, err);
}

static tribo_status set_up(simulation *s, const simulation_options *options, tribo_error *err) {
  const model *m = &s->model;
  s->positions = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  s->velocities = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  s->next_positions = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  if (!state_create((size_t)m->node_count, m->rigid_count, &s->state) ||
      !state_create((size_t)m->node_count, m->rigid_count, &s->next) || !s->positions ||
      !s->velocities || !s->next_positions)
    return status_no_memory(err, "the state");
  put_at_start(m, &s->state);
  s->tasks = tasks_create(options->threads);
  s->tasks.stop = options->stop;
  TRY(tasks_check(&s->tasks, err));
  int substeps = options->substeps > 0 ? options->substeps : 1;
  step_options how = {.method = options->method,
                      .solver = &options->solver,
                      .friction = &s->friction,
                      .seconds = options->step_seconds,
                      .frame_seconds = substeps * options->step_seconds,
                      .first_frame = options->first_frame};
  TRY(step_create(m, &how, &s->tasks, &s->memory, &s->stepper, err));
  TRY(set_up_finder(s, options, err));
  carry_along(s);
  TRY(set_up_judge(s, options, err));
  if (s->stepper.by->tell_model) s->stepper.by->tell_model(s->stepper.self, &s->log);
  start_checks_straying(m, &s->log);
  return options->inside_out ? TRIBO_OK : look_at_start(s, err);
}

tribo_status simulation_create(model *m, const simulation_options *options, simulation **out,
                               tribo_error *err) {
  *out = NULL;
  simulation *s = calloc(1, sizeof *s);
  if (!s) {
    model_free(m);
    return status_no_memory(err, "a simulation");
  }
  s->model = *m;
  *m = (model){0};
  s->friction = options->friction;
  s->step_seconds = options->step_seconds;
  s->contact_tolerance = options->solver.contact_tolerance * s->model.smallest;
  s->log = options->log;
  tribo_status status = set_up(s, options, err);
  if (status != TRIBO_OK) {
    simulation_free(s);
    return status;
  }
  *out = s;
  return TRIBO_OK;
}

void simulation_free(simulation *s) {
  if (!s) return;
  judge_free(s->judge);
  trouble_told_free(&s->told);
  step_free(&s->stepper);
  if (s->has_own_finder) contact_finder_free(&s->own_finder);
  state_free(&s->state);
  state_free(&s->next);
  contacts_free(&s->contacts);
  arena_free(&s->memory);
  model_free(&s->model);
  free(s);
}

tribo_status simulation_export_problem(simulation *s, const char *folder, int number,
                                       tribo_error *err) {
  const stepper *by = &s->stepper;
  if (s->contacts.count == 0 || !by->by->export_problem) return TRIBO_OK;
  return by->by->export_problem(by->self, folder, number, err);
}

static double seconds_of(const simulation *s, const state *at) {
  return (double)at->step * s->step_seconds;
}

/* Before it is put in place: what is judged may still be refused. */
static tribo_status judge_next(simulation *s, tribo_report *report, tribo_error *err) {
  const tasks *t = &s->tasks;
  kinematics_positions(&s->model, t, s->next.x, s->next.turns, s->next_positions);
  return judge_end(s->judge, t, &s->next, seconds_of(s, &s->next), s->next_positions, report, err);
}

/* Of the last step; state and vertices are at its end. */
static void take_contacts(simulation *s) {
  contact_moment end = {.x = s->state.x, .turns = s->state.turns, .vertices = s->positions};
  contacts_take(&s->contacts, &s->stepper, &end);
  contacts_judge(&s->contacts, s->judge);
}

tribo_status simulation_steps(simulation *s, int count, tribo_report *report, tribo_error *err) {
  double began = clock_seconds();
  *report = (tribo_report){.converged = true, .crossings = -1};
  s->stepper.worst = s->stepper.pins = (trouble){.kind = TROUBLE_NONE};
  judge_begin(s->judge, &s->tasks, &s->state, seconds_of(s, &s->state));
  if (!state_copy(&s->state, &s->next)) return status_no_memory(err, "the next state");

  tribo_status status = TRIBO_OK;
  for (int i = 0; i < count && status == TRIBO_OK; i++) {
    double seconds = (double)s->next.step * s->step_seconds;
    status = warn_of_appearing(s, seconds, &s->next, err);
    if (status == TRIBO_OK)
      status =
          step_advance(&s->stepper, &s->tasks, seconds, s->step_seconds, &s->next, report, err);
    s->next.step++;
    if (s->stepper.tangled) report->rough |= TRIBO_ROUGH_TANGLED;
    if (s->stepper.by->tell_step)
      s->stepper.by->tell_step(s->stepper.self, seconds, i == 0, &s->log);
  }
  if (status == TRIBO_OK) status = contacts_reserve(&s->contacts, &s->stepper, err);
  if (status == TRIBO_OK) status = judge_next(s, report, err);
  if (status == TRIBO_OK) {
    state last = s->state;
    s->state = s->next;
    s->next = last;
    carry_along(s);
    if (count > 0) take_contacts(s);
    bool steps_show = s->stepper.worst.kind == TROUBLE_NONE || trouble_shows(&s->stepper.worst);
    judge_contacts(s->judge, seconds_of(s, &s->state), steps_show, report);
    trouble_warn(&s->told, &s->stepper.worst, &s->log);
    trouble_warn(&s->told, &s->stepper.pins, &s->log);
  }
  report->seconds = clock_seconds() - began;
  return status;
}

tribo_status simulation_extend_collider(simulation *s, size_t object, const double *sample,
                                        tribo_error *err) {
  return extend_collider(&s->model, object, sample, err);
}

tribo_status simulation_extend_presence(simulation *s, size_t object, double seconds, bool present,
                                        tribo_error *err) {
  return extend_presence(&s->model, object, seconds, present, err);
}

tribo_status simulation_extend_pin(simulation *s, size_t object, size_t pin, const double *sample,
                                   tribo_error *err) {
  return extend_pin(&s->model, object, pin, sample, err);
}

const model *simulation_model(const simulation *s) { return &s->model; }
const state *simulation_state(const simulation *s) { return &s->state; }

const vec3 *simulation_positions(const simulation *s) { return s->positions; }
const vec3 *simulation_velocities(const simulation *s) { return s->velocities; }

const tribo_contact *simulation_contacts(const simulation *s, size_t *count) {
  *count = s->contacts.count;
  return s->contacts.listed;
}

const tribo_crossing *simulation_crossings(const simulation *s, size_t *count) {
  *count = 0;
  const crossed_objects *c = judge_crossed(s->judge);
  return c ? crossed_pairs(c, count) : NULL;
}

const int32_t *simulation_pierced(const simulation *s, size_t object, size_t *count) {
  *count = 0;
  const crossed_objects *c = judge_crossed(s->judge);
  return c ? crossed_pierced(c, object, count) : NULL;
}

judge_deep simulation_deepest(const simulation *s) { return judge_deepest(s->judge); }
judge_gain simulation_gained(const simulation *s) { return judge_gained(s->judge); }

tribo_status simulation_restore(simulation *s, const state *saved, tribo_error *err) {
  if (!state_copy(saved, &s->state)) return status_no_memory(err, "the saved state");
  s->contacts.record_count = s->contacts.count = 0;
  carry_along(s);
  return TRIBO_OK;
}

const char *simulation_linear_solver(const simulation *s, bool *deterministic) {
  return s->stepper.by->linear_solver(s->stepper.self, deterministic);
}
