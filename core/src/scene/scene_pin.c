/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_pin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/json.h"
#include "scene/params.h"
#include "scene/scene_keys.h"
#include "scene/scene_track.h"
#include "scene/shortest.h"

/* ---- reading --------------------------------------------------------------------------------- */

static tribo_status read_vertices(const cJSON *value, size_t vertex_count, tribo_pin_def *out,
                                  tribo_error *err) {
  if (!cJSON_IsArray(value))
    return status_fail(err, TRIBO_BAD_INPUT, "vertices must be an array of vertex numbers, not %s",
                       json_kind(value));
  size_t count = json_length(value), i = 0;
  if (count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "vertices is empty; give some or remove the pin");
  int32_t *vertices = malloc(count * sizeof *vertices);
  if (!vertices) return status_no_memory(err, "pinned vertices");
  out->vertices = vertices;
  for (const cJSON *item = value->child; item; item = item->next, i++) {
    char text[SHORTEST_SIZE];
    if (!cJSON_IsNumber(item))
      return status_fail(err, TRIBO_BAD_INPUT, "vertices[%zu] must be a vertex number, not %s", i,
                         json_kind(item));
    double number = item->valuedouble;
    if (!(number >= 0 && number < (double)vertex_count) || number != floor(number))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "vertices[%zu] is %s; give a whole number from 0 to %zu, the object has "
                         "%zu vertices",
                         i, shortest_text(number, text), vertex_count - 1, vertex_count);
    vertices[i] = (int32_t)number;
  }
  out->vertex_count = count;
  return TRIBO_OK;
}

static tribo_status read_samples(pc2 *f, size_t vertex_count, tribo_pin_def *out,
                                 tribo_error *err) {
  double *targets;
  size_t pinned = out->vertex_count;
  TRY(scene_track_make((size_t)f->samples, 3 * pinned, "pin targets", &targets, err));
  out->targets = targets;
  out->target_count = (size_t)f->samples;
  bool whole_object = (size_t)f->vertices != pinned;
  double *sample = whole_object ? malloc(vertex_count * 3 * sizeof *sample) : NULL;
  if (whole_object && !sample) return status_no_memory(err, "pin targets");
  tribo_status status = TRIBO_OK;
  for (int32_t s = 0; s < f->samples && status == TRIBO_OK; s++) {
    double *to = targets + 3 * pinned * (size_t)s;
    status = pc2_read_sample(f, s, whole_object ? sample : to, err);
    for (size_t i = 0; whole_object && status == TRIBO_OK && i < pinned; i++)
      /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): pinned are set */
      memcpy(to + 3 * i, sample + 3 * (size_t)out->vertices[i], 3 * sizeof *to);
  }
  free(sample);
  return status;
}

static tribo_status read_animation(const cJSON *value, const char *folder, size_t vertex_count,
                                   tribo_pin_def *out, tribo_error *err) {
  pc2 f;
  TRY(scene_track_open(value, folder, &f, err));
  tribo_status status;
  if ((size_t)f.vertices != out->vertex_count && (size_t)f.vertices != vertex_count)
    status = status_fail(err, TRIBO_BAD_INPUT,
                         "'%.200s' has %d vertices; expected %zu (the pinned ones) or %zu (the "
                         "object's)",
                         value->valuestring, f.vertices, out->vertex_count, vertex_count);
  else
    status = read_samples(&f, vertex_count, out, err);
  out->target_start = (double)f.start;
  out->target_interval = (double)f.sampling;
  pc2_close(&f);
  return status;
}

static tribo_status read_targets(const cJSON *value, tribo_pin_def *out, tribo_error *err) {
  double *targets;
  TRY(scene_track_read(value, out->vertex_count, "of vertices", &targets, &out->target_count, err));
  out->targets = targets;
  out->target_start = out->target_interval = 1;
  return TRIBO_OK;
}

static tribo_status read_motion(const cJSON *object, const char *folder, size_t vertex_count,
                                tribo_pin_def *out, tribo_error *err) {
  const cJSON *animation = json_member(object, "animation"),
              *targets = json_member(object, "targets");
  if (animation && targets)
    return status_fail(err, TRIBO_BAD_INPUT, "it has both animation and targets; keep one");
  if (!targets && (json_member(object, "target_start") || json_member(object, "target_interval")))
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "target_start and target_interval go with targets; an animation has its own");
  if (animation) return read_animation(animation, folder, vertex_count, out, err);
  if (!targets) return TRIBO_OK;
  TRY(read_targets(targets, out, err));
  TRY(scene_track_frames(object, "target_start", &out->target_start, err));
  return scene_track_frames(object, "target_interval", &out->target_interval, err);
}

static tribo_status read_pin(const cJSON *object, const char *folder, size_t vertex_count,
                             tribo_pin_def *out, tribo_error *err) {
  if (!cJSON_IsObject(object))
    return status_fail(err, TRIBO_BAD_INPUT, "it must be an object {}, not %s", json_kind(object));
  TRY(scene_keys_check(object, "objects[].pin", "pin", err));
  size_t count;
  const tribo_param_info *row = params_group("pin", &count);
  for (size_t i = 0; i < count; i++) {
    const cJSON *value = json_member(object, row[i].name);
    if (value) TRY(params_set_json(&row[i], value, &out->params, err));
  }
  TRY(read_vertices(json_member(object, "vertices"), vertex_count, out, err));
  return read_motion(object, folder, vertex_count, out, err);
}

tribo_status scene_pin_read(const cJSON *value, const char *folder, const mesh *shape,
                            tribo_pin_def *out, tribo_error *err) {
  *out = (tribo_pin_def){.params = tribo_pin_defaults()};
  tribo_status status = read_pin(value, folder, shape->vertex_count, out, err);
  if (status != TRIBO_OK) scene_pin_free(out);
  return status;
}

void scene_pin_free(tribo_pin_def *pin) {
  free((void *)pin->vertices);
  free((void *)pin->targets);
  *pin = (tribo_pin_def){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static scene_track track_of(const tribo_pin_def *pin) {
  return (scene_track){pin->targets, pin->target_count, pin->vertex_count, pin->target_start,
                       pin->target_interval};
}

bool scene_pin_fits_pc2(const tribo_pin_def *pin) {
  scene_track track = track_of(pin);
  return scene_track_fits_pc2(&track);
}

tribo_status scene_pin_write_pc2(const tribo_pin_def *pin, const char *path, tribo_error *err) {
  scene_track track = track_of(pin);
  return scene_track_write_pc2(&track, path, err);
}

void scene_pin_print_targets(const tribo_pin_def *pin, FILE *out) {
  scene_track track = track_of(pin);
  char a[SHORTEST_SIZE], b[SHORTEST_SIZE];
  fprintf(out, ",\n          \"target_start\": %s, \"target_interval\": %s",
          shortest_text(pin->target_start, a), shortest_text(pin->target_interval, b));
  fputs(",\n          \"targets\": [", out);
  scene_track_print(&track, "\n            ", out);
  fputs("]", out);
}
