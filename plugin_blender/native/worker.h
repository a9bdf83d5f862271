/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * worker: a thread of the module's own that does one job at a time.
 *
 * The job runs without the GIL and never asks for it, so whoever holds the GIL may wait for it. All
 * signals are blocked in the thread: they belong to Blender. What the job and Python share is
 * guarded by the worker's lock; `stop` is read without, by the core.
 *
 * The workers of the process are on a list, so that those which Python leaves behind when it ends
 * are stopped before the program unloads what they use.
 */
#ifndef NATIVE_WORKER_H
#define NATIVE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

typedef void (*worker_job)(void *context);

typedef struct worker {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  worker_job job; /* not NULL: to be done, or being done */
  void *context;
  bool ending;
  int stop;                      /* not 0: the job shall give up */
  struct worker *before, *after; /* on the list */
} worker;

/* False when the system has no more threads. */
bool worker_start(worker *w);

/* Hands over a job; none may be under way. */
void worker_give(worker *w, worker_job job, void *context);

/* Whether the job, if there is one, is done; waits at most `seconds`, for good when negative. */
bool worker_wait(worker *w, double seconds);

/* Asks the job to give up, or takes that back. */
void worker_stop(worker *w, bool stop);

/* Waits for the job and ends the thread. */
void worker_end(worker *w);

/* Stops the jobs of all workers and waits for them. */
void worker_stop_all(void);

#endif
