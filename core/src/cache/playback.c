/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/playback.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"

tribo_status playback_check(const tribo_playback *p, tribo_error *err) {
  if (!p->object || !p->transforms || p->transform_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "playback of '%s' has no transforms",
                       p->object ? p->object : "");
  for (size_t i = 0; i < p->transform_count; i++) {
    const double *m = p->transforms + 16 * i;
    bool sound = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
    for (int k = 0; k < 12; k++) sound = sound && isfinite(m[k]);
    if (!sound)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "playback of '%s': transform %zu is not finite, or its last row is not 0 "
                         "0 0 1; an object of scale 0 has no space of its own",
                         p->object, i);
  }
  return TRIBO_OK;
}

static tribo_status make_room(const manifest_object *object, const tribo_playback *with,
                              playback *out, tribo_error *err) {
  *out = (playback){.with = with, .vertex_count = object->vertex_count};
  out->positions = malloc((3 * object->vertex_count + 1) * sizeof *out->positions);
  return out->positions ? TRIBO_OK : status_no_memory(err, "playback");
}

static tribo_status create(const char *path, const manifest_object *object, int start,
                           playback *out, tribo_error *err) {
  return pc2_create(path, (int32_t)object->vertex_count, (float)start, 1, &out->file, err);
}

tribo_status playback_create(const char *folder, const manifest_object *object, int start,
                             const tribo_playback *with, playback *out, tribo_error *err) {
  TRY(make_room(object, with, out, err));
  char *path = file_join(folder, object->local_file);
  tribo_status status =
      path ? create(path, object, start, out, err) : status_no_memory(err, "a path");
  free(path);
  if (status != TRIBO_OK) playback_close(out);
  return status;
}

/* Positions of a frame as seen from the object, in p->positions. */
static void look_from_object(playback *p, int32_t number, const double *positions) {
  size_t frame = (size_t)number, last = p->with->transform_count - 1;
  const double *m = p->with->transforms + 16 * (frame < last ? frame : last);
  for (size_t v = 0; v < p->vertex_count; v++) {
    const double *x = positions + 3 * v;
    for (size_t r = 0; r < 3; r++)
      p->positions[3 * v + r] =
          m[4 * r] * x[0] + m[4 * r + 1] * x[1] + m[4 * r + 2] * x[2] + m[4 * r + 3];
  }
}

tribo_status playback_append(playback *p, const double *positions, tribo_error *err) {
  if (!p->with) return TRIBO_OK;
  look_from_object(p, p->file.samples, positions);
  return pc2_append(&p->file, p->positions, err);
}

/* Takes one frame of the cache: what fill and compare do with it. */
typedef tribo_status (*taker)(playback *p, int32_t frame, const double *positions, bool *go_on,
                              tribo_error *err);

static tribo_status add_frame(playback *p, int32_t frame, const double *positions, bool *go_on,
                              tribo_error *err) {
  (void)frame, (void)go_on;
  return playback_append(p, positions, err);
}

/* Both files are rounded to floats, the cache before it is looked at and playback after: by as much
 * they may differ, of the largest number in a frame's sums. */
static bool is_seen(const playback *p, int32_t frame, const double *positions, const double *seen) {
  size_t last = p->with->transform_count - 1, row = (size_t)frame < last ? (size_t)frame : last;
  const double *m = p->with->transforms + 16 * row;
  for (size_t i = 0; i < 3 * p->vertex_count; i++) {
    const double *x = positions + i - i % 3, *line = m + 4 * (i % 3);
    double sum = fabs(line[0] * x[0]) + fabs(line[1] * x[1]) + fabs(line[2] * x[2]) + fabs(line[3]);
    if (!(fabs(seen[i] - p->positions[i]) <= 2 * (double)FLT_EPSILON * sum + (double)FLT_MIN))
      return false;
  }
  return true;
}

static tribo_status compare_frame(playback *p, int32_t frame, const double *positions, bool *go_on,
                                  tribo_error *err) {
  tribo_error ignored;
  double *seen = malloc((3 * p->vertex_count + 1) * sizeof *seen);
  if (!seen) return status_no_memory(err, "playback");
  look_from_object(p, frame, positions);
  *go_on = pc2_read_sample(&p->file, frame, seen, &ignored) == TRIBO_OK &&
           is_seen(p, frame, positions, seen);
  free(seen);
  return TRIBO_OK;
}

/* The first `frames` of the object's cache, one after the other; *whole: all were taken. */
static tribo_status for_frames(const char *folder, const manifest_object *object, int32_t frames,
                               taker take, playback *p, bool *whole, tribo_error *err) {
  char *path = file_join(folder, object->cache_file);
  double *positions = malloc((3 * object->vertex_count + 1) * sizeof *positions);
  pc2 cache = {0};
  *whole = true;
  tribo_status status =
      path && positions ? pc2_open(path, &cache, err) : status_no_memory(err, "playback");
  for (int32_t i = 0; status == TRIBO_OK && *whole && i < frames; i++) {
    status = pc2_read_sample(&cache, i, positions, err);
    if (status == TRIBO_OK) status = take(p, i, positions, whole, err);
  }
  if (cache.stream) pc2_close(&cache);
  free(positions);
  free(path);
  return status;
}

tribo_status playback_reopen(const char *folder, const manifest_object *object, int start,
                             int32_t frames, const tribo_playback *with, playback *out,
                             tribo_error *err) {
  TRY(make_room(object, with, out, err));
  char *path = file_join(folder, object->local_file);
  if (!path) {
    playback_close(out);
    return status_no_memory(err, "a path");
  }
  tribo_error ignored;
  tribo_status status =
      pc2_reopen(path, (int32_t)object->vertex_count, frames, &out->file, &ignored);
  bool same = false;
  if (status == TRIBO_OK) {
    status = for_frames(folder, object, frames, compare_frame, out, &same, err);
    if (status == TRIBO_OK && !same) pc2_close(&out->file);
  } else {
    status = TRIBO_OK;
  }
  if (status == TRIBO_OK && !same) {
    out->mended = true;
    status = create(path, object, start, out, err);
    if (status == TRIBO_OK) status = for_frames(folder, object, frames, add_frame, out, &same, err);
  }
  free(path);
  if (status != TRIBO_OK) playback_close(out);
  return status;
}

void playback_close(playback *p) {
  if (p->file.stream) pc2_close(&p->file);
  free(p->positions);
  *p = (playback){0};
}
