/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure: what every benchmark needs: the processor time of this thread, numbers by chance that
 * are the same in every run, and the order that medians want.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* xorshift: a program has one sequence, which begins anew with it. */
static inline double between(double low, double high) {
  static uint64_t seed = 1;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

static inline int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline void sort_values(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
}

#endif
