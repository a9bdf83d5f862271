/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile: from a scene to a simulation that is ready to step.
 */
#ifndef SCENE_COMPILE_H
#define SCENE_COMPILE_H

#include "friction/pairs.h"
#include "scene/scene.h"
#include "step/simulation.h"

/* What a simulation is made of. The pairs lie in the model's memory and live as long as it. */
typedef struct compiled {
  model m;
  pairs friction;
} compiled;

/* Checks the settings and the names of pairs, and builds. Give out->m to model_free, or to a
 * simulation. */
tribo_status compile_scene(const tribo_scene *scene, compiled *out, tribo_error *err);

/* The table of pairs alone, in `memory`. */
tribo_status compile_pairs(const tribo_scene *scene, arena *memory, pairs *out, tribo_error *err);

tribo_status compile_for(const tribo_scene *scene, const tribo_sim_options *options,
                         simulation **out, tribo_error *err);

/* The same, to be stopped by nobody. */
tribo_status compile_simulation(const tribo_scene *scene, int threads, const log_sink *log,
                                simulation **out, tribo_error *err);

#endif
