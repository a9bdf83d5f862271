/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_pin.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "io/pc2.h"
#include "scene/json.h"
#include "scene/params.h"
#include "scene/scene_keys.h"
#include "scene/shortest.h"

static const cJSON *member(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static size_t array_length(const cJSON *array) {
  size_t count = 0;
  for (const cJSON *item = array->child; item; item = item->next) count++;
  return count;
}

/* ---- reading --------------------------------------------------------------------------------- */

static tribo_status read_vertices(const cJSON *value, size_t vertex_count, tribo_pin_def *out,
                                  tribo_error *err) {
  if (!cJSON_IsArray(value))
    return status_fail(err, TRIBO_BAD_INPUT, "vertices must be an array of vertex numbers, not %s",
                       json_kind(value));
  size_t count = array_length(value), i = 0;
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

/* Room for samples x vertices x 3 in out->targets. */
static tribo_status make_targets(size_t samples, tribo_pin_def *out, double **targets,
                                 tribo_error *err) {
  bool fits = samples <= SIZE_MAX / (3 * sizeof(double)) / out->vertex_count;
  *targets = fits ? malloc(samples * out->vertex_count * 3 * sizeof(double)) : NULL;
  if (!*targets) return status_no_memory(err, "pin targets");
  out->targets = *targets;
  out->target_count = samples;
  return TRIBO_OK;
}

static tribo_status read_samples(pc2 *f, size_t vertex_count, tribo_pin_def *out,
                                 tribo_error *err) {
  double *targets;
  TRY(make_targets((size_t)f->samples, out, &targets, err));
  size_t pinned = out->vertex_count;
  bool whole_object = (size_t)f->vertices != pinned;
  double *sample = whole_object ? malloc(vertex_count * 3 * sizeof *sample) : NULL;
  if (whole_object && !sample) return status_no_memory(err, "pin targets");
  tribo_status status = TRIBO_OK;
  for (int32_t s = 0; s < f->samples && status == TRIBO_OK; s++) {
    double *to = targets + 3 * pinned * (size_t)s;
    status = pc2_read_sample(f, s, whole_object ? sample : to, err);
    for (size_t i = 0; whole_object && status == TRIBO_OK && i < pinned; i++)
      memcpy(to + 3 * i, sample + 3 * (size_t)out->vertices[i], 3 * sizeof *to);
  }
  free(sample);
  return status;
}

static tribo_status read_animation(const cJSON *value, const char *folder, size_t vertex_count,
                                   tribo_pin_def *out, tribo_error *err) {
  if (!cJSON_IsString(value))
    return status_fail(err, TRIBO_BAD_INPUT, "animation must be a path in quotes, not %s",
                       json_kind(value));
  const char *name = value->valuestring;
  if (!text_ends_in(name, ".pc2"))
    return status_fail(err, TRIBO_BAD_INPUT, "animation '%.200s' must be a .pc2 file", name);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  pc2 f;
  tribo_status status = pc2_open(path, &f, err);
  free(path);
  TRY(status);
  if ((size_t)f.vertices != out->vertex_count && (size_t)f.vertices != vertex_count)
    status = status_fail(err, TRIBO_BAD_INPUT,
                         "'%.200s' has %d vertices; expected %zu (the pinned ones) or %zu (the "
                         "object's)",
                         name, f.vertices, out->vertex_count, vertex_count);
  else if (f.samples < 1)
    status = status_fail(err, TRIBO_BAD_INPUT, "'%.200s' has no samples", name);
  else
    status = read_samples(&f, vertex_count, out, err);
  out->target_start = (double)f.start;
  out->target_interval = (double)f.sampling;
  pc2_close(&f);
  return status;
}

static tribo_status read_number(const cJSON *object, const char *key, double *out,
                                tribo_error *err) {
  const cJSON *value = member(object, key);
  if (!value) return TRIBO_OK;
  if (!cJSON_IsNumber(value))
    return status_fail(err, TRIBO_BAD_INPUT, "%s must be a number of frames, not %s", key,
                       json_kind(value));
  *out = value->valuedouble;
  return TRIBO_OK;
}

static tribo_status read_targets(const cJSON *value, tribo_pin_def *out, tribo_error *err) {
  if (!cJSON_IsArray(value) || !value->child)
    return status_fail(err, TRIBO_BAD_INPUT, "targets must be an array of samples, not %s",
                       json_kind(value));
  double *targets;
  TRY(make_targets(array_length(value), out, &targets, err));
  size_t s = 0;
  for (const cJSON *sample = value->child; sample; sample = sample->next, s++) {
    if (!cJSON_IsArray(sample))
      return status_fail(err, TRIBO_BAD_INPUT, "targets[%zu] must be an array of points, not %s", s,
                         json_kind(sample));
    size_t points = array_length(sample), i = 0;
    if (points != out->vertex_count)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "targets[%zu] has %zu points; give %zu, one for each of vertices", s,
                         points, out->vertex_count);
    for (const cJSON *point = sample->child; point; point = point->next, i++)
      if (!json_numbers(point, 3, targets + 3 * (s * out->vertex_count + i)))
        return status_fail(err, TRIBO_BAD_INPUT,
                           "targets[%zu][%zu] must be three numbers [x, y, z], not %s", s, i,
                           json_kind(point));
  }
  out->target_start = out->target_interval = 1;
  return TRIBO_OK;
}

static tribo_status read_motion(const cJSON *object, const char *folder, size_t vertex_count,
                                tribo_pin_def *out, tribo_error *err) {
  const cJSON *animation = member(object, "animation"), *targets = member(object, "targets");
  if (animation && targets)
    return status_fail(err, TRIBO_BAD_INPUT, "it has both animation and targets; keep one");
  if (!targets && (member(object, "target_start") || member(object, "target_interval")))
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "target_start and target_interval go with targets; an animation has its own");
  if (animation) return read_animation(animation, folder, vertex_count, out, err);
  if (!targets) return TRIBO_OK;
  TRY(read_targets(targets, out, err));
  TRY(read_number(object, "target_start", &out->target_start, err));
  return read_number(object, "target_interval", &out->target_interval, err);
}

