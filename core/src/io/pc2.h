/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pc2: point caches, little-endian: char[12] "POINTCACHE2\0", i32 version = 1, i32 vertices,
 * f32 start, f32 sampling, i32 samples; then samples x vertices x 3 f32.
 *
 * Reading is by sample, from disk, so that an animation of gigabytes costs one frame of memory.
 * Writing appends a sample, flushes it to disk and only then counts it in the header: a sample is
 * complete or absent whatever happens to the process.
 */
#ifndef IO_PC2_H
#define IO_PC2_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { PC2_HEADER_SIZE = 32 };

typedef struct pc2 {
  FILE *stream;
  char *path;
  int32_t vertices, samples;
  float start, sampling; /* frame of sample 0, frames between samples */
  void *scratch;         /* one sample, as bytes of the file */
} pc2;

/* Checks the header and that the file is as long as the header says. */
tribo_status pc2_open(const char *path, pc2 *out, tribo_error *err);

/* A new file without samples. */
tribo_status pc2_create(const char *path, int32_t vertices, float start, float sampling, pc2 *out,
                        tribo_error *err);

/* Opens for appending and drops every sample from `samples` on; TRIBO_BAD_INPUT when the file holds
 * fewer complete ones or another number of vertices. The count in the header is not trusted to be
 * up to date, only the length of the file. */
tribo_status pc2_reopen(const char *path, int32_t vertices, int32_t samples, pc2 *out,
                        tribo_error *err);

/* 3 doubles a vertex; values are rounded to float on writing. */
tribo_status pc2_read_sample(pc2 *f, int32_t sample, double *positions, tribo_error *err);
tribo_status pc2_append(pc2 *f, const double *positions, tribo_error *err);

void pc2_close(pc2 *f);

#endif
