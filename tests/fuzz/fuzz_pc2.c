/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a point cache: it opens with all its counted samples in reach or is refused; and
 * reopened for appending, it takes one more sample and opens again. The reader wants a path, so
 * the bytes go through a file in the current folder.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/pc2.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SAMPLES_READ = 8, VERTICES_TAKEN = 4096 };

static void require(bool promise) {
  if (!promise) abort();
}

static void read_samples(const char *path) {
  pc2 f;
  tribo_error err = {0};
  if (pc2_open(path, &f, &err) != TRIBO_OK) {
    require(!f.stream && !f.path && err.message[0]);
    return;
  }
  require(f.vertices > 0 && f.samples >= 0);
  double *positions = f.samples ? malloc((size_t)f.vertices * 3 * sizeof *positions) : NULL;
  for (int32_t i = 0; positions && i < f.samples && i < SAMPLES_READ; i++) {
    if (pc2_read_sample(&f, i, positions, &err) != TRIBO_OK) continue;
    for (size_t k = 0; k < 3 * (size_t)f.vertices; k++) require(isfinite(positions[k]));
  }
  require(pc2_read_sample(&f, f.samples, positions, NULL) == TRIBO_BAD_INPUT);
  free(positions);
  pc2_close(&f);
}

static void append_sample(const char *path, int32_t vertices, int32_t samples) {
  pc2 f;
  tribo_error err = {0};
  if (pc2_reopen(path, vertices, samples, &f, &err) != TRIBO_OK) {
    require(!f.stream && err.message[0]);
    return;
  }
  double *positions = calloc((size_t)vertices * 3, sizeof *positions);
  require(positions && pc2_append(&f, positions, &err) == TRIBO_OK && f.samples == samples + 1);
  pc2_close(&f);
  require(pc2_open(path, &f, &err) == TRIBO_OK && f.samples == samples + 1);
  require(pc2_read_sample(&f, samples, positions, &err) == TRIBO_OK);
  free(positions);
  pc2_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "fuzz_%ld.pc2", (long)getpid());
  FILE *stream = fopen(path, "wb");
  require(stream && fwrite(data, 1, size, stream) == size && fclose(stream) == 0);
  read_samples(path);

  /* Reopening asks for the vertices by number: take the header's word for it. */
  if (size >= PC2_HEADER_SIZE) {
    int32_t vertices = data[16] | data[17] << 8;
    if (vertices && vertices <= VERTICES_TAKEN) append_sample(path, vertices, data[28] % 3);
  }
  unlink(path);
  return 0;
}
