/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tasks.h"

#include <assert.h>
#include <omp.h>

enum { SUM_CHUNK = 2048, SUM_BATCH = 256, TREE_PIECES = 4 };

tribo_status tasks_check_threads(int threads, tribo_error *err) {
  if (threads >= 0 && threads <= TRIBO_MOST_THREADS) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "%d threads cannot be; give 1 to %d, or 0 for as many as the machine has",
                     threads, TRIBO_MOST_THREADS);
}

tasks tasks_create(int threads) {
  return (tasks){.threads = threads > 0 ? threads : omp_get_num_procs()};
}

bool tasks_stopped(const tasks *t) { return t->stop && __atomic_load_n(t->stop, __ATOMIC_RELAXED); }

tribo_status tasks_check(const tasks *t, tribo_error *err) {
  if (!tasks_stopped(t)) return TRIBO_OK;
  return status_fail(err, TRIBO_CANCELLED, "stopped within a step");
}

/* A loop cut into pieces. */
typedef struct piece_job {
  size_t count, pieces;
  tasks_body body;
  void *context;
} piece_job;

static void run_piece(const piece_job *job, size_t piece) {
  job->body(job->context, job->count * piece / job->pieces, job->count * (piece + 1) / job->pieces);
}

void tasks_for(const tasks *t, size_t count, size_t grain, tasks_body body, void *context) {
  size_t pieces = grain ? count / grain : count;
  bool shared = omp_in_parallel() && t->threads > 1;
  /* Other threads join when they come free, so there is more to hand out than there are threads. */
  size_t most = (size_t)t->threads * (shared ? TREE_PIECES : 1);
  if (pieces > most) pieces = most;
  if (pieces <= 1) {
    if (count) body(context, 0, count);
    return;
  }
  piece_job job = {count, pieces, body, context};
  const piece_job *shape = &job;
  if (shared) {
#pragma omp taskgroup
    for (size_t p = 0; p < pieces; p++) {
#pragma omp task firstprivate(p, shape)
      run_piece(shape, p);
    }
  } else {
#pragma omp parallel for schedule(static, 1) num_threads((int)pieces)
    for (size_t p = 0; p < pieces; p++) run_piece(shape, p);
  }
}

bool tasks_forest_create(size_t count, const int32_t *parent, arena *memory, tasks_forest *out) {
  *out = (tasks_forest){.count = count,
                        .parent = parent,
                        .child = ARENA_ARRAY(memory, int32_t, count),
                        .sibling = ARENA_ARRAY(memory, int32_t, count),
                        .waiting = ARENA_ARRAY(memory, atomic_int, count)};
  if (!out->child || !out->sibling || !out->waiting) return false;
  for (size_t i = 0; i < count; i++) out->child[i] = out->sibling[i] = -1;
  for (size_t i = count; i-- > 0;) { /* from the last, so that lists ascend */
    int32_t up = parent[i];
    if (up < 0) continue;
    assert((size_t)up > i && (size_t)up < count);
    out->sibling[i] = out->child[up];
    out->child[up] = (int32_t)i;
  }
  return true;
}

/* Runs job and goes on to its parent for as long as it is the last child to finish. */
static void climb(tasks_forest *forest, int32_t job, tasks_job body, void *context) {
  while (job >= 0) {
    body(context, (size_t)job, omp_get_thread_num());
    job = forest->parent[job];
    if (job >= 0 && atomic_fetch_sub(&forest->waiting[job], 1) > 1) return;
  }
}

void tasks_tree_up(const tasks *t, tasks_forest *forest, tasks_job body, void *context) {
  if (t->threads <= 1 || forest->count <= 1) {
    for (size_t i = 0; i < forest->count; i++) body(context, i, 0);
    return;
  }
  for (size_t i = 0; i < forest->count; i++) atomic_store(&forest->waiting[i], 0);
  for (size_t i = 0; i < forest->count; i++)
    if (forest->parent[i] >= 0) atomic_fetch_add(&forest->waiting[forest->parent[i]], 1);
#pragma omp parallel num_threads(t->threads)
#pragma omp single
  for (size_t i = 0; i < forest->count; i++)
    if (forest->child[i] < 0) {
#pragma omp task firstprivate(i)
      climb(forest, (int32_t)i, body, context);
    }
}

/* Runs job and goes on to its child; where there are several, each is left to whoever comes free.
 * No body may follow the making of a task: while a thread waits for the pieces of a tasks_for in
 * it, OpenMP lets that thread begin any task that descends from the one at work, and it would be at
 * two jobs at once. */
static void descend(tasks_forest *forest, int32_t job, tasks_job body, void *context) {
  int32_t child;
  for (;; job = child) {
    body(context, (size_t)job, omp_get_thread_num());
    child = forest->child[job];
    if (child < 0) return;
    if (forest->sibling[child] >= 0) break;
  }
  for (; child >= 0; child = forest->sibling[child]) {
#pragma omp task firstprivate(child)
    descend(forest, child, body, context);
  }
}

void tasks_tree_down(const tasks *t, tasks_forest *forest, tasks_job body, void *context) {
  if (t->threads <= 1 || forest->count <= 1) {
    for (size_t i = forest->count; i-- > 0;) body(context, i, 0);
    return;
  }
#pragma omp parallel num_threads(t->threads)
#pragma omp single
  for (size_t i = forest->count; i-- > 0;)
    if (forest->parent[i] < 0) {
#pragma omp task firstprivate(i)
      descend(forest, (int32_t)i, body, context);
    }
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
