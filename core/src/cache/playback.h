/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * playback: OBJECT.local.pc2, the motion of an object in its own space, frame by frame with the
 * cache. It follows from the cache and a transform a frame: where a file of it is missing or too
 * short, it is made anew from the cache, so that nothing but the cache is needed to resume.
 */
#ifndef CACHE_PLAYBACK_H
#define CACHE_PLAYBACK_H

#include "cache/manifest.h"
#include "io/pc2.h"
#include "tribo/cache.h"

typedef struct playback {
  const tribo_playback *with; /* NULL: this object has none */
  pc2 file;
  double *positions; /* of one frame */
  size_t vertex_count;
  bool mended;
} playback;

/* Finite transforms with a last row of 0 0 0 1. */
tribo_status playback_check(const tribo_playback *p, tribo_error *err);

/* A new file without frames. */
tribo_status playback_create(const char *folder, const manifest_object *object, int start,
                             const tribo_playback *with, playback *out, tribo_error *err);

/* Goes on after `frames` of them, which the object's cache holds: where the file is missing, short,
 * or not what follows from there, it is made anew, and out->mended says so. */
tribo_status playback_reopen(const char *folder, const manifest_object *object, int start,
                             int32_t frames, const tribo_playback *with, playback *out,
                             tribo_error *err);

/* The next frame; positions in the world. Nothing where there is no playback. */
tribo_status playback_append(playback *p, const double *positions, tribo_error *err);

void playback_close(playback *p);

#endif
