/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/scenes_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"

/* ---- the tables -------------------------------------------------------------------------------
 */

#define SCENE_VALUE(name, value, about) .name = value,
#define SCENE_ROW(name, value, about)   {#name, about, value},
#define SCENE_DEFINE(recipe, table, about)                                                         \
  scene_##recipe##_params scene_##recipe##_defaults(void) {                                        \
    return (scene_##recipe##_params){table(SCENE_VALUE)};                                          \
  }                                                                                                \
  static const scene_option recipe##_options[] = {table(SCENE_ROW)};                               \
  static tribo_status make_##recipe(const double *values, tribo_scene **out, tribo_error *err) {   \
    scene_##recipe##_params p;                                                                     \
    _Static_assert(sizeof p == sizeof recipe##_options / sizeof(scene_option) * sizeof(double),    \
                   "parameters are numbers");                                                      \
    memcpy(&p, values, sizeof p);                                                                  \
    return scene_##recipe(&p, out, err);                                                           \
  }
SCENE_CONTACT_RECIPES(SCENE_DEFINE)

#define SCENE_RECIPE(recipe, table, about)                                                         \
  {#recipe, about, recipe##_options, sizeof recipe##_options / sizeof(scene_option), make_##recipe},
static const contact_recipe RECIPES[] = {SCENE_CONTACT_RECIPES(SCENE_RECIPE)};

const contact_recipe *contact_recipes(size_t *count) {
  *count = sizeof RECIPES / sizeof *RECIPES;
  return RECIPES;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

tribo_status scenes_finish(tribo_scene *scene, tribo_status status, tribo_scene **out) {
  if (status != TRIBO_OK) tribo_scene_free(scene);
  *out = status == TRIBO_OK ? scene : NULL;
  return status;
}

tribo_status scenes_start(double dt, double seconds, tribo_scene **out, tribo_error *err) {
  return scenes_start_film(dt, seconds, 0.01, out, err);
}

tribo_status scenes_start_film(double dt, double seconds, double frame, tribo_scene **out,
                               tribo_error *err) {
  TRY(tribo_scene_create(out, err));
  tribo_time_params *time = tribo_scene_time(*out);
  time->substeps = (int)fmax(1, floor(frame / dt + 0.5));
  time->fps = 1 / (dt * time->substeps);
  time->end = time->start + (int)floor(seconds * time->fps + 0.5);
  return TRIBO_OK;
}

tribo_status scenes_start_pile(double dt, double seconds, double frame, tribo_scene **out,
                               tribo_error *err) {
  TRY(scenes_start_film(dt, seconds, frame, out, err));
  tribo_scene_solver(*out)->iterations = 400;
  return TRIBO_OK;
}

double scenes_frame(const tribo_scene *scene, double seconds) {
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  return time->start + seconds * time->fps;
}

tribo_status scenes_add_ramp(tribo_scene *scene, const char *name, double angle, double low,
                             double high, double half, tribo_error *err) {
  mesh ramp = shape_new(4, 2, 0);
  if (ramp.positions) {
    const double corners[12] = {low, -half, 0, high, -half, 0, high, half, 0, low, half, 0};
    const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    memcpy(ramp.positions, corners, sizeof corners);
    memcpy(ramp.triangles, triangles, sizeof triangles);
    shape_turn(&ramp, 1, angle);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = name;
  def.surface.contact = TRIBO_CONTACT_PLANE;
  return scenes_add(scene, def, &ramp, NULL, err);
}

tribo_status scenes_set_mu(tribo_scene *scene, const char *a, const char *b, double mu,
                           tribo_error *err) {
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = mu;
  return tribo_scene_set_pair(scene, a, b, &friction, err);
}

tribo_status scenes_set_combed(tribo_scene *scene, const char *a, const char *b, double mu,
                               double mu_along, double mu_across, tribo_error *err) {
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = mu;
  friction.mu_along = mu_along;
  friction.mu_across = mu_across;
  return tribo_scene_set_pair(scene, a, b, &friction, err);
}

tribo_status scenes_add_combed(tribo_scene *scene, tribo_object_def def, mesh *m,
                               const double direction[3], tribo_error *err) {
  double *structure = malloc((3 * m->vertex_count + 1) * sizeof *structure);
  for (size_t i = 0; structure && i < 3 * m->vertex_count; i++) structure[i] = direction[i % 3];
  if (!structure) mesh_free(m); /* scenes_add then says what is missing */
  def.vertex_structure = structure;
  tribo_status status = scenes_add(scene, def, m, NULL, err);
  free(structure);
  return status;
}

int32_t *scenes_between(const mesh *m, int axis, double low, double high, size_t *count) {
  int32_t *found = malloc((m->vertex_count + 1) * sizeof *found);
  *count = 0;
  for (size_t v = 0; found && v < m->vertex_count; v++) {
    double c = m->positions[3 * v + (size_t)axis];
    if (c >= low && c <= high) found[(*count)++] = (int32_t)v;
  }
  return found;
}

/* The path of these vertices (all of them, when NULL), sample by sample; the caller frees. */
static double *walk(const tribo_scene *scene, const mesh *m, const int32_t *vertices, size_t count,
                    scenes_path path, const void *context, double interval, size_t *samples) {
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  *samples = (size_t)ceil((time->end - time->start) / interval) + 1;
  double *all = malloc((3 * *samples * count + 1) * sizeof *all), *x = all;
  for (size_t s = 0; all && s < *samples; s++)
    for (size_t i = 0; i < count; i++, x += 3)
      path(context, (double)s * interval / time->fps,
           m->positions + 3 * (vertices ? (size_t)vertices[i] : i), x);
  return all;
}

tribo_status scenes_add_pinned(tribo_scene *scene, tribo_object_def def, mesh *m, int32_t *vertices,
                               size_t count, scenes_path path, const void *context, double interval,
                               tribo_error *err) {
  tribo_pin_def pin = {.vertices = vertices, .vertex_count = count, .params = tribo_pin_defaults()};
  double *targets = NULL;
  if (path && vertices && m->positions) {
    targets = walk(scene, m, vertices, count, path, context, interval, &pin.target_count);
    pin.targets = targets;
    pin.target_start = tribo_scene_time(scene)->start;
    pin.target_interval = interval;
  }
  def.pins = &pin;
  def.pin_count = 1;
  if (!vertices || (path && !targets)) mesh_free(m); /* scenes_add then says what is missing */
  tribo_status status = scenes_add(scene, def, m, NULL, err);
  free(vertices);
  free(targets);
  return status;
}

tribo_status scenes_add_led(tribo_scene *scene, tribo_object_def def, mesh *m, scenes_path path,
                            const void *context, double interval, tribo_error *err) {
  double *points = NULL;
  if (m->positions)
    points =
        walk(scene, m, NULL, m->vertex_count, path, context, interval, &def.motion.sample_count);
  def.motion.points = points;
  def.motion.start = tribo_scene_time(scene)->start;
  def.motion.interval = interval;
  if (!points) mesh_free(m);
  tribo_status status = scenes_add(scene, def, m, NULL, err);
  free(points);
  return status;
}
