/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/anderson.h"

#include <math.h>
#include <string.h>

/* Numbers that are summed at a time, and sums that are kept of them: |f|^2, and of every change its
 * products with f and with the latest change. */
enum { CHUNK = 1536, SUMS = 1 + 2 * ANDERSON_WINDOW };

/* The past is forgotten when |f|^2 grows by more than this. */
static const double GROWTH = 4;

/* Of the trace: changes that are nearly combinations of others count for nothing. */
static const double REGULAR = 1e-12;

static size_t chunks_of(const anderson *a) { return (a->size + CHUNK - 1) / CHUNK; }

tribo_status anderson_create(size_t size, const tasks *t, arena *memory, anderson *out,
                             tribo_error *err) {
  *out = (anderson){.tasks = *t,
                    .size = size,
                    .value = ARENA_ARRAY(memory, double, size),
                    .residual = ARENA_ARRAY(memory, double, size)};
  out->sums = ARENA_ARRAY(memory, double, SUMS *chunks_of(out));
  bool whole = out->value && out->residual && out->sums;
  for (int k = 0; k < ANDERSON_WINDOW; k++) {
    out->values[k] = ARENA_ARRAY(memory, double, size);
    out->residuals[k] = ARENA_ARRAY(memory, double, size);
    whole = whole && out->values[k] && out->residuals[k];
  }
  anderson_begin(out);
  return whole ? TRIBO_OK : status_no_memory(err, "a step's work space");
}

void anderson_begin(anderson *a) {
  a->count = a->latest = 0;
  a->last = -1;
}

typedef struct round_job {
  anderson *a;
  const double *f;
  double *v;
  bool first; /* there is no change yet */
  double weight[ANDERSON_WINDOW];
} round_job;

/* Notes what this round changed, and all sums over it. */
static void note_chunks(void *context, size_t begin, size_t end) {
  const round_job *job = context;
  anderson *a = job->a;
  for (size_t chunk = begin; chunk < end; chunk++) {
    size_t from = chunk * CHUNK, to = from + CHUNK < a->size ? from + CHUNK : a->size;
    double *sums = a->sums + SUMS * chunk, norm = 0;
    double *dv = a->values[a->latest], *df = a->residuals[a->latest];
    for (size_t i = from; i < to; i++) norm += job->f[i] * job->f[i];
    sums[0] = norm;
    for (size_t i = from; i < to; i++) {
      double g = job->v[i] + job->f[i];
      dv[i] = g - a->value[i];
      df[i] = job->f[i] - a->residual[i];
      a->value[i] = g;
      a->residual[i] = job->f[i];
    }
    for (int k = 0; k < a->count && !job->first; k++) {
      const double *other = a->residuals[k];
      double with_f = 0, with_change = 0;
      for (size_t i = from; i < to; i++) {
        with_f += other[i] * job->f[i];
        with_change += other[i] * df[i];
      }
      sums[1 + 2 * k] = with_f;
      sums[2 + 2 * k] = with_change;
    }
  }
}

static void step_chunks(void *context, size_t begin, size_t end) {
  const round_job *job = context;
  const anderson *a = job->a;
  for (size_t chunk = begin; chunk < end; chunk++) {
    size_t from = chunk * CHUNK, to = from + CHUNK < a->size ? from + CHUNK : a->size;
    memcpy(job->v + from, a->value + from, (to - from) * sizeof *job->v);
    for (int k = 0; k < a->count; k++) {
      const double *dv = a->values[k];
      for (size_t i = from; i < to; i++) job->v[i] -= job->weight[k] * dv[i];
    }
  }
}

/* The weights of least residual: products w = right, by Cholesky. False: there is nothing in the
 * changes. */
static bool find_weights(const anderson *a, double *w) {
  double l[ANDERSON_WINDOW][ANDERSON_WINDOW], trace = 0;
  for (int i = 0; i < a->count; i++) trace += a->products[i][i];
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a->products[i][j] + (i == j ? REGULAR * trace : 0);
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int i = 0; i < a->count; i++) {
    for (int k = 0; k < i; k++) w[i] -= l[i][k] * w[k];
    w[i] /= l[i][i];
  }
  for (int i = a->count - 1; i >= 0; i--) {
    for (int k = i + 1; k < a->count; k++) w[i] -= l[k][i] * w[k];
    w[i] /= l[i][i];
  }
  return true;
}

void anderson_next(anderson *a, const double *f, double *v) {
  bool first = a->last < 0;
  if (!first) {
    a->latest = a->count < ANDERSON_WINDOW ? a->count : (a->latest + 1) % ANDERSON_WINDOW;
    if (a->count < ANDERSON_WINDOW) a->count++;
  }
  round_job job = {.a = a, .f = f, .v = v, .first = first};
  size_t chunks = chunks_of(a);
  tasks_for(&a->tasks, chunks, 2, note_chunks, &job);
  double norm = 0, with_change[ANDERSON_WINDOW] = {0};
  for (size_t chunk = 0; chunk < chunks; chunk++) {
    const double *sums = a->sums + SUMS * chunk;
    norm += sums[0];
    for (int k = 0; k < a->count; k++) {
      job.weight[k] += sums[1 + 2 * k];
      with_change[k] += sums[2 + 2 * k];
    }
  }
  for (int k = 0; k < a->count; k++)
    a->products[k][a->latest] = a->products[a->latest][k] = with_change[k];
  bool lost = first || norm > GROWTH * a->last || !find_weights(a, job.weight);
  a->last = norm;
  if (lost) a->count = a->latest = 0;
  tasks_for(&a->tasks, chunks, 2, step_chunks, &job);
}
