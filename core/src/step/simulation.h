/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simulation: a model and its state, with all the memory that a step needs, laid out beforehand.
 */
#ifndef STEP_SIMULATION_H
#define STEP_SIMULATION_H

#include "base/log.h"
#include "friction/pairs.h"
#include "method/state.h"
#include "model/model.h"
#include "step/judge.h"
#include "tribo/sim.h"

typedef struct simulation simulation;

typedef struct simulation_options {
  tribo_solver_params solver;
  int method;          /* TRIBO_METHOD_... */
  pairs friction;      /* its arrays in the model's memory */
  double step_seconds; /* of one substep */
  int substeps;        /* of a frame; 0: 1 */
  int first_frame;     /* its number, for messages */
  int frames;          /* from the first to the last; 0: not known */
  int threads;         /* 0: all */
  const int *stop;     /* as in tribo_sim_options */
  log_sink log;
  bool inside_out; /* some surface is: whatever is outside of it would seem to start inside */
} simulation_options;

/* Takes over the model, also when it fails. */
tribo_status simulation_create(model *m, const simulation_options *options, simulation **out,
                               tribo_error *err);

/* `count` substeps, reports gathered in one, which is filled in either case; on failure the state
 * is as before the first of them. */
tribo_status simulation_steps(simulation *s, int count, tribo_report *report, tribo_error *err);

/* One more sample of a motion that is given, and whether a collider is there (model/extend.h). */
tribo_status simulation_extend_collider(simulation *s, size_t object, const double *sample,
                                        tribo_error *err);
tribo_status simulation_extend_presence(simulation *s, size_t object, double seconds, bool present,
                                        tribo_error *err);
tribo_status simulation_extend_pin(simulation *s, size_t object, size_t pin, const double *sample,
                                   tribo_error *err);

const model *simulation_model(const simulation *s);
const state *simulation_state(const simulation *s);

/* Where the vertices of all bodies are, and how fast they move, in the world: what the state comes
 * to (model/kinematics.h). Body b has its own from first_vertex on. */
const vec3 *simulation_positions(const simulation *s);
const vec3 *simulation_velocities(const simulation *s);

/* The friction problem that the last step ended with, to <folder>/contacts_<number>.hdf5; nothing
 * where nothing touches. */
tribo_status simulation_export_problem(simulation *s, const char *folder, int number,
                                       tribo_error *err);

/* The contacts of the last step. None after simulation_restore, until the next one. */
const tribo_contact *simulation_contacts(const simulation *s, size_t *count);

/* What crosses, as counted last, and what else made the last frame rough. */
const tribo_crossing *simulation_crossings(const simulation *s, size_t *count);
const int32_t *simulation_pierced(const simulation *s, size_t object, size_t *count);
judge_deep simulation_deepest(const simulation *s);
judge_gain simulation_gained(const simulation *s);

/* Puts a saved state in place: same numbers of nodes and rigid bodies. On failure (no memory) the
 * state is untouched. */
tribo_status simulation_restore(simulation *s, const state *saved, tribo_error *err);

const char *simulation_linear_solver(const simulation *s, bool *deterministic);

void simulation_free(simulation *s);

#endif
