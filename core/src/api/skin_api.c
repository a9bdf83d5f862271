/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * skin_api: tribo_scene_skin: one object's model alone, and its skin.
 */
#include <stdlib.h>
#include <string.h>

#include "kinds/build.h"
#include "scene/scene.h"
#include "surface/skin.h"

/* Copies on the heap: what the caller keeps. */
static tribo_status hand_over(const skin *from, tribo_skin *out, tribo_error *err) {
  *out = (tribo_skin){.positions = malloc((3 * from->vertex_count + 1) * sizeof *out->positions),
                      .thin = malloc(from->vertex_count + 1),
                      .vertex_count = from->vertex_count,
                      .triangles = malloc((3 * from->triangle_count + 1) * sizeof *out->triangles),
                      .triangle_count = from->triangle_count};
  if (!out->positions || !out->thin || !out->triangles) {
    tribo_skin_free(out);
    return status_no_memory(err, "a skin");
  }
  memcpy(out->positions, from->vertices, from->vertex_count * sizeof *from->vertices);
  memcpy(out->thin, from->state, from->vertex_count);
  memcpy(out->triangles, from->triangles, 3 * from->triangle_count * sizeof *from->triangles);
  return TRIBO_OK;
}

tribo_status tribo_scene_skin(const tribo_scene *scene, size_t index, double spacing,
                              tribo_skin *out, tribo_error *err) {
  if (!out) return status_fail(err, TRIBO_BAD_INPUT, "out is NULL");
  *out = (tribo_skin){0};
  if (!scene) return status_fail(err, TRIBO_BAD_INPUT, "scene is NULL");
  if (index >= scene->objects.count)
    return status_fail(err, TRIBO_BAD_INPUT, "there is no object %zu; the scene has %zu", index,
                       scene->objects.count);
  const tribo_object_def *def = &scene->objects.data[index];
  if (!(spacing >= 0))
    return status_fail(err, TRIBO_BAD_INPUT, "object '%s': a skin's spacing is %g; give 0 or more",
                       def->name, spacing);
  model alone;
  TRY(model_build(def, 1, &scene->world, &scene->time, &alone, err));
  arena memory = {0};
  skin made;
  tasks t = tasks_create(0);
  tribo_status status =
      alone.surface_count
          ? skin_make(&alone, &alone.surfaces[0], spacing, &t, &memory, &made, err)
          : status_fail(err, TRIBO_BAD_INPUT,
                        "object '%s' has no surface that others touch; see surface.contact and "
                        "surface.role",
                        def->name);
  if (status == TRIBO_OK) status = hand_over(&made, out, err);
  arena_free(&memory);
  model_free(&alone);
  return status;
}

void tribo_skin_free(tribo_skin *s) {
  if (!s) return;
  free(s->positions);
  free(s->thin);
  free(s->triangles);
  *s = (tribo_skin){0};
}
