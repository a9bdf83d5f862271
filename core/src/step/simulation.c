/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "step/step.h"

struct simulation {
  model model;
  arena memory; /* states and work space */
  state state;
  vec3 *next_x, *next_v; /* a step works here; success swaps them in */
  double step_seconds;
  log_sink log;
  stepper stepper;
};

static tribo_status set_up(simulation *s, const simulation_options *options, tribo_error *err) {
  const model *m = &s->model;
  size_t vertices = (size_t)m->vertex_count;
  s->state = (state){.vertex_count = vertices,
                     .x = ARENA_ARRAY(&s->memory, vec3, vertices),
                     .v = ARENA_ARRAY(&s->memory, vec3, vertices)};
  s->next_x = ARENA_ARRAY(&s->memory, vec3, vertices);
  s->next_v = ARENA_ARRAY(&s->memory, vec3, vertices);
  if (!s->state.x || !s->state.v || !s->next_x || !s->next_v)
    return status_no_memory(err, "the state");
  memcpy(s->state.x, m->rest, vertices * sizeof *m->rest);
  memcpy(s->state.v, m->start_velocity, vertices * sizeof *m->start_velocity);
  /* The object's velocity is not that of vertices held in place. */
  for (size_t p = 0; p < m->pin_count; p++)
    for (size_t i = 0; m->pins[p].stiffness == 0 && i < m->pins[p].vertex_count; i++)
      s->state.v[m->pins[p].vertices[i]] = vec3_make(0, 0, 0);
  tasks t = tasks_create(options->threads);
  return step_create(m, &options->solver, &t, &s->memory, &s->stepper, err);
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
  s->step_seconds = options->step_seconds;
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
  step_free(&s->stepper);
  arena_free(&s->memory);
  model_free(&s->model);
  free(s);
}

static double kinetic_energy(const simulation *s) {
  double sum = 0;
  for (size_t i = 0; i < s->state.vertex_count; i++)
    sum += s->model.mass[i] * vec3_norm2(s->state.v[i]);
  return sum / 2;
}

static double elastic_energy(const simulation *s) {
  const objective *o = &s->stepper.objective;
  double sum = 0;
  for (size_t k = 0; k < s->model.elastic_count; k++)
    sum += elements_energy(&s->model.elastics[k].term, &o->tasks, s->state.x, o->energies);
  return sum;
}

tribo_status simulation_steps(simulation *s, int count, tribo_report *report, tribo_error *err) {
  size_t size = s->state.vertex_count * sizeof(vec3);
  double began = clock_seconds();
  *report = (tribo_report){.converged = true};
  memcpy(s->next_x, s->state.x, size);
  memcpy(s->next_v, s->state.v, size);

  tribo_status status = TRIBO_OK;
  for (int i = 0; i < count && status == TRIBO_OK; i++) {
    double seconds = (double)(s->state.step + i) * s->step_seconds;
    status = step_advance(&s->stepper, seconds, s->step_seconds, s->next_x, s->next_v, report, err);
  }
  if (status == TRIBO_OK) {
    vec3 *x = s->state.x, *v = s->state.v;
    s->state = (state){s->state.step + count, s->state.vertex_count, s->next_x, s->next_v};
    s->next_x = x;
    s->next_v = v;
    if (!report->converged)
      log_write(&s->log, TRIBO_LOG_WARNING,
                "a step near %.6g s did not reach the tolerance; forces are out of balance by %.3g",
                (double)s->state.step * s->step_seconds, report->residual);
  }
  report->kinetic_energy = kinetic_energy(s);
  report->elastic_energy = elastic_energy(s);
  report->seconds = clock_seconds() - began;
  return status;
}

tribo_status simulation_step(simulation *s, tribo_report *report, tribo_error *err) {
  return simulation_steps(s, 1, report, err);
}

const model *simulation_model(const simulation *s) { return &s->model; }
const state *simulation_state(const simulation *s) { return &s->state; }

void simulation_restore(simulation *s, const state *saved) {
  s->state.step = saved->step;
  memcpy(s->state.x, saved->x, s->state.vertex_count * sizeof *saved->x);
  memcpy(s->state.v, saved->v, s->state.vertex_count * sizeof *saved->v);
}

const char *simulation_linear_solver(const simulation *s, bool *deterministic) {
  const linsys_caps *caps = linsys_capabilities(s->stepper.newton.linear);
  if (deterministic) *deterministic = caps->deterministic;
  return caps->name;
}
