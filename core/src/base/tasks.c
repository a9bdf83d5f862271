/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tasks.h"

#include <omp.h>

enum { SUM_CHUNK = 2048, SUM_BATCH = 256 };

tasks tasks_create(int threads) {
  return (tasks){.threads = threads > 0 ? threads : omp_get_num_procs()};
}

void tasks_for(const tasks *t, size_t count, size_t grain, tasks_body body, void *context) {
  size_t pieces = grain ? count / grain : count;
  if (pieces > (size_t)t->threads) pieces = (size_t)t->threads;
  if (pieces <= 1) {
    if (count) body(context, 0, count);
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads((int)pieces)
  for (size_t p = 0; p < pieces; p++) body(context, count * p / pieces, count * (p + 1) / pieces);
}

typedef struct dot_job {
  const double *a, *b; /* b may be NULL: a plain sum */
  size_t count;
  double *sums; /* one a chunk */
} dot_job;

static void dot_chunks(void *context, size_t begin, size_t end) {
  const dot_job *job = context;
  for (size_t chunk = begin; chunk < end; chunk++) {
    size_t first = chunk * SUM_CHUNK;
    size_t last = first + SUM_CHUNK < job->count ? first + SUM_CHUNK : job->count;
    /* Four running sums let the adds overlap; their order is part of the fixed shape. */
    double s[4] = {0, 0, 0, 0};
    size_t i = first;
    if (job->b) {
      for (; i + 4 <= last; i += 4)
        for (size_t k = 0; k < 4; k++) s[k] += job->a[i + k] * job->b[i + k];
      for (; i < last; i++) s[0] += job->a[i] * job->b[i];
    } else {
      for (; i + 4 <= last; i += 4)
        for (size_t k = 0; k < 4; k++) s[k] += job->a[i + k];
      for (; i < last; i++) s[0] += job->a[i];
    }
    job->sums[chunk] = (s[0] + s[1]) + (s[2] + s[3]);
  }
}

double tasks_dot(const tasks *t, const double *a, const double *b, size_t count) {
  double total = 0;
  double sums[SUM_BATCH];
  /* Batches bound the stack; the chunks, and so the result, are the same for any batch size. */
  for (size_t first = 0; first < count; first += (size_t)SUM_BATCH * SUM_CHUNK) {
    size_t left = count - first;
    size_t length = left < (size_t)SUM_BATCH * SUM_CHUNK ? left : (size_t)SUM_BATCH * SUM_CHUNK;
    size_t chunks = (length + SUM_CHUNK - 1) / SUM_CHUNK;
    dot_job job = {a + first, b ? b + first : NULL, length, sums};
    tasks_for(t, chunks, 8, dot_chunks, &job);
    for (size_t c = 0; c < chunks; c++) total += sums[c];
  }
  return total;
}

double tasks_sum(const tasks *t, const double *values, size_t count) {
  return tasks_dot(t, values, NULL, count);
}
