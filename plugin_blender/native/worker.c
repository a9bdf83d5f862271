/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker.h"

#include <math.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static worker *list;

static void enlist(worker *w) {
  pthread_mutex_lock(&list_lock);
  w->after = list;
  if (list) list->before = w;
  list = w;
  pthread_mutex_unlock(&list_lock);
}

static void strike(worker *w) {
  pthread_mutex_lock(&list_lock);
  if (w->before) w->before->after = w->after;
  if (w->after) w->after->before = w->before;
  if (list == w) list = w->after;
  pthread_mutex_unlock(&list_lock);
}

void worker_stop_all(void) {
  pthread_mutex_lock(&list_lock);
  for (worker *w = list; w; w = w->after) worker_stop(w, true);
  for (worker *w = list; w; w = w->after) worker_wait(w, -1);
  pthread_mutex_unlock(&list_lock);
}

void worker_stop(worker *w, bool stop) { __atomic_store_n(&w->stop, stop, __ATOMIC_RELAXED); }

static void *run(void *context) {
  worker *w = context;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (!w->job && !w->ending) pthread_cond_wait(&w->changed, &w->lock);
    if (!w->job) break;
    pthread_mutex_unlock(&w->lock);
    w->job(w->context);
    pthread_mutex_lock(&w->lock);
    w->job = NULL;
    pthread_cond_broadcast(&w->changed);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

bool worker_start(worker *w) {
  *w = (worker){0};
  pthread_condattr_t attributes;
  if (pthread_mutex_init(&w->lock, NULL) != 0) return false;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&w->changed, &attributes);
  pthread_condattr_destroy(&attributes);

  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* a thread begins with its maker's mask */
  bool started = pthread_create(&w->thread, NULL, run, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started) {
    enlist(w);
  } else {
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
  }
  return started;
}

void worker_give(worker *w, worker_job job, void *context) {
  pthread_mutex_lock(&w->lock);
  w->context = context;
  w->job = job;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
}

bool worker_wait(worker *w, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  if (seconds > 1e6) seconds = -1;
  if (seconds >= 0) {
    double whole = floor(seconds);
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((seconds - whole) * 1e9);
    if (until.tv_nsec >= 1000000000L) {
      until.tv_nsec -= 1000000000L;
      until.tv_sec++;
    }
  }
  pthread_mutex_lock(&w->lock);
  int late = 0;
  while (w->job && !late)
    late = seconds < 0 ? pthread_cond_wait(&w->changed, &w->lock)
                       : pthread_cond_timedwait(&w->changed, &w->lock, &until);
  bool done = !w->job;
  pthread_mutex_unlock(&w->lock);
  return done;
}

void worker_end(worker *w) {
  strike(w);
  pthread_mutex_lock(&w->lock);
  w->ending = true;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
}
