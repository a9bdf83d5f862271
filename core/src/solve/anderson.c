/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/anderson.h"

#include <math.h>
#include <string.h>

/* Numbers that are summed at a time, and sums that are kept of them: |f|^2, and of every change its
 * products with f and with the latest change. */
enum { CHUNK = 1536, SUMS = 1 + 2 * ANDERSON_WINDOW };

/* Sums run side by side, so that they can be made by vectors: it is part of their shape. */
enum { LANES = 8 };

/* Chunks that are worth a thread. */
enum { GRAIN = 4 };

/* The past is forgotten when |f|^2 grows by more than this. */
static const double GROWTH = 4;

/* Of the trace: changes that are nearly combinations of others count for nothing. */
static const double REGULAR = 1e-12;

static void choose_width(anderson *a);

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
  choose_width(out);
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

#define INLINE __attribute__((always_inline)) static inline

/* Half of the lanes; at any place. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

INLINE double sum_of(const quad s[2]) {
  return ((s[0][0] + s[0][1]) + (s[0][2] + s[0][3])) + ((s[1][0] + s[1][1]) + (s[1][2] + s[1][3]));
}

/* c is multiplied with a and with b. */
INLINE void two_products(const double *a, const double *b, const double *c, size_t count,
                         double *with_a, double *with_b) {
  quad sa[2] = {{0}, {0}}, sb[2] = {{0}, {0}};
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int half = 0; half < 2; half++) {
      size_t at = i + (size_t)(4 * half);
      quad by = *(const quad *)(c + at);
      sa[half] += by * *(const quad *)(a + at);
      sb[half] += by * *(const quad *)(b + at);
    }
  for (size_t l = 0; i + l < count; l++) {
    sa[l / 4][l % 4] += c[i + l] * a[i + l];
    sb[l / 4][l % 4] += c[i + l] * b[i + l];
  }
  *with_a = sum_of(sa);
  *with_b = sum_of(sb);
}

/* Notes what this round changed, and all sums over it. */
INLINE void note(const round_job *job, size_t chunk) {
  anderson *a = job->a;
  size_t from = chunk * CHUNK, count = from + CHUNK < a->size ? CHUNK : a->size - from;
  const double *restrict f = job->f + from, *restrict v = job->v + from;
  double *restrict value = a->value + from, *restrict residual = a->residual + from;
  double *restrict dv = a->values[a->latest] + from, *restrict df = a->residuals[a->latest] + from;
  double *sums = a->sums + SUMS * chunk;
  for (size_t i = 0; i < count; i++) {
    double g = v[i] + f[i];
    dv[i] = g - value[i];
    df[i] = f[i] - residual[i];
    value[i] = g;
    residual[i] = f[i];
  }
  two_products(f, f, f, count, &sums[0], &sums[0]);
  for (int k = 0; k < a->count && !job->first; k++)
    two_products(f, df, a->residuals[k] + from, count, &sums[1 + 2 * k], &sums[2 + 2 * k]);
}

/* v = value - sum of weight dv. What is not there has the weight 0. */
INLINE void take_step(const round_job *job, size_t chunk) {
  const anderson *a = job->a;
  size_t from = chunk * CHUNK, count = from + CHUNK < a->size ? CHUNK : a->size - from;
  const double *w = job->weight, *restrict value = a->value + from;
  const double *restrict d0 = a->values[0] + from, *restrict d1 = a->values[1] + from;
  const double *restrict d2 = a->values[2] + from, *restrict d3 = a->values[3] + from;
  double *restrict v = job->v + from;
  if (a->count < ANDERSON_WINDOW) {
    memcpy(v, value, count * sizeof *v);
    for (int k = 0; k < a->count; k++)
      for (size_t i = 0; i < count; i++) v[i] -= w[k] * a->values[k][from + i];
    return;
  }
  double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  for (size_t i = 0; i < count; i++)
    v[i] = value[i] - w0 * d0[i] - w1 * d1[i] - w2 * d2[i] - w3 * d3[i];
}

/* One copy for each width of vectors; nothing is fused, so the bits are the same. */
#define DEFINE_CHUNKS(name, body, target)                                                          \
  target static void name(void *context, size_t begin, size_t end) {                               \
    for (size_t chunk = begin; chunk < end; chunk++) body(context, chunk);                         \
  }

DEFINE_CHUNKS(note_plain, note, )
DEFINE_CHUNKS(step_plain, take_step, )
#ifdef __x86_64__
DEFINE_CHUNKS(note_avx2, note, __attribute__((target("avx2"))))
DEFINE_CHUNKS(step_avx2, take_step, __attribute__((target("avx2"))))

static void choose_width(anderson *a) {
  bool wide = __builtin_cpu_supports("avx2");
  a->note = wide ? note_avx2 : note_plain;
  a->step = wide ? step_avx2 : step_plain;
}
#else
static void choose_width(anderson *a) { a->note = note_plain, a->step = step_plain; }
#endif

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
  tasks_for(&a->tasks, chunks, GRAIN, a->note, &job);
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
  tasks_for(&a->tasks, chunks, GRAIN, a->step, &job);
}
