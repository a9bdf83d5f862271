/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_api: the functions of tribo/scene.h: checks of the caller's arguments, then the scene room.
 */
#include "io/image.h"
#include "kinds/kind.h"
#include "kinds/outline.h"
#include "scene/compile.h"
#include "scene/doubts.h"
#include "scene/fill.h"
#include "scene/params.h"
#include "scene/quality.h"
#include "scene/scene.h"
#include "scene/scene_file.h"

static tribo_status missing(const char *what, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s is NULL", what);
}

tribo_status tribo_scene_create(tribo_scene **out, tribo_error *err) {
  return out ? scene_create(out, err) : missing("out", err);
}

void tribo_scene_free(tribo_scene *scene) { scene_free(scene); }

tribo_status tribo_scene_read(const char *path, tribo_scene **out, tribo_error *err) {
  if (!out) return missing("out", err);
  *out = NULL;
  return path ? scene_file_read(path, out, err) : missing("path", err);
}

tribo_status tribo_scene_write(const tribo_scene *scene, const char *folder, tribo_error *err) {
  if (!scene) return missing("scene", err);
  return folder ? scene_file_write(scene, folder, err) : missing("folder", err);
}

tribo_status tribo_scene_add(tribo_scene *scene, const tribo_object_def *def, size_t *index,
                             tribo_error *err) {
  if (!scene) return missing("scene", err);
  return def ? scene_add(scene, def, index, err) : missing("def", err);
}

tribo_status tribo_scene_set_pair(tribo_scene *scene, const char *a, const char *b,
                                  const tribo_friction_params *friction, tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!a || !b) return missing("a or b", err);
  return friction ? scene_set_pair(scene, a, b, friction, err) : missing("friction", err);
}

tribo_friction_params *tribo_scene_friction(tribo_scene *scene) { return &scene->friction; }
tribo_combine_params *tribo_scene_combine(tribo_scene *scene) { return &scene->combine; }
tribo_world_params *tribo_scene_world(tribo_scene *scene) { return &scene->world; }
tribo_time_params *tribo_scene_time(tribo_scene *scene) { return &scene->time; }
tribo_solver_params *tribo_scene_solver(tribo_scene *scene) { return &scene->solver; }

tribo_status tribo_scene_set(tribo_scene *scene, const char *key, const char *value,
                             tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!key || !value) return missing("key or value", err);
  return scene_set(scene, key, value, err);
}

const tribo_kind_info *tribo_kind_at(size_t number) {
  const kind_row *k = kind_at(number);
  return k ? &k->about : NULL;
}

double tribo_object_mass(const tribo_object_def *def) {
  const kind_row *k = def ? kind_at((size_t)def->kind) : NULL;
  return k && k->mass ? k->mass(def) : 0;
}

static tribo_status no_object(const tribo_scene *scene, size_t index, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "there is no object %zu; the scene has %zu", index,
                     scene->objects.count);
}

tribo_status tribo_scene_outline(const tribo_scene *scene, size_t index, tribo_outline *out,
                                 tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out) return missing("out", err);
  if (index >= scene->objects.count) return no_object(scene, index, err);
  arena memory = {0};
  outline o;
  tribo_status status = outline_trace(&scene->objects.data[index], &memory, &o, err);
  if (status == TRIBO_OK)
    *out = (tribo_outline){.contact = o.contact,
                           .is_touched = o.is_touched,
                           .touches = o.touches,
                           .closed = o.closed,
                           .two_sided = o.two_sided,
                           .triangle_count = o.triangle_count,
                           .flat_count = o.flat,
                           .vertex_count = o.vertex_count,
                           .spacing = o.spacing};
  arena_free(&memory);
  return status;
}

tribo_status tribo_scene_meet(const tribo_scene *scene, size_t a, size_t b, bool *out,
                              tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out) return missing("out", err);
  if (a >= scene->objects.count) return no_object(scene, a, err);
  if (b >= scene->objects.count) return no_object(scene, b, err);
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  *out = doubts_meet(&plan.scene, a, b);
  quality_plan_free(&plan);
  return TRIBO_OK;
}

tribo_status tribo_scene_doubts(const tribo_scene *scene, tribo_doubt **out, size_t *count,
                                tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out || !count) return missing("out or count", err);
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  tribo_status status = doubts_find(&plan.scene, out, count, err);
  quality_plan_free(&plan);
  return status;
}

