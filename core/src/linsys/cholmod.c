/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cholmod: the direct backend. SuiteSparse CHOLMOD finds the ordering and the supernodes (Chen,
 * Davis, Hager, Rajamanickam, ACM TOMS 35(3), 2008).
 *
 * The ordering is found on the graph of blocks, which is a ninth of the scalar one, and expanded:
 * the three rows of a block are always neighbours in the factor.
 */
#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"
#include "linsys/blas.h"

typedef struct state {
  const bcsr_pattern *pattern;
  cholmod_common common;
  cholmod_sparse *a; /* lower triangle, scalar */
  cholmod_factor *l;
  cholmod_dense *x, *work_y, *work_e; /* kept by cholmod_l_solve2 from call to call */
} state;

static tribo_status failed(const cholmod_common *common, tribo_error *err) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY) return status_no_memory(err, "the factorisation");
  if (common->status == CHOLMOD_TOO_LARGE)
    return status_fail(err, TRIBO_NO_MEMORY,
                       "the matrix is too large to factor; use the solver cg");
  return status_fail(err, TRIBO_BAD_INPUT, "CHOLMOD failed with its status %d", common->status);
}

/* The blocks of the lower triangle, as a pattern. Column j of a symmetric pattern is its row j. */
static cholmod_sparse *block_graph(const bcsr_pattern *pattern, cholmod_common *common) {
  size_t rows = (size_t)pattern->rows, blocks = 0;
  for (size_t j = 0; j < rows; j++)
    blocks += (size_t)(pattern->row_start[j + 1] - pattern->diagonal[j]);
  cholmod_sparse *graph =
      cholmod_l_allocate_sparse(rows, rows, blocks, 1, 1, -1, CHOLMOD_PATTERN, common);
  if (!graph) return NULL;
  SuiteSparse_long *start = graph->p, *index = graph->i, at = 0;
  for (size_t j = 0; j < rows; j++) {
    start[j] = at;
    for (int32_t k = pattern->diagonal[j]; k < pattern->row_start[j + 1]; k++)
      index[at++] = pattern->columns[k];
  }
  start[rows] = at;
  return graph;
}

/* The same with each block spelled out. Column 3j+c holds what is left of the diagonal block, then
 * three rows a block. */
static cholmod_sparse *scalar_matrix(const bcsr_pattern *pattern, cholmod_common *common) {
  size_t rows = (size_t)pattern->rows, entries = 0;
  for (size_t j = 0; j < rows; j++)
    entries += 9 * (size_t)(pattern->row_start[j + 1] - pattern->diagonal[j]) - 3;
  cholmod_sparse *a =
      cholmod_l_allocate_sparse(3 * rows, 3 * rows, entries, 1, 1, -1, CHOLMOD_REAL, common);
  if (!a) return NULL;
  SuiteSparse_long *start = a->p, *index = a->i, at = 0;
  for (int32_t j = 0; j < pattern->rows; j++)
    for (int c = 0; c < 3; c++) {
      start[3 * j + c] = at;
      for (int r = c; r < 3; r++) index[at++] = 3 * (SuiteSparse_long)j + r;
      for (int32_t k = pattern->diagonal[j] + 1; k < pattern->row_start[j + 1]; k++)
        for (int r = 0; r < 3; r++) index[at++] = 3 * (SuiteSparse_long)pattern->columns[k] + r;
    }
  start[3 * rows] = at;
  return a;
}

/* A fill-reducing order of the blocks: nested dissection or minimum degree, whichever gives the
 * smaller factor. */
static cholmod_factor *order_blocks(const bcsr_pattern *pattern, cholmod_common *common) {
  cholmod_sparse *graph = block_graph(pattern, common);
  if (!graph) return NULL;
  common->nmethods = 2;
  common->method[0].ordering = CHOLMOD_METIS;
  common->method[1].ordering = CHOLMOD_AMD;
  common->postorder = 1;
  common->supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_factor *order = cholmod_l_analyze(graph, common);
  cholmod_l_free_sparse(&graph, common);
  return order;
}

static bool analyze(state *s) {
  cholmod_factor *order = order_blocks(s->pattern, &s->common);
  s->a = scalar_matrix(s->pattern, &s->common);
  size_t rows = (size_t)s->pattern->rows;
  SuiteSparse_long *expanded = cholmod_l_malloc(3 * rows, sizeof(SuiteSparse_long), &s->common);
  if (order && s->a && expanded) {
    const SuiteSparse_long *block = order->Perm;
    for (size_t i = 0; i < rows; i++)
      for (size_t r = 0; r < 3; r++) expanded[3 * i + r] = 3 * block[i] + (SuiteSparse_long)r;
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_GIVEN;
    s->common.supernodal = CHOLMOD_SUPERNODAL;
    s->l = cholmod_l_analyze_p(s->a, expanded, NULL, 0, &s->common);
  }
  cholmod_l_free(3 * rows, sizeof(SuiteSparse_long), expanded, &s->common);
  cholmod_l_free_factor(&order, &s->common);
  return s->l != NULL;
}

