/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/compile.h"

static tribo_status check_something_moves(const tribo_scene *scene, tribo_error *err) {
  size_t count = scene->objects.count;
  if (count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the scene has no objects; there is nothing to simulate");
  for (size_t i = 0; i < count; i++)
    if (scene->objects.data[i].kind != TRIBO_COLLIDER) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the scene has colliders only; add a cloth, a solid or a rigid body");
}

tribo_status compile_pairs(const tribo_scene *scene, arena *memory, pairs *out, tribo_error *err) {
  return pairs_build(scene->objects.data, scene->objects.count, &scene->combine, &scene->friction,
                     scene->pairs.data, scene->pairs.count, memory, out, err);
}

tribo_status compile_scene(const tribo_scene *scene, compiled *out, tribo_error *err) {
  *out = (compiled){0};
  TRY(scene_check(scene, err));
  TRY(check_something_moves(scene, err));
  TRY(model_build(scene->objects.data, scene->objects.count, &scene->world, &scene->time, &out->m,
                  err));
  tribo_status status = compile_pairs(scene, &out->m.memory, &out->friction, err);
  if (status != TRIBO_OK) model_free(&out->m);
  return status;
}

tribo_status compile_simulation(const tribo_scene *scene, int threads, const log_sink *log,
                                simulation **out, tribo_error *err) {
  *out = NULL;
  compiled c;
  TRY(compile_scene(scene, &c, err));
  simulation_options options = {.solver = scene->solver,
                                .contact = scene->world.method != TRIBO_METHOD_ELASTIC,
                                .friction = c.friction,
                                .step_seconds = scene_step_seconds(scene),
                                .threads = threads,
                                .log = log ? *log : (log_sink){0}};
  return simulation_create(&c.m, &options, out, err);
}
