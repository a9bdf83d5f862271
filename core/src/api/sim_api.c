/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_api: the functions of tribo/sim.h: checks of the caller's arguments, then the rooms below.
 */
#include <stdlib.h>

#include "model/collider.h"
#include "scene/compile.h"
#include "scene/quality.h"
#include "tribo/sim.h"

struct tribo_sim {
  simulation *simulation;
  tribo_time_params time;
};

tribo_status tribo_sim_create(const tribo_scene *scene, const tribo_sim_options *options,
                              tribo_sim **out, tribo_error *err) {
  if (!out) return status_fail(err, TRIBO_BAD_INPUT, "tribo_sim_create: out is NULL");
  *out = NULL;
  if (!scene) return status_fail(err, TRIBO_BAD_INPUT, "tribo_sim_create: scene is NULL");
  tribo_sim *sim = calloc(1, sizeof *sim);
  if (!sim) return status_no_memory(err, "a simulation");
  quality_plan plan;
  tribo_sim_options defaults = {0};
  tribo_status status = quality_plan_make(scene, &plan, err);
  if (status == TRIBO_OK) {
    sim->time = plan.scene.time;
    status = compile_for(&plan.scene, options ? options : &defaults, &sim->simulation, err);
    quality_plan_free(&plan);
  }
  if (status != TRIBO_OK) {
    free(sim);
    return status;
  }
  *out = sim;
  return TRIBO_OK;
}

void tribo_sim_free(tribo_sim *sim) {
  if (!sim) return;
  simulation_free(sim->simulation);
  free(sim);
}

static tribo_status advance(tribo_sim *sim, int steps, tribo_report *report, tribo_error *err) {
  tribo_report unwanted;
  if (!sim) return status_fail(err, TRIBO_BAD_INPUT, "the simulation is NULL");
  return simulation_steps(sim->simulation, steps, report ? report : &unwanted, err);
}

tribo_status tribo_sim_step(tribo_sim *sim, tribo_report *report, tribo_error *err) {
  return advance(sim, 1, report, err);
}

tribo_status tribo_sim_frame(tribo_sim *sim, tribo_report *report, tribo_error *err) {
  if (!sim) return advance(sim, 0, report, err);
  int substeps = sim->time.substeps;
  int done = (int)(simulation_state(sim->simulation)->step % substeps);
  return advance(sim, substeps - done, report, err);
}

tribo_status tribo_sim_extend_motion(tribo_sim *sim, size_t object, const double *sample,
                                     tribo_error *err) {
  if (!sim || !sample) return status_fail(err, TRIBO_BAD_INPUT, "sim or sample is NULL");
  return simulation_extend_collider(sim->simulation, object, sample, err);
}

tribo_status tribo_sim_extend_targets(tribo_sim *sim, size_t object, size_t pin,
                                      const double *sample, tribo_error *err) {
  if (!sim || !sample) return status_fail(err, TRIBO_BAD_INPUT, "sim or sample is NULL");
  return simulation_extend_pin(sim->simulation, object, pin, sample, err);
}

tribo_status tribo_sim_extend_presence(tribo_sim *sim, size_t object, double frame, bool present,
                                       tribo_error *err) {
  if (!sim) return status_fail(err, TRIBO_BAD_INPUT, "the simulation is NULL");
  double seconds = collider_switch_seconds(frame, &sim->time);
  return simulation_extend_presence(sim->simulation, object, seconds, present, err);
}

double tribo_sim_time(const tribo_sim *sim) {
  double steps = (double)simulation_state(sim->simulation)->step;
  return steps / (sim->time.fps * sim->time.substeps);
}

double tribo_sim_frame_number(const tribo_sim *sim) {
  double steps = (double)simulation_state(sim->simulation)->step;
  return sim->time.start + steps / sim->time.substeps;
}

size_t tribo_sim_object_count(const tribo_sim *sim) {
  return simulation_model(sim->simulation)->body_count;
}

/* NULL for a number that no object has. */
static const model_body *body_at(const tribo_sim *sim, size_t object) {
  const model *m = simulation_model(sim->simulation);
  return object < m->body_count ? &m->bodies[object] : NULL;
}

const char *tribo_sim_object_name(const tribo_sim *sim, size_t object) {
  const model_body *body = body_at(sim, object);
  return body ? body->name : NULL;
}

size_t tribo_sim_vertex_count(const tribo_sim *sim, size_t object) {
  const model_body *body = body_at(sim, object);
  return body ? (size_t)body->vertex_count : 0;
}

const double *tribo_sim_positions(const tribo_sim *sim, size_t object) {
  const model_body *body = body_at(sim, object);
  return body ? &simulation_positions(sim->simulation)[body->first_vertex].x : NULL;
}

const double *tribo_sim_velocities(const tribo_sim *sim, size_t object) {
  const model_body *body = body_at(sim, object);
  return body ? &simulation_velocities(sim->simulation)[body->first_vertex].x : NULL;
}

const tribo_contact *tribo_sim_contacts(const tribo_sim *sim, size_t *count) {
  size_t unwanted;
  return simulation_contacts(sim->simulation, count ? count : &unwanted);
}

const tribo_crossing *tribo_sim_crossings(const tribo_sim *sim, size_t *count) {
  size_t unwanted;
  return simulation_crossings(sim->simulation, count ? count : &unwanted);
}

const int32_t *tribo_sim_pierced(const tribo_sim *sim, size_t object, size_t *count) {
  size_t unwanted;
  return simulation_pierced(sim->simulation, object, count ? count : &unwanted);
}

uint64_t tribo_sim_hash(const tribo_sim *sim) {
  return state_hash(simulation_state(sim->simulation));
}

const char *tribo_sim_linear_solver(const tribo_sim *sim, bool *deterministic) {
  return simulation_linear_solver(sim->simulation, deterministic);
}
