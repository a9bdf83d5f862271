/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cholmod: the direct backend. SuiteSparse CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS
 * 35(3), 2008) finds the ordering and the supernodes; supernodal.h does the numbers.
 *
 * The analysis sees the graph of blocks, which has a ninth of the scalar entries and the same
 * structure.
 */
#include <cholmod.h>
#include <stdlib.h>

#include "linsys/backend.h"
#include "linsys/supernodal.h"

typedef struct state {
  supernodal factor;
  const bcsr *a;
  bool definite;
} state;

static tribo_status failed(const cholmod_common *common, tribo_error *err) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
    return status_fail(err, TRIBO_NO_MEMORY,
                       "out of memory for the factorisation; the solver cg needs far less");
  return status_fail(err, TRIBO_BAD_INPUT, "CHOLMOD's analysis failed with its status %d",
                     common->status);
}

/* The lower triangle, as a pattern. Column j of a symmetric pattern is its row j. */
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

/* Nested dissection or minimum degree, whichever fills less. The dissection is CHOLMOD's own, with
 * METIS for the separators only: METIS_NodeND catches SIGTERM and SIGABRT for as long as it runs,
 * so a bake would now and then not hear that it shall stop. Supernodes are merged as CHOLMOD does
 * by default, with its limits divided by three: our columns are blocks. */
static cholmod_factor *analyze_graph(const bcsr_pattern *pattern, cholmod_common *common) {
  cholmod_sparse *graph = block_graph(pattern, common);
  if (!graph) return NULL;
  common->nmethods = 2;
  common->method[0].ordering = CHOLMOD_NESDIS;
  common->method[1].ordering = CHOLMOD_AMD;
  common->postorder = 1;
  common->supernodal = CHOLMOD_SUPERNODAL;
  common->nrelax[0] = 2;
  common->nrelax[1] = 6;
  common->nrelax[2] = 16;
  cholmod_factor *l = cholmod_l_analyze(graph, common);
  cholmod_l_free_sparse(&graph, common);
  return l;
}

static int32_t *narrowed(const void *from, size_t count, arena *memory) {
  int32_t *to = ARENA_ARRAY(memory, int32_t, count);
  for (size_t i = 0; to && i < count; i++) to[i] = (int32_t)((const SuiteSparse_long *)from)[i];
  return to;
}

static bool take_shape(const cholmod_factor *l, arena *memory, supernodal_shape *out) {
  const SuiteSparse_long *rows_at = l->pi;
  size_t count = l->nsuper;
  *out = (supernodal_shape){.count = (int32_t)count,
                            .order = narrowed(l->Perm, l->n, memory),
                            .first = narrowed(l->super, count + 1, memory),
                            .rows = narrowed(l->s, (size_t)rows_at[count], memory),
                            .rows_at = ARENA_ARRAY(memory, size_t, count + 1)};
  if (!out->order || !out->first || !out->rows || !out->rows_at) return false;
  for (size_t n = 0; n <= count; n++) out->rows_at[n] = (size_t)rows_at[n];
  return true;
}

static tribo_status analyze(const bcsr_pattern *pattern, supernodal *s, tribo_error *err) {
  cholmod_common common;
  cholmod_l_start(&common);
  common.print = 0;
  common.error_handler = NULL;
  cholmod_factor *l = analyze_graph(pattern, &common);
  tribo_status status = TRIBO_OK;
  if (!l)
    status = failed(&common, err);
  else if (!take_shape(l, &s->memory, &s->shape))
    status = status_no_memory(err, "the factorisation");
  cholmod_l_free_factor(&l, &common);
  cholmod_l_finish(&common);
  return status;
}

static void cholmod_free_state(void *context) {
  state *s = context;
  supernodal_free(&s->factor);
  free(s);
}

tribo_status linsys_cholmod_within(const linsys_options *options, const bcsr_pattern *pattern,
                                   double most_bytes, void **out, tribo_error *err) {
  state *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  s->factor.tasks = options->tasks;
  bool too_large = false;
  tribo_status status = analyze(pattern, &s->factor, err);
  if (status == TRIBO_OK)
    status = supernodal_create(&s->factor, pattern, most_bytes, &too_large, err);
  if (status != TRIBO_OK || too_large) {
    cholmod_free_state(s);
    s = NULL;
  }
  if (status == TRIBO_OK) *out = s;
  return status;
}

double linsys_cholmod_flops(const void *context) {
  const supernodal_shape *shape = &((const state *)context)->factor.shape;
  double sum = 0;
  for (int32_t n = 0; n < shape->count; n++) {
    double columns = 3.0 * (shape->first[n + 1] - shape->first[n]);
    double below = 3.0 * (double)(shape->rows_at[n + 1] - shape->rows_at[n]) - columns;
    sum += columns * (columns * columns / 3 + columns * below + below * below);
  }
  return sum;
}

static tribo_status cholmod_create(const linsys_options *options, const bcsr_pattern *pattern,
                                   void **out, tribo_error *err) {
  return linsys_cholmod_within(options, pattern, INFINITY, out, err);
}

static void cholmod_values(void *context, const bcsr *a) { ((state *)context)->a = a; }

static tribo_status cholmod_factor_values(void *context, linsys_outcome *outcome,
                                          tribo_error *err) {
  (void)err;
  state *s = context;
  s->definite = supernodal_factor(&s->factor, s->a);
  *outcome = s->definite ? LINSYS_DONE : LINSYS_NOT_POSITIVE_DEFINITE;
  return TRIBO_OK;
}

static tribo_status cholmod_solve_system(void *context, const double *b, int nrhs, double *x,
                                         linsys_outcome *outcome, tribo_error *err) {
  *outcome = LINSYS_DONE;
  return supernodal_solve(&((state *)context)->factor, b, nrhs, x, err);
}

static int cholmod_inertia(const void *context) {
  return ((const state *)context)->definite ? 0 : -1;
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
