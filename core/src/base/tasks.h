/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tasks: loops over cores, on OpenMP, with results that do not depend on how many there are.
 *
 * A loop body owns the indices it is given and writes only there, so the cutting does not matter.
 * Sums have a fixed shape: chunks of a fixed length, added in order, then the chunk sums in order.
 */
#ifndef BASE_TASKS_H
#define BASE_TASKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

typedef struct tasks {
  int threads;     /* 1 or more */
  const int *stop; /* not 0: whoever works shall give up; NULL: nobody asks. Set by any thread. */
} tasks;

/* Whether a caller may ask for so many: 0, which is as many as the machine has, to
 * TRIBO_MOST_THREADS. TRIBO_BAD_INPUT says so. */
tribo_status tasks_check_threads(int threads, tribo_error *err);

/* threads <= 0: as many as the machine has. */
tasks tasks_create(int threads);

/* Whether to give up. Asked in loops whose turns may be long; a loop over pieces does not ask, so
 * that what it makes is whole. */
bool tasks_stopped(const tasks *t);

/* TRIBO_CANCELLED when so. Whoever works does so on copies: what it leaves is not looked at. */
tribo_status tasks_check(const tasks *t, tribo_error *err);

typedef void (*tasks_body)(void *context, size_t begin, size_t end);

/* Runs body over [0, count) in pieces of at least `grain`. Called from within a body of tasks_tree
 * it hands its pieces to whichever threads have nothing else to do. */
void tasks_for(const tasks *t, size_t count, size_t grain, tasks_body body, void *context);

/* A forest of jobs: parent[i] > i, or -1 for a root. */
typedef struct tasks_forest {
  size_t count;
  const int32_t *parent;
  int32_t *child, *sibling; /* first child, next sibling, ascending; -1: none */
  atomic_int *waiting;      /* children not done yet */
} tasks_forest;

/* parent must stay valid; the rest comes from `memory`. False when memory has run out. */
bool tasks_forest_create(size_t count, const int32_t *parent, arena *memory, tasks_forest *out);

/* worker is in [0, threads), and of the bodies that run at one time no two have the same. */
typedef void (*tasks_job)(void *context, size_t job, int worker);

/* Runs body once for every job: after all its children, or after its parent. One forest serves one
 * run at a time. */
void tasks_tree_up(const tasks *t, tasks_forest *forest, tasks_job body, void *context);
void tasks_tree_down(const tasks *t, tasks_forest *forest, tasks_job body, void *context);

/* Sum and dot product of fixed shape. */
double tasks_sum(const tasks *t, const double *values, size_t count);
double tasks_dot(const tasks *t, const double *a, const double *b, size_t count);

#endif
