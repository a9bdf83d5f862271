/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "linsys/supernodal.h"

/* Below so many numbers a solve takes a fraction of a millisecond, and other threads come too late.
 */
static const size_t SHARED = 250000;

typedef struct sweep {
  supernodal *s;
  const double *b;
  double *x;
  size_t vectors;
} sweep;

/* Room for the rows of a vector's fronts, one front after another. */
static size_t stride_of(const supernodal *s) { return 3 * s->shape.rows_at[s->shape.count]; }

static double *work_of(const supernodal *s, int32_t node) {
  return s->x + 3 * s->shape.rows_at[node];
}

static dense_sweep front_of(const sweep *w, int32_t node) {
  const supernodal *s = w->s;
  return (dense_sweep){3 * supernodal_height(s, node),
                       3 * supernodal_columns(s, node),
                       s->values + s->values_at[node],
                       work_of(s, node),
                       stride_of(s),
                       (int)w->vectors};
}

/* The front's own rows of b, nothing for its ancestors, and what its children have left for both.
 */
static void gather(const sweep *w, int32_t node) {
  const supernodal *s = w->s;
  size_t columns = (size_t)supernodal_columns(s, node), height = (size_t)supernodal_height(s, node);
  const int32_t *order = s->shape.order + s->shape.first[node];
  for (size_t v = 0; v < w->vectors; v++) {
    const double *b = w->b + v * 3 * (size_t)s->rows;
    double *to = work_of(s, node) + v * stride_of(s);
    for (size_t i = 0; i < columns; i++)
      for (size_t r = 0; r < 3; r++) to[3 * i + r] = b[3 * (size_t)order[i] + r];
    memset(to + 3 * columns, 0, 3 * (height - columns) * sizeof *to);
    for (int32_t c = s->child[node]; c >= 0; c = s->sibling[c]) {
      size_t own = (size_t)supernodal_columns(s, c), at = s->shape.rows_at[c] + own;
      size_t count = s->shape.rows_at[c + 1] - at;
      const int32_t *relative = s->relative + at;
      const double *from = work_of(s, c) + 3 * own + v * stride_of(s);
      for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < 3; r++) to[3 * (size_t)relative[i] + r] += from[3 * i + r];
    }
  }
}

/* L y = b, from the leaves up. */
static void forward_job(void *context, size_t job, int worker) {
  (void)worker;
  const sweep *w = context;
  for (int32_t n = w->s->jobs[job].begin; n < w->s->jobs[job].end; n++) {
    gather(w, n);
    dense_sweep front = front_of(w, n);
    w->s->dense->forward(&front);
  }
}

/* The ancestors' solution is in the parent's front; the front's own goes to x. */
static void backward_node(const sweep *w, int32_t node) {
  const supernodal *s = w->s;
  size_t own = (size_t)supernodal_columns(s, node), at = s->shape.rows_at[node] + own;
  size_t below = s->shape.rows_at[node + 1] - at;
  const int32_t *relative = s->relative + at, *order = s->shape.order + s->shape.first[node];
  for (size_t v = 0; v < w->vectors && below > 0; v++) {
    const double *from = work_of(s, s->parent[node]) + v * stride_of(s);
    double *to = work_of(s, node) + 3 * own + v * stride_of(s);
    for (size_t i = 0; i < below; i++)
      for (size_t r = 0; r < 3; r++) to[3 * i + r] = from[3 * (size_t)relative[i] + r];
  }
  dense_sweep front = front_of(w, node);
  s->dense->backward(&front);
  for (size_t v = 0; v < w->vectors; v++) {
    double *x = w->x + v * 3 * (size_t)s->rows;
    const double *from = work_of(s, node) + v * stride_of(s);
    for (size_t i = 0; i < own; i++)
      for (size_t r = 0; r < 3; r++) x[3 * (size_t)order[i] + r] = from[3 * i + r];
  }
}

/* L^T x = y, from the roots down. */
static void backward_job(void *context, size_t job, int worker) {
  (void)worker;
  const sweep *w = context;
  for (int32_t n = w->s->jobs[job].end - 1; n >= w->s->jobs[job].begin; n--) backward_node(w, n);
}

static bool make_room(supernodal *s, size_t vectors) {
  if (vectors <= s->vectors) return true;
  free(s->x);
  s->vectors = 0;
  s->x = aligned_alloc(64, (vectors * stride_of(s) * sizeof(double) + 63) & ~(size_t)63);
  if (s->x) s->vectors = vectors;
  return s->x != NULL;
}

tribo_status supernodal_solve(supernodal *s, const double *b, int nrhs, double *x,
                              tribo_error *err) {
  if (!make_room(s, (size_t)nrhs)) return status_no_memory(err, "the right-hand sides");
  sweep job = {s, b, x, (size_t)nrhs};
  tasks threads = {s->values_at[s->shape.count] > SHARED ? s->tasks.threads : 1};
  tasks_tree_up(&threads, &s->forest, forward_job, &job);
  tasks_tree_down(&threads, &s->forest, backward_job, &job);
  return TRIBO_OK;
}
