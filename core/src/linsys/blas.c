/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/blas.h"

#include <pthread.h>
#include <stddef.h>

/* Weak: another BLAS does not have these, and needs no taming if it has no threads. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));

/* The one exception to "no globals": what they guard is itself one number for the whole process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int holders, before;

void blas_hold_threads(void) {
  if (!openblas_get_num_threads || !openblas_set_num_threads) return;
  pthread_mutex_lock(&lock);
  if (holders++ == 0) {
    before = openblas_get_num_threads();
    if (before != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

void blas_release_threads(void) {
  if (!openblas_get_num_threads || !openblas_set_num_threads) return;
  pthread_mutex_lock(&lock);
  if (--holders == 0 && before != 1) openblas_set_num_threads(before);
  pthread_mutex_unlock(&lock);
}