tribo_status tribo_scene_paint(const tribo_scene *scene, size_t index, tribo_paint *out,
                               tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out) return missing("out", err);
  if (index >= scene->objects.count) return no_object(scene, index, err);
  const tribo_object_def *def = &scene->objects.data[index];
  arena memory = {0};
  outline o;
  paint p;
  tribo_status status = outline_trace(def, &memory, &o, err);
  if (status == TRIBO_OK)
    status = paint_build(def, o.triangles, o.given, o.triangle_count, &memory, &p, err);
  if (status == TRIBO_OK) *out = p.report;
  arena_free(&memory);
  return status;
}

tribo_status tribo_map_read(const char *path, tribo_map_def *out, tribo_error *err) {
  if (!out) return missing("out", err);
  *out = (tribo_map_def){0};
  if (!path) return missing("path", err);
  image im;
  TRY(image_read(path, &im, err));
  *out = (tribo_map_def){im.pixels, im.width, im.height, im.channels};
  return TRIBO_OK;
}

void tribo_map_free(tribo_map_def *map) {
  if (!map) return;
  free((void *)map->pixels);
  *map = (tribo_map_def){0};
}

tribo_status tribo_scene_pair_friction(const tribo_scene *scene, size_t a, size_t b,
                                       tribo_friction_params *out, tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out) return missing("out", err);
  if (a >= scene->objects.count) return no_object(scene, a, err);
  if (b >= scene->objects.count) return no_object(scene, b, err);
  arena memory = {0};
  pairs table;
  tribo_status status = compile_pairs(scene, &memory, &table, err);
  if (status == TRIBO_OK) *out = law_params(pairs_law(&table, a, b));
  arena_free(&memory);
  return status;
}

tribo_status tribo_scene_mu(const tribo_scene *scene, size_t a, size_t b, double *mu,
                            tribo_error *err) {
  if (!mu) return missing("mu", err);
  tribo_friction_params friction;
  TRY(tribo_scene_pair_friction(scene, a, b, &friction, err));
  *mu = friction.mu;
  return TRIBO_OK;
}

uint64_t tribo_scene_hash(const tribo_scene *scene) {
  quality_plan plan;
  tribo_error unwanted; /* a scene that is refused has a hash all the same */
  if (quality_plan_make(scene, &plan, &unwanted) != TRIBO_OK) return scene_hash(scene);
  uint64_t hash = scene_hash(&plan.scene);
  quality_plan_free(&plan);
  return hash;
}

tribo_status tribo_scene_choice(const tribo_scene *scene, tribo_choice *out, double *thickness,
                                tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!out) return missing("out", err);
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  *out = plan.choice;
  for (size_t i = 0; thickness && i < plan.scene.objects.count; i++)
    thickness[i] = plan.scene.objects.data[i].surface.thickness;
  quality_plan_free(&plan);
  return TRIBO_OK;
}

tribo_status tribo_param_set(const char *group, const char *name, const char *value, void *params,
                             tribo_error *err) {
  if (!group || !name || !value) return missing("group, name or value", err);
  if (!params) return missing("params", err);
  const tribo_param_info *row;
  TRY(params_need(group, name, &row, err));
  return params_set_text(row, value, params, err);
}

size_t tribo_scene_object_count(const tribo_scene *scene) { return scene->objects.count; }

const tribo_object_def *tribo_scene_object(const tribo_scene *scene, size_t index) {
  return index < scene->objects.count ? &scene->objects.data[index] : NULL;
}

const char *tribo_scene_note(const tribo_scene *scene, size_t object) {
  for (size_t i = 0; i < scene->notes.count; i++)
    if (scene->notes.data[i].object == object) return scene->notes.data[i].text;
  return NULL;
}

tribo_status tribo_fill_tets(const tribo_object_def *surface, const tribo_fill_params *params,
                             tribo_tets *out, tribo_error *err) {
  if (!out) return missing("out", err);
  *out = (tribo_tets){0};
  if (!surface) return missing("surface", err);
  return params ? fill_tets(surface, params, out, err) : missing("params", err);
}

tribo_status tribo_scene_add_filled(tribo_scene *scene, const tribo_object_def *surface,
                                    const tribo_fill_params *fill, size_t *index,
                                    tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!surface) return missing("surface", err);
  return fill ? fill_add(scene, surface, fill, index, err) : missing("fill", err);
}

void tribo_tets_free(tribo_tets *tets) {
  if (tets) fill_free(tets);
}