static tribo_status read_pin(const cJSON *object, const char *folder, size_t vertex_count,
                             tribo_pin_def *out, tribo_error *err) {
  if (!cJSON_IsObject(object))
    return status_fail(err, TRIBO_BAD_INPUT, "it must be an object {}, not %s", json_kind(object));
  TRY(scene_keys_check(object, "objects[].pin", "pin", err));
  size_t count;
  const tribo_param_info *row = params_group("pin", &count);
  for (size_t i = 0; i < count; i++) {
    const cJSON *value = member(object, row[i].name);
    if (value) TRY(params_set_json(&row[i], value, &out->params, err));
  }
  TRY(read_vertices(member(object, "vertices"), vertex_count, out, err));
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

static bool is_float(double value) {
  return fabs(value) <= (double)3.402823466e38F && (double)(float)value == value;
}

bool scene_pin_fits_pc2(const tribo_pin_def *pin) {
  if (!is_float(pin->target_start) || !is_float(pin->target_interval)) return false;
  if (pin->target_count > INT32_MAX) return false;
  for (size_t i = 0; i < 3 * pin->target_count * pin->vertex_count; i++)
    if (!is_float(pin->targets[i])) return false;
  return true;
}

tribo_status scene_pin_write_pc2(const tribo_pin_def *pin, const char *path, tribo_error *err) {
  pc2 f;
  TRY(pc2_create(path, (int32_t)pin->vertex_count, (float)pin->target_start,
                 (float)pin->target_interval, &f, err));
  tribo_status status = TRIBO_OK;
  for (size_t s = 0; s < pin->target_count && status == TRIBO_OK; s++)
    status = pc2_append(&f, pin->targets + 3 * s * pin->vertex_count, err);
  pc2_close(&f);
  return status;
}

void scene_pin_print_targets(const tribo_pin_def *pin, FILE *out) {
  char a[SHORTEST_SIZE], b[SHORTEST_SIZE], c[SHORTEST_SIZE];
  fprintf(out, ",\n          \"target_start\": %s, \"target_interval\": %s",
          shortest_text(pin->target_start, a), shortest_text(pin->target_interval, b));
  fputs(",\n          \"targets\": [", out);
  for (size_t i = 0; i < pin->target_count * pin->vertex_count; i++) {
    const double *p = pin->targets + 3 * i;
    bool opens = i % pin->vertex_count == 0, closes = (i + 1) % pin->vertex_count == 0;
    fprintf(out, "%s%s[%s, %s, %s]%s", i ? "," : "", opens ? "\n            [" : " ",
            shortest_text(p[0], a), shortest_text(p[1], b), shortest_text(p[2], c),
            closes ? "]" : "");
  }
  fputs("]", out);
}
