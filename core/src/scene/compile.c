/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/compile.h"

tribo_status compile_simulation(const tribo_scene *scene, int threads, const log_sink *log,
                                simulation **out, tribo_error *err) {
  *out = NULL;
  TRY(scene_check(scene, err));
  if (scene->objects.count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the scene has no objects; there is nothing to simulate");
  model m;
  TRY(model_build(scene->objects.data, scene->objects.count, &scene->world, &scene->time, &m, err));
  simulation_options options = {.solver = scene->solver,
                                .step_seconds = scene_step_seconds(scene),
                                .threads = threads,
                                .log = log ? *log : (log_sink){0}};
  return simulation_create(&m, &options, out, err);
}
