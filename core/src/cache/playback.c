/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/playback.h"

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

/* The first `frames` of them from the object's cache. */
static tribo_status fill(const char *folder, const manifest_object *object, int32_t frames,
                         playback *out, tribo_error *err) {
  char *path = file_join(folder, object->cache_file);
  double *positions = malloc((3 * object->vertex_count + 1) * sizeof *positions);
  pc2 cache = {0};
  tribo_status status =
      path && positions ? pc2_open(path, &cache, err) : status_no_memory(err, "playback");
  for (int32_t i = 0; status == TRIBO_OK && i < frames; i++) {
    status = pc2_read_sample(&cache, i, positions, err);
    if (status == TRIBO_OK) status = playback_append(out, positions, err);
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
  if (status != TRIBO_OK) {
    status = create(path, object, start, out, err);
    if (status == TRIBO_OK) status = fill(folder, object, frames, out, err);
  }
  free(path);
  if (status != TRIBO_OK) playback_close(out);
  return status;
}

tribo_status playback_append(playback *p, const double *positions, tribo_error *err) {
  if (!p->with) return TRIBO_OK;
  size_t frame = (size_t)p->file.samples, last = p->with->transform_count - 1;
  const double *m = p->with->transforms + 16 * (frame < last ? frame : last);
  for (size_t v = 0; v < p->vertex_count; v++) {
    const double *x = positions + 3 * v;
    for (size_t r = 0; r < 3; r++)
      p->positions[3 * v + r] =
          m[4 * r] * x[0] + m[4 * r + 1] * x[1] + m[4 * r + 2] * x[2] + m[4 * r + 3];
  }
  return pc2_append(&p->file, p->positions, err);
}

void playback_close(playback *p) {
  if (p->file.stream) pc2_close(&p->file);
  free(p->positions);
  *p = (playback){0};
}
