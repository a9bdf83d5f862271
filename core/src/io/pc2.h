/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pc2: point caches, little-endian: char[12] "POINTCACHE2\0", i32 version = 1, i32 vertices,
 * f32 start, f32 sampling, i32 samples; then samples x vertices x 3 f32.
 *
 * Reading is by sample, from disk, so that an animation of gigabytes costs one frame of memory.
 * Writing appends a sample, flushes it to disk and only then counts it in the header: a sample is
 * complete or absent whatever happens to the process. What lies behind the counted samples is the
 * rest of a broken-off append, and is not looked at.
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
  uint64_t sum;          /* of the sample appended last, as pc2_sum */
} pc2;

/* Checks the header and that the file holds all the samples it counts. */
tribo_status pc2_open(const char *path, pc2 *out, tribo_error *err);

/* The same of a file whose count may not be up to date: its samples are as many as its length
 * holds. */
tribo_status pc2_open_whole(const char *path, pc2 *out, tribo_error *err);

/* A new file without samples. */
tribo_status pc2_create(const char *path, int32_t vertices, float start, float sampling, pc2 *out,
                        tribo_error *err);

/* Opens for appending and drops every sample from `samples` on; TRIBO_BAD_INPUT when the file holds
 * fewer complete ones or another number of vertices. The count in the header is not trusted to be
 * up to date, only the length of the file. */
tribo_status pc2_reopen(const char *path, int32_t vertices, int32_t samples, pc2 *out,
                        tribo_error *err);

/* 3 doubles a vertex. TRIBO_BAD_INPUT for a sample that is not there or holds a NaN or infinity. */
tribo_status pc2_read_sample(pc2 *f, int32_t sample, double *positions, tribo_error *err);

/* FNV-1a (base/hash.h) of a sample's bytes. TRIBO_BAD_INPUT for a sample that is not there. */
tribo_status pc2_sum(pc2 *f, int32_t sample, uint64_t *sum, tribo_error *err);

/* Values are rounded to float. When the write fails (full disk) the samples so far stay counted and
 * readable, and the append may be tried again. */
tribo_status pc2_append(pc2 *f, const double *positions, tribo_error *err);

void pc2_close(pc2 *f);

#endif