static void cholmod_free_state(void *context) {
  state *s = context;
  cholmod_l_free_sparse(&s->a, &s->common);
  cholmod_l_free_factor(&s->l, &s->common);
  cholmod_l_free_dense(&s->x, &s->common);
  cholmod_l_free_dense(&s->work_y, &s->common);
  cholmod_l_free_dense(&s->work_e, &s->common);
  cholmod_l_finish(&s->common);
  free(s);
}

static tribo_status cholmod_create(const linsys_options *options, const bcsr_pattern *pattern,
                                   void **out, tribo_error *err) {
  (void)options;
  state *s = malloc(sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  *s = (state){.pattern = pattern};
  cholmod_l_start(&s->common);
  s->common.print = 0;
  s->common.error_handler = NULL;
  s->common.quick_return_if_not_posdef = 1;
  s->common.final_ll = 1;
  if (!analyze(s)) {
    tribo_status status = failed(&s->common, err);
    cholmod_free_state(s);
    return status;
  }
  *out = s;
  return TRIBO_OK;
}

static void cholmod_values(void *context, const bcsr *a) {
  state *s = context;
  const bcsr_pattern *pattern = s->pattern;
  double *to = s->a->x;
  for (int32_t j = 0; j < pattern->rows; j++)
    for (int c = 0; c < 3; c++) {
      /* Entry (r, c) of block (k, j) is entry (c, r) of block (j, k). */
      const mat3 *block = &a->blocks[pattern->diagonal[j]];
      for (int r = c; r < 3; r++) *to++ = block->m[c][r];
      const mat3 *end = &a->blocks[pattern->row_start[j + 1]];
      for (block++; block < end; block++, to += 3) memcpy(to, block->m[c], 3 * sizeof *to);
    }
}

/* BLAS lets NaN pass for a positive pivot; we do not. */
static bool pivots_positive(const cholmod_factor *l) {
  const SuiteSparse_long *super = l->super, *rows = l->pi, *values = l->px;
  for (size_t s = 0; s < l->nsuper; s++) {
    SuiteSparse_long height = rows[s + 1] - rows[s];
    const double *panel = (const double *)l->x + values[s];
    for (SuiteSparse_long c = 0; c < super[s + 1] - super[s]; c++)
      if (!(panel[c * height + c] > 0)) return false;
  }
  return true;
}

static tribo_status cholmod_factor_values(void *context, linsys_outcome *outcome,
                                          tribo_error *err) {
  state *s = context;
  blas_hold_threads();
  int done = cholmod_l_factorize(s->a, s->l, &s->common);
  blas_release_threads();
  if (!done) return failed(&s->common, err);
  bool definite =
      s->common.status != CHOLMOD_NOT_POSDEF && s->l->minor == s->l->n && pivots_positive(s->l);
  *outcome = definite ? LINSYS_DONE : LINSYS_NOT_POSITIVE_DEFINITE;
  return TRIBO_OK;
}

static tribo_status cholmod_solve_system(void *context, const double *b, int nrhs, double *x,
                                         linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  size_t n = s->l->n;
  cholmod_dense right = {.nrow = n,
                         .ncol = (size_t)nrhs,
                         .nzmax = n * (size_t)nrhs,
                         .d = n,
                         .x = (double *)(uintptr_t)b, /* CHOLMOD only reads it */
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  blas_hold_threads();
  int done = cholmod_l_solve2(CHOLMOD_A, s->l, &right, NULL, &s->x, NULL, &s->work_y, &s->work_e,
                              &s->common);
  blas_release_threads();
  if (!done) return failed(&s->common, err);
  memcpy(x, s->x->x, n * (size_t)nrhs * sizeof *x);
  *outcome = LINSYS_DONE;
  return TRIBO_OK;
}

static int cholmod_inertia(const void *context) {
  const state *s = context;
  return s->l->minor == s->l->n ? 0 : -1;
}

const linsys_backend linsys_backend_cholmod = {
    .caps = {.name = "cholmod", .direct = true, .indefinite = false, .deterministic = true},
    .create = cholmod_create,
    .values = cholmod_values,
    .factor = cholmod_factor_values,
    .solve = cholmod_solve_system,
    .inertia = cholmod_inertia,
    .free = cholmod_free_state,
};
