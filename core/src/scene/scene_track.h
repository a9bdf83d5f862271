/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_track: points over time in the scene file, as pins and colliders have them: an "animation",
 * which is a .pc2 file, or the samples themselves.
 *
 * Samples go to a .pc2 file where its floats hold them exactly, and else into the scene file: a
 * scene that is written and read again is the same to the last bit.
 */
#ifndef SCENE_SCENE_TRACK_H
#define SCENE_SCENE_TRACK_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "io/pc2.h"

typedef struct scene_track {
  const double *points; /* samples x vertices x 3 */
  size_t samples, vertices;
  double start, interval; /* frames */
} scene_track;

/* Room for samples x numbers doubles, to be freed with free(). what: for the message. */
tribo_status scene_track_make(size_t samples, size_t numbers, const char *what, double **out,
                              tribo_error *err);

/* Opens the file of an "animation"; paths are relative to `folder`. It has a sample or more. */
tribo_status scene_track_open(const cJSON *animation, const char *folder, pc2 *out,
                              tribo_error *err);

/* An array of samples, each with one point for each `whom` ("vertex"). */
tribo_status scene_track_read(const cJSON *array, size_t vertices, const char *whom, double **out,
                              size_t *samples, tribo_error *err);

/* A number of frames; left as it is when the key is not there. */
tribo_status scene_track_frames(const cJSON *object, const char *key, double *out,
                                tribo_error *err);

/* Whether a .pc2 file holds it without loss. */
bool scene_track_fits_pc2(const scene_track *track);
tribo_status scene_track_write_pc2(const scene_track *track, const char *path, tribo_error *err);

/* The samples, as scene_track_read takes them, each on a line that begins with `indent`. */
void scene_track_print(const scene_track *track, const char *indent, FILE *out);

#endif
