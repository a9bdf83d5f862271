/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_motion.h"

#include <math.h>
#include <stdlib.h>

#include "scene/json.h"
#include "scene/scene_track.h"
#include "scene/shortest.h"

static const char WHAT[] = "the motion of a collider";

/* ---- reading --------------------------------------------------------------------------------- */

static tribo_status read_samples(pc2 *f, const char *name, size_t vertex_count,
                                 tribo_motion_def *out, tribo_error *err) {
  if ((size_t)f->vertices != vertex_count)
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' has %d vertices; expected %zu, the object's",
                       name, f->vertices, vertex_count);
  double *points;
  TRY(scene_track_make((size_t)f->samples, 3 * vertex_count, WHAT, &points, err));
  out->points = points;
  out->sample_count = (size_t)f->samples;
  for (int32_t s = 0; s < f->samples; s++)
    TRY(pc2_read_sample(f, s, points + 3 * vertex_count * (size_t)s, err));
  out->start = (double)f->start;
  out->interval = (double)f->sampling;
  return TRIBO_OK;
}

static tribo_status read_animation(const cJSON *value, const char *folder, size_t vertex_count,
                                   tribo_motion_def *out, tribo_error *err) {
  pc2 f;
  TRY(scene_track_open(value, folder, &f, err));
  tribo_status status = read_samples(&f, value->valuestring, vertex_count, out, err);
  pc2_close(&f);
  return status;
}

static tribo_status read_points(const cJSON *value, size_t vertex_count, tribo_motion_def *out,
                                tribo_error *err) {
  double *points;
  TRY(scene_track_read(value, vertex_count, "vertex", &points, &out->sample_count, err));
  out->points = points;
  return TRIBO_OK;
}

static tribo_status read_transforms(const cJSON *value, tribo_motion_def *out, tribo_error *err) {
  double *transforms;
  TRY(scene_track_make(json_length(value), 16, WHAT, &transforms, err));
  out->transforms = transforms;
  out->sample_count = json_length(value);
  size_t s = 0;
  for (const cJSON *sample = value->child; sample; sample = sample->next, s++)
    if (!json_numbers(sample, 16, transforms + 16 * s))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "transforms[%zu] must be an array of 16 numbers, not %s", s,
                         json_kind(sample));
  return TRIBO_OK;
}

tribo_status scene_motion_read(const cJSON *object, const char *folder, size_t vertex_count,
                               tribo_motion_def *out, tribo_error *err) {
  *out = (tribo_motion_def){0};
  const cJSON *animation = json_member(object, "animation"),
              *points = json_member(object, "points");
  const cJSON *transforms = json_member(object, "transforms");
  if (!!animation + !!points + !!transforms > 1)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "it has more than one of animation, points and transforms; keep one");
  if (!points && !transforms &&
      (json_member(object, "motion_start") || json_member(object, "motion_interval")))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "motion_start and motion_interval go with points or transforms; an "
                       "animation has its own");
  if (animation) return read_animation(animation, folder, vertex_count, out, err);
  const cJSON *samples = points ? points : transforms;
  if (!samples) return TRIBO_OK;
  if (!cJSON_IsArray(samples) || !samples->child)
    return status_fail(err, TRIBO_BAD_INPUT, "%s must be an array of samples, not %s",
                       samples->string, json_kind(samples));
  TRY(points ? read_points(points, vertex_count, out, err) : read_transforms(transforms, out, err));
  out->start = out->interval = 1;
  TRY(scene_track_frames(object, "motion_start", &out->start, err));
  return scene_track_frames(object, "motion_interval", &out->interval, err);
}

void scene_motion_free(tribo_motion_def *motion) {
  free((void *)motion->transforms);
  free((void *)motion->points);
  *motion = (tribo_motion_def){0};
}

static tribo_status read_range(const cJSON *value, size_t number, double out[2], tribo_error *err) {
  out[1] = INFINITY;
  bool open = json_length(value) == 1;
  if (!cJSON_IsArray(value) || !json_numbers(value, open ? 1 : 2, out))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "present[%zu] must be two frames [from, to], or one [from], not %s", number,
                       json_kind(value));
  return TRIBO_OK;
}

tribo_status scene_presence_read(const cJSON *object, tribo_presence_def *out, tribo_error *err) {
  const cJSON *value = json_member(object, "present");
  *out = (tribo_presence_def){.limited = value != NULL};
  if (!value) return TRIBO_OK;
  if (!cJSON_IsArray(value))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "present must be an array of ranges [[from, to], ...], not %s",
                       json_kind(value));
  size_t count = json_length(value), i = 0;
  if (count == 0) return TRIBO_OK;
  double *ranges;
  TRY(scene_track_make(count, 2, "when a collider is there", &ranges, err));
  out->ranges = ranges;
  out->range_count = count;
  for (const cJSON *range = value->child; range; range = range->next, i++)
    TRY(read_range(range, i, ranges + 2 * i, err));
  return TRIBO_OK;
}

void scene_presence_free(tribo_presence_def *presence) {
  free((void *)presence->ranges);
  *presence = (tribo_presence_def){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static scene_track track_of(const tribo_object_def *o) {
  const tribo_motion_def *m = &o->motion;
  return (scene_track){m->points, m->sample_count, o->vertex_count, m->start, m->interval};
}

bool scene_motion_fits_pc2(const tribo_object_def *o) {
  scene_track track = track_of(o);
  return track.points && scene_track_fits_pc2(&track);
}

tribo_status scene_motion_write_pc2(const tribo_object_def *o, const char *path, tribo_error *err) {
  scene_track track = track_of(o);
  return scene_track_write_pc2(&track, path, err);
}

static void print_points(const tribo_object_def *o, FILE *out) {
  scene_track track = track_of(o);
  fputs(",\n      \"points\": [", out);
  scene_track_print(&track, "\n        ", out);
  fputs("]", out);
}

static void print_transforms(const tribo_motion_def *motion, FILE *out) {
  fputs(",\n      \"transforms\": [", out);
  for (size_t i = 0; i < 16 * motion->sample_count; i++) {
    char number[SHORTEST_SIZE];
    bool opens = i % 16 == 0, closes = i % 16 == 15;
    fprintf(out, "%s%s%s%s", i ? "," : "", opens ? "\n        [" : " ",
            shortest_text(motion->transforms[i], number), closes ? "]" : "");
  }
  fputs("]", out);
}

void scene_motion_print(const tribo_object_def *o, FILE *out) {
  if (o->motion.sample_count == 0) return;
  char start[SHORTEST_SIZE], interval[SHORTEST_SIZE];
  fprintf(out, ",\n      \"motion_start\": %s,\n      \"motion_interval\": %s",
          shortest_text(o->motion.start, start), shortest_text(o->motion.interval, interval));
  if (o->motion.points)
    print_points(o, out);
  else
    print_transforms(&o->motion, out);
}

void scene_presence_print(const tribo_presence_def *presence, FILE *out) {
  if (!presence->limited) return;
  fputs(",\n      \"present\": [", out);
  for (size_t i = 0; i < presence->range_count; i++) {
    const double *range = presence->ranges + 2 * i;
    char from[SHORTEST_SIZE], to[SHORTEST_SIZE];
    bool open = isinf(range[1]);
    fprintf(out, "%s[%s%s%s]", i ? ", " : "", shortest_text(range[0], from), open ? "" : ", ",
            open ? "" : shortest_text(range[1], to));
  }
  fputs("]", out);
}
