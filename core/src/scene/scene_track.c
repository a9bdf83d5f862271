/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_track.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "scene/json.h"
#include "scene/shortest.h"

tribo_status scene_track_make(size_t samples, size_t numbers, const char *what, double **out,
                              tribo_error *err) {
  bool fits = samples <= SIZE_MAX / sizeof(double) / numbers;
  *out = fits ? malloc(samples * numbers * sizeof(double)) : NULL;
  return *out ? TRIBO_OK : status_no_memory(err, what);
}

tribo_status scene_track_open(const cJSON *animation, const char *folder, pc2 *out,
                              tribo_error *err) {
  if (!cJSON_IsString(animation))
    return status_fail(err, TRIBO_BAD_INPUT, "animation must be a path in quotes, not %s",
                       json_kind(animation));
  const char *name = animation->valuestring;
  if (!text_ends_in(name, ".pc2"))
    return status_fail(err, TRIBO_BAD_INPUT, "animation '%.200s' must be a .pc2 file", name);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = pc2_open(path, out, err);
  free(path);
  TRY(status);
  if (out->samples >= 1) return TRIBO_OK;
  pc2_close(out);
  return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' has no samples", name);
}

/* One sample: an array of points. where: "targets[3]". */
static tribo_status read_sample(const cJSON *sample, const char *key, size_t s, size_t vertices,
                                const char *whom, double *out, tribo_error *err) {
  if (!cJSON_IsArray(sample))
    return status_fail(err, TRIBO_BAD_INPUT, "%s[%zu] must be an array of points, not %s", key, s,
                       json_kind(sample));
  size_t count = json_length(sample), i = 0;
  if (count != vertices)
    return status_fail(err, TRIBO_BAD_INPUT, "%s[%zu] has %zu points; give %zu, one for each %s",
                       key, s, count, vertices, whom);
  for (const cJSON *point = sample->child; point; point = point->next, i++)
    if (!json_numbers(point, 3, out + 3 * i))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "%s[%zu][%zu] must be three numbers [x, y, z], not %s", key, s, i,
                         json_kind(point));
  return TRIBO_OK;
}

tribo_status scene_track_read(const cJSON *array, size_t vertices, const char *whom, double **out,
                              size_t *samples, tribo_error *err) {
  const char *key = array->string;
  *out = NULL;
  if (!cJSON_IsArray(array) || !array->child)
    return status_fail(err, TRIBO_BAD_INPUT, "%s must be an array of samples, not %s", key,
                       json_kind(array));
  *samples = json_length(array);
  TRY(scene_track_make(*samples, 3 * vertices, key, out, err));
  tribo_status status = TRIBO_OK;
  size_t s = 0;
  for (const cJSON *sample = array->child; sample && status == TRIBO_OK; sample = sample->next, s++)
    status = read_sample(sample, key, s, vertices, whom, *out + 3 * s * vertices, err);
  if (status == TRIBO_OK) return TRIBO_OK;
  free(*out);
  *out = NULL;
  return status;
}

tribo_status scene_track_frames(const cJSON *object, const char *key, double *out,
                                tribo_error *err) {
  const cJSON *value = json_member(object, key);
  if (!value) return TRIBO_OK;
  if (!cJSON_IsNumber(value))
    return status_fail(err, TRIBO_BAD_INPUT, "%s must be a number of frames, not %s", key,
                       json_kind(value));
  *out = value->valuedouble;
  return TRIBO_OK;
}

static bool is_float(double value) {
  return fabs(value) <= (double)3.402823466e38F && (double)(float)value == value;
}

bool scene_track_fits_pc2(const scene_track *track) {
  if (track->samples > INT32_MAX || !is_float(track->start) || !is_float(track->interval))
    return false;
  for (size_t i = 0; i < 3 * track->samples * track->vertices; i++)
    if (!is_float(track->points[i])) return false;
  return true;
}

tribo_status scene_track_write_pc2(const scene_track *track, const char *path, tribo_error *err) {
  pc2 f;
  TRY(pc2_create(path, (int32_t)track->vertices, (float)track->start, (float)track->interval, &f,
                 err));
  tribo_status status = TRIBO_OK;
  for (size_t s = 0; s < track->samples && status == TRIBO_OK; s++)
    status = pc2_append(&f, track->points + 3 * s * track->vertices, err);
  pc2_close(&f);
  return status;
}

void scene_track_print(const scene_track *track, const char *indent, FILE *out) {
  char a[SHORTEST_SIZE], b[SHORTEST_SIZE], c[SHORTEST_SIZE];
  for (size_t i = 0; i < track->samples * track->vertices; i++) {
    const double *p = track->points + 3 * i;
    bool opens = i % track->vertices == 0, closes = (i + 1) % track->vertices == 0;
    fprintf(out, "%s%s%s[%s, %s, %s]%s", i ? "," : "", opens ? indent : " ", opens ? "[" : "",
            shortest_text(p[0], a), shortest_text(p[1], b), shortest_text(p[2], c),
            closes ? "]" : "");
  }
}
