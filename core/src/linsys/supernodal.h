/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * supernodal: a Cholesky factorisation by fronts (multifrontal: Duff and Reid 1983; Liu, SIAM
 * Review 34(1), 1992) on several threads, with bits that do not depend on their number.
 *
 * A supernode is a run of columns of L with the same rows below. Its front is a dense matrix: the
 * panel (those columns, kept in L) and the update (what it subtracts from its ancestors, kept until
 * the parent has taken it in). Rows and columns are counted in blocks of three here.
 *
 * Whatever is not an ancestor of each other runs side by side. Bits stay equal because a front
 * takes in its children in ascending order, and the arithmetic of a front does not depend on how it
 * is cut (dense.h). Nothing is allocated between create and free, but for
 * solving with more right-hand sides than ever before.
 */
#ifndef LINSYS_SUPERNODAL_H
#define LINSYS_SUPERNODAL_H

#include "linsys/dense.h"
#include "linsys/linsys.h"

/* What the symbolic analysis of the matrix of blocks gives, supernodes in postorder. */
typedef struct supernodal_shape {
  int32_t count;   /* supernodes */
  int32_t *order;  /* order[place in the factor] = block row of the matrix */
  int32_t *first;  /* count + 1: first column of each */
  size_t *rows_at; /* count + 1: where its list of rows starts */
  int32_t *rows;   /* ascending; the first ones are its own columns */
} supernodal_shape;

/* Where a block of the matrix goes in its supernode's panel. */
typedef struct supernodal_entry {
  size_t to;
  int32_t block;
  bool transposed;
} supernodal_entry;

/* A job is a whole subtree where that is small, and one supernode above. */
typedef struct supernodal_job {
  int32_t begin, end; /* supernodes; the last one is the root */
} supernodal_job;

typedef struct supernodal {
  tasks tasks;
  const dense_kernels *dense;
  arena memory;
  int32_t rows; /* of the matrix */
  supernodal_shape shape;
  int32_t *parent, *child, *sibling; /* of supernodes; -1: none; children ascend */
  int32_t *relative;                 /* beside shape.rows: place of a row in the parent's list */
  int32_t *run;                      /* how many rows from here on are neighbours there too */
  size_t *values_at;
  double *values; /* the panels: column-major, as high as the list of rows */
  size_t *entries_at;
  supernodal_entry *entries;

  size_t job_count;
  supernodal_job *jobs;
  tasks_forest forest;

  size_t *update_at;             /* in its worker's stack, or in `kept` for the root of a job */
  double *stacks, *packs, *kept; /* the first two: for each worker */
  size_t stack_size, pack_size, kept_size;

  const bcsr *a;
  atomic_bool failed;

  size_t vectors; /* right-hand sides there is room for */
  double *x;      /* 3 shape.rows a vector: what a front works on, own rows first */
} supernodal;

/* tasks and shape are set, shape's arrays come from s->memory; everything else is zero. Sets
 * *too_large, and allocates no numbers, when they would take more than most_bytes. On failure the
 * caller frees. */
tribo_status supernodal_create(supernodal *s, const bcsr_pattern *pattern, double most_bytes,
                               bool *too_large, tribo_error *err);

/* False: not positive definite (or not a number). */
bool supernodal_factor(supernodal *s, const bcsr *a);

tribo_status supernodal_solve(supernodal *s, const double *b, int nrhs, double *x,
                              tribo_error *err);

void supernodal_free(supernodal *s);

/* The order and the supernodes for a matrix of plain numbers, from cholmod.c; arrays from `memory`.
 */
tribo_status linsys_cholmod_shape(const bcsr_pattern *pattern, arena *memory, supernodal_shape *out,
                                  tribo_error *err);

static inline int32_t supernodal_columns(const supernodal *s, int32_t node) {
  return s->shape.first[node + 1] - s->shape.first[node];
}

static inline int32_t supernodal_height(const supernodal *s, int32_t node) {
  return (int32_t)(s->shape.rows_at[node + 1] - s->shape.rows_at[node]);
}

#endif
