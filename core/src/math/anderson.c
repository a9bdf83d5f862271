/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/anderson.h"

#include <math.h>
#include <string.h>

enum { WINDOW = ANDERSON_WINDOW, ROUNDS = ANDERSON_ROUNDS };

/* Numbers that are summed at a time, chunks that are worth a thread, and sums that run side by
 * side, so that they can be made by vectors: it is part of their shape. */
enum { CHUNK = 1536, GRAIN = 16, LANES = 8 };

/* The past is forgotten when |f|^2 grows by more than this. */
static const double GROWTH = 4;

/* Of the trace: changes that are nearly combinations of others count for nothing. */
static const double REGULAR = 1e-12;

static void choose_width(anderson *a);

static size_t chunks_of(const anderson *a) { return (a->size + CHUNK - 1) / CHUNK; }

tribo_status anderson_create(size_t size, const tasks *t, arena *memory, anderson *out,
                             tribo_error *err) {
  *out = (anderson){.tasks = *t, .size = size};
  out->sums = ARENA_ARRAY(memory, double, ROUNDS *chunks_of(out));
  bool whole = out->sums;
  for (int k = 0; k < ROUNDS; k++) {
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

/* Where the round stands that was so many before the latest. */
static int place_of(const anderson *a, int before) {
  return (a->latest + ROUNDS - before) % ROUNDS;
}

/* ---- chunk by chunk ---------------------------------------------------------------------------
 */

typedef struct round_job {
  anderson *a;
  const double *f;
  double *v;
  const double *residual[ROUNDS], *value[ROUNDS]; /* the latest first */
  double share[ROUNDS];                           /* of the values in the next v */
} round_job;

#define INLINE __attribute__((always_inline)) static inline

/* Half of the lanes; at any place. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

INLINE double product(const double *a, const double *b, size_t count) {
  quad s[2] = {{0}, {0}};
  size_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    s[0] += *(const quad *)(a + i) * *(const quad *)(b + i);
    s[1] += *(const quad *)(a + i + 4) * *(const quad *)(b + i + 4);
  }
  for (size_t l = 0; i + l < count; l++) s[l / 4][l % 4] += a[i + l] * b[i + l];
  return ((s[0][0] + s[0][1]) + (s[0][2] + s[0][3])) + ((s[1][0] + s[1][1]) + (s[1][2] + s[1][3]));
}

/* Remembers this round, and sums the products of its residual with all. */
INLINE void note(const round_job *job, size_t chunk) {
  const anderson *a = job->a;
  size_t from = chunk * CHUNK, count = from + CHUNK < a->size ? CHUNK : a->size - from;
  const double *restrict f = job->f + from, *restrict v = job->v + from;
  double *restrict value = a->values[a->latest] + from;
  double *restrict residual = a->residuals[a->latest] + from;
  for (size_t i = 0; i < count; i++) {
    value[i] = v[i] + f[i];
    residual[i] = f[i];
  }
  for (int k = 0; k < a->count; k++)
    a->sums[ROUNDS * chunk + (size_t)k] = product(f, job->residual[k] + from, count);
}

/* What is not there has no share. */
INLINE void take_step(const round_job *job, size_t chunk) {
  const anderson *a = job->a;
  size_t from = chunk * CHUNK, count = from + CHUNK < a->size ? CHUNK : a->size - from;
  const double *s = job->share;
  double *restrict v = job->v + from;
  const double *restrict g0 = job->value[0] + from, *restrict g1 = job->value[1] + from;
  const double *restrict g2 = job->value[2] + from, *restrict g3 = job->value[3] + from;
  const double *restrict g4 = job->value[4] + from;
  if (a->count < ROUNDS) {
    for (size_t i = 0; i < count; i++) v[i] = s[0] * g0[i];
    for (int k = 1; k < a->count; k++)
      for (size_t i = 0; i < count; i++) v[i] += s[k] * job->value[k][from + i];
    return;
  }
  double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3], s4 = s[4];
  for (size_t i = 0; i < count; i++)
    v[i] = s0 * g0[i] + s1 * g1[i] + s2 * g2[i] + s3 * g3[i] + s4 * g4[i];
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

/* ---- a round ----------------------------------------------------------------------------------
 */

/* Residuals i and j rounds ago, multiplied. */
static double between(const anderson *a, int i, int j) {
  return a->products[place_of(a, i)][place_of(a, j)];
}

/* The weights w of the changes f_i - f_(i+1), from round to round, that leave the least residual,
 * by Cholesky. False: there is nothing in the changes. */
static bool find_weights(const anderson *a, double *w) {
  int changes = a->count - 1;
  double l[WINDOW][WINDOW], trace = 0;
  for (int i = 0; i < changes; i++)
    for (int j = 0; j <= i; j++) {
      l[i][j] =
          between(a, i, j) - between(a, i, j + 1) - between(a, i + 1, j) + between(a, i + 1, j + 1);
      if (i == j) trace += l[i][i];
    }
  for (int i = 0; i < changes; i++)
    for (int j = 0; j <= i; j++) {
      double sum = l[i][j] + (i == j ? REGULAR * trace : 0);
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int i = 0; i < changes; i++) {
    w[i] = between(a, 0, i) - between(a, 0, i + 1);
    for (int k = 0; k < i; k++) w[i] -= l[i][k] * w[k];
    w[i] /= l[i][i];
  }
  for (int i = changes - 1; i >= 0; i--) {
    for (int k = i + 1; k < changes; k++) w[i] -= l[k][i] * w[k];
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): set for all i <= changes */
    w[i] /= l[i][i];
  }
  return true;
}

void anderson_next(anderson *a, const double *f, double *v) {
  if (a->count > 0) a->latest = (a->latest + 1) % ROUNDS;
  if (a->count < ROUNDS) a->count++;
  round_job job = {.a = a, .f = f, .v = v};
  for (int k = 0; k < ROUNDS; k++) {
    job.residual[k] = a->residuals[place_of(a, k)];
    job.value[k] = a->values[place_of(a, k)];
  }
  size_t chunks = chunks_of(a);
  tasks_for(&a->tasks, chunks, GRAIN, a->note, &job);
  for (int k = 0; k < a->count; k++) {
    double sum = 0;
    for (size_t chunk = 0; chunk < chunks; chunk++) sum += a->sums[ROUNDS * chunk + (size_t)k];
    a->products[a->latest][place_of(a, k)] = a->products[place_of(a, k)][a->latest] = sum;
  }
  double norm = between(a, 0, 0), w[WINDOW] = {0};
  bool lost = a->last >= 0 && norm > GROWTH * a->last;
  if (lost || !find_weights(a, w)) {
    a->count = 1;
    w[0] = 0;
  }
  a->last = norm;
  /* G less what changed, by its weight: shares of the values that sum to 1 */
  for (int k = 0; k < a->count; k++)
    job.share[k] = (k == 0 ? 1 : w[k - 1]) - (k + 1 < a->count ? w[k] : 0);
  tasks_for(&a->tasks, chunks, GRAIN, a->step, &job);
}
