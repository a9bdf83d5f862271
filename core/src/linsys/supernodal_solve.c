/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "linsys/blas.h"
#include "linsys/supernodal.h"

static const double one = 1, minus_one = -1;
static const int step = 1;

typedef struct sweep {
  supernodal *s;
  size_t vectors;
} sweep;

typedef struct part {
  int height, width, below;
  const double *panel;
  double *own;    /* width: this supernode's unknowns */
  double *update; /* below: what it says to, or hears from, its ancestors */
} part;

static part part_of(const supernodal *s, int32_t node, size_t vector) {
  int height = 3 * supernodal_height(s, node), width = 3 * supernodal_columns(s, node);
  double *x = s->x + vector * 3 * (size_t)s->rows;
  double *update = s->update + vector * 3 * s->shape.rows_at[s->shape.count];
  return (part){height,
                width,
                height - width,
                s->values + s->values_at[node],
                x + 3 * (size_t)s->shape.first[node],
                update + 3 * s->shape.rows_at[node]};
}

static void hear_children(const supernodal *s, int32_t node, size_t vector, const part *p) {
  int32_t columns = supernodal_columns(s, node);
  for (int32_t c = s->child[node]; c >= 0; c = s->sibling[c]) {
    part child = part_of(s, c, vector);
    size_t at = s->shape.rows_at[c] + (size_t)supernodal_columns(s, c);
    for (size_t i = at; i < s->shape.rows_at[c + 1]; i++) {
      int32_t place = s->relative[i];
      double *to = place < columns ? p->own + 3 * place : p->update + 3 * (place - columns);
      const double *from = child.update + 3 * (i - at);
      for (int r = 0; r < 3; r++) to[r] += from[r];
    }
  }
}

/* L y = b, from the leaves up. */
static void forward_job(void *context, size_t job, int worker) {
  (void)worker;
  const sweep *w = context;
  const supernodal *s = w->s;
  for (int32_t n = s->jobs[job].begin; n < s->jobs[job].end; n++)
    for (size_t v = 0; v < w->vectors; v++) {
      part p = part_of(s, n, v);
      memset(p.update, 0, (size_t)p.below * sizeof *p.update);
      hear_children(s, n, v, &p);
      dtrsv_("L", "N", "N", &p.width, p.panel, &p.height, p.own, &step);
      if (p.below > 0)
        dgemv_("N", &p.below, &p.width, &minus_one, p.panel + p.width, &p.height, p.own, &step,
               &one, p.update, &step);
    }
}

/* L^T x = y, from the roots down. */
static void backward_job(void *context, size_t job, int worker) {
  (void)worker;
  const sweep *w = context;
  const supernodal *s = w->s;
  for (int32_t n = s->jobs[job].end - 1; n >= s->jobs[job].begin; n--)
    for (size_t v = 0; v < w->vectors; v++) {
      part p = part_of(s, n, v);
      const double *x = s->x + v * 3 * (size_t)s->rows;
      const int32_t *rows = s->shape.rows + s->shape.rows_at[n] + supernodal_columns(s, n);
      for (int i = 0; i < p.below / 3; i++)
        memcpy(p.update + 3 * i, x + 3 * (size_t)rows[i], 3 * sizeof *x);
      if (p.below > 0)
        dgemv_("T", &p.below, &p.width, &minus_one, p.panel + p.width, &p.height, p.update, &step,
               &one, p.own, &step);
      dtrsv_("L", "T", "N", &p.width, p.panel, &p.height, p.own, &step);
    }
}

static bool make_room(supernodal *s, size_t vectors) {
  if (vectors <= s->vectors) return true;
  free(s->x);
  free(s->update);
  s->vectors = 0;
  /* Aligned, so that BLAS goes the same way every time. */
  size_t x = (vectors * 3 * (size_t)s->rows * sizeof(double) + 63) & ~(size_t)63;
  size_t update =
      (vectors * 3 * s->shape.rows_at[s->shape.count] * sizeof(double) + 63) & ~(size_t)63;
  s->x = aligned_alloc(64, x);
  s->update = aligned_alloc(64, update);
  if (!s->x || !s->update) return false;
  s->vectors = vectors;
  return true;
}

tribo_status supernodal_solve(supernodal *s, const double *b, int nrhs, double *x,
                              tribo_error *err) {
  if (!make_room(s, (size_t)nrhs)) return status_no_memory(err, "the right-hand sides");
  size_t rows = (size_t)s->rows;
  for (size_t v = 0; v < (size_t)nrhs; v++)
    for (size_t i = 0; i < rows; i++)
      memcpy(s->x + 3 * (v * rows + i), b + 3 * (v * rows + (size_t)s->shape.order[i]),
             3 * sizeof *x);
  sweep job = {s, (size_t)nrhs};
  blas_hold_threads();
  tasks_tree_up(&s->tasks, &s->forest, forward_job, &job);
  tasks_tree_down(&s->tasks, &s->forest, backward_job, &job);
  blas_release_threads();
  for (size_t v = 0; v < (size_t)nrhs; v++)
    for (size_t i = 0; i < rows; i++)
      memcpy(x + 3 * (v * rows + (size_t)s->shape.order[i]), s->x + 3 * (v * rows + i),
             3 * sizeof *x);
  return TRIBO_OK;
}
