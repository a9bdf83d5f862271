/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tasks: loops over cores, on OpenMP, with results that do not depend on how many there are.
 *
 * A loop body owns the indices it is given and writes only there, so the cutting does not matter.
 * Sums have a fixed shape: chunks of a fixed length, added in order, then the chunk sums in order.
 */
#ifndef BASE_TASKS_H
#define BASE_TASKS_H

#include <stddef.h>

typedef struct tasks {
  int threads; /* 1 or more */
} tasks;

/* threads <= 0: as many as the machine has. */
tasks tasks_create(int threads);

typedef void (*tasks_body)(void *context, size_t begin, size_t end);

/* Runs body over [0, count) in pieces of at least `grain`. */
void tasks_for(const tasks *t, size_t count, size_t grain, tasks_body body, void *context);

/* Sum and dot product of fixed shape. */
double tasks_sum(const tasks *t, const double *values, size_t count);
double tasks_dot(const tasks *t, const double *a, const double *b, size_t count);

#endif
