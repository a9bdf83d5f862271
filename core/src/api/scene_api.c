/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_api: the functions of tribo/scene.h: checks of the caller's arguments, then the scene room.
 */
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

tribo_world_params *tribo_scene_world(tribo_scene *scene) { return &scene->world; }
tribo_time_params *tribo_scene_time(tribo_scene *scene) { return &scene->time; }
tribo_solver_params *tribo_scene_solver(tribo_scene *scene) { return &scene->solver; }

tribo_status tribo_scene_set(tribo_scene *scene, const char *key, const char *value,
                             tribo_error *err) {
  if (!scene) return missing("scene", err);
  if (!key || !value) return missing("key or value", err);
  return scene_set(scene, key, value, err);
}

size_t tribo_scene_object_count(const tribo_scene *scene) { return scene->objects.count; }

const tribo_object_def *tribo_scene_object(const tribo_scene *scene, size_t index) {
  return index < scene->objects.count ? &scene->objects.data[index] : NULL;
}
