/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cholmod: the direct backend. SuiteSparse CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS
 * 35(3), 2008) finds the ordering and the supernodes; supernodal.h does the numbers.
 *
 * The analysis sees the graph of blocks, which has a ninth of the scalar entries and the same
 * structure.
 *
 * Most of its time goes into the dissection. Where bodies come into contact the pattern is that of
 * another system and some couplings more, so the ordering can be that system's, with rows that have
 * new couplings put last: what stays in front fills no more than it did among itself, and the rest
 * is one more separator.
 */
#include <cholmod.h>
#include <pthread.h>
#include <stdlib.h>

#include "linsys/backend.h"
#include "linsys/supernodal.h"

/* A dissection takes as long as a few times this many operations of a factorisation for each block.
 * It is worth that when the ordering at hand costs so much more than the one it was made from,
 * since an analysis serves a handful of factorisations and wins back a part of that only. */
static const double EXCESS_PER_BLOCK = 1e4;

typedef struct state {
  supernodal factor;
  const bcsr_pattern *pattern;
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

/* Supernodes are merged as CHOLMOD does by default, with its limits divided by `side`, that of the
 * blocks that our columns are. */
static void set_up(size_t side, cholmod_common *common) {
  cholmod_l_start(common);
  common->print = 0;
  common->error_handler = NULL;
  common->postorder = 1;
  common->supernodal = CHOLMOD_SUPERNODAL;
  common->nrelax[0] = (4 + side - 1) / side;
  common->nrelax[1] = (16 + side - 1) / side;
  common->nrelax[2] = 48 / side;
}

/* Nested dissection or minimum degree, whichever fills less. The dissection is CHOLMOD's own, with
 * METIS for the separators only: METIS_NodeND catches SIGTERM and SIGABRT for as long as it runs,
 * so a bake would now and then not hear that it shall stop. */
static cholmod_factor *order_anew(cholmod_sparse *graph, cholmod_common *common) {
  common->nmethods = 2;
  common->method[0].ordering = CHOLMOD_NESDIS;
  common->method[1].ordering = CHOLMOD_AMD;
  /* METIS seeds the C library's rand() and draws from it: one number generator for the process. Two
   * orderings at once would take numbers from each other, and the host would find its own sequence
   * begun anew. So they wait for each other, and use a state of their own, of the size that rand()
   * begins with: then its numbers are the usual ones. */
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  char own[128] __attribute__((aligned(8)));
  pthread_mutex_lock(&one_at_a_time);
  char *hosts = initstate(1, own, sizeof own);
  cholmod_factor *l = cholmod_l_analyze(graph, common);
  setstate(hosts);
  pthread_mutex_unlock(&one_at_a_time);
  return l;
}

/* The columns of row i that it does not have in `base`; returns how many. */
static int32_t new_couplings(const bcsr_pattern *base, const bcsr_pattern *pattern, int32_t i,
                             int32_t *columns) {
  int32_t count = 0, at = base->row_start[i], end = base->row_start[i + 1];
  for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
    while (at < end && base->columns[at] < pattern->columns[k]) at++;
    if (at == end || base->columns[at] != pattern->columns[k])
      columns[count++] = pattern->columns[k];
  }
  return count;
}

/* Which rows go last: all that couple anew, or of each new coupling the one that has more of them,
 * so that each still has one of its rows there. Where a fine cloth lies on a coarse body the second
 * are far fewer. more: the number of new couplings of each row. */
static void choose_last(const bcsr_pattern *base, const bcsr_pattern *pattern, bool fewer,
                        const int32_t *more, int32_t *columns, bool *last) {
  for (int32_t i = 0; i < pattern->rows; i++) {
    last[i] = more[i] > 0 && !fewer;
    if (more[i] == 0 || !fewer) continue;
    int32_t count = new_couplings(base, pattern, i, columns);
    for (int32_t k = 0; k < count; k++) {
      int32_t j = columns[k];
      if (more[i] > more[j] || (more[i] == more[j] && i > j)) last[i] = true;
    }
  }
}

/* The ordering of `like` with those rows put last. NULL: no memory. */
static cholmod_factor *order_alike(const state *like, const bcsr_pattern *pattern, bool fewer,
                                   cholmod_sparse *graph, cholmod_common *common) {
  size_t rows = (size_t)pattern->rows, count = 0;
  SuiteSparse_long *order = malloc(rows * sizeof *order);
  int32_t *more = malloc(rows * sizeof *more), *columns = malloc(rows * sizeof *columns);
  bool *last = malloc(rows * sizeof *last);
  cholmod_factor *l = NULL;
  if (order && more && columns && last) {
    for (int32_t i = 0; i < pattern->rows; i++)
      more[i] = new_couplings(like->pattern, pattern, i, columns);
    choose_last(like->pattern, pattern, fewer, more, columns, last);
    for (int late = 0; late < 2; late++)
      for (size_t i = 0; i < rows; i++) {
        int32_t row = like->factor.shape.order[i];
        if (last[row] == late) order[count++] = row;
      }
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    l = cholmod_l_analyze_p(graph, order, NULL, 0, common);
  } else {
    common->status = CHOLMOD_OUT_OF_MEMORY;
  }
  free(order);
  free(more);
  free(columns);
  free(last);
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

static double flops_of(const supernodal_shape *shape) {
  double sum = 0;
  for (int32_t n = 0; n < shape->count; n++) {
    double columns = 3.0 * (shape->first[n + 1] - shape->first[n]);
    double below = 3.0 * (double)(shape->rows_at[n + 1] - shape->rows_at[n]) - columns;
    sum += columns * (columns * columns / 3 + columns * below + below * below);
  }
  return sum;
}

/* By the two patterns alone: what was solved before must not matter. */
static bool good_enough(const state *like, const bcsr_pattern *pattern,
                        const supernodal_shape *shape) {
  double most = flops_of(&like->factor.shape) + EXCESS_PER_BLOCK * bcsr_block_count(pattern);
  return flops_of(shape) <= most;
}

static tribo_status analyze(const bcsr_pattern *pattern, const state *like, supernodal *s,
                            tribo_error *err) {
  cholmod_common common;
  set_up(3, &common);
  cholmod_sparse *graph = block_graph(pattern, &common);
  tribo_status status = graph ? TRIBO_OK : failed(&common, err);
  enum { ALL_LAST, FEWER_LAST, ANEW, TRIED };
  for (int try = like ? ALL_LAST : ANEW; try < TRIED && status == TRIBO_OK; try++) {
    cholmod_factor *l = try == ANEW ? order_anew(graph, &common)
                                    : order_alike(like, pattern, try == FEWER_LAST, graph, &common);
    if (!l)
      status = failed(&common, err);
    else if (!take_shape(l, &s->memory, &s->shape))
      status = status_no_memory(err, "the factorisation");
    cholmod_l_free_factor(&l, &common);
    if (status == TRIBO_OK && try != ANEW && good_enough(like, pattern, &s->shape)) break;
  }
  cholmod_l_free_sparse(&graph, &common);
  cholmod_l_finish(&common);
  return status;
}

tribo_status linsys_cholmod_shape(const bcsr_pattern *pattern, arena *memory, supernodal_shape *out,
                                  tribo_error *err) {
  cholmod_common common;
  set_up(1, &common);
  cholmod_sparse *graph = block_graph(pattern, &common);
  cholmod_factor *l = graph ? order_anew(graph, &common) : NULL;
  tribo_status status = l ? TRIBO_OK : failed(&common, err);
  if (l && !take_shape(l, memory, out)) status = status_no_memory(err, "the factorisation");
  cholmod_l_free_factor(&l, &common);
  cholmod_l_free_sparse(&graph, &common);
  cholmod_l_finish(&common);
  return status;
}

static void cholmod_free_state(void *context) {
  state *s = context;
  supernodal_free(&s->factor);
  free(s);
}

tribo_status linsys_cholmod_within(const linsys_options *options, const bcsr_pattern *pattern,
                                   const void *like, double most_bytes, void **out,
                                   tribo_error *err) {
  TRY(tasks_check(&options->tasks, err)); /* nobody can stop an ordering once it has begun */
  state *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  s->factor.tasks = options->tasks;
  s->pattern = pattern;
  bool too_large = false;
  tribo_status status = analyze(pattern, like, &s->factor, err);
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
  return flops_of(&((const state *)context)->factor.shape);
}

static tribo_status cholmod_create(const linsys_options *options, const bcsr_pattern *pattern,
                                   void **out, tribo_error *err) {
  return linsys_cholmod_within(options, pattern, NULL, INFINITY, out, err);
}

static void cholmod_values(void *context, const bcsr *a) { ((state *)context)->a = a; }

static tribo_status cholmod_factor_values(void *context, linsys_outcome *outcome,
                                          tribo_error *err) {
  state *s = context;
  s->definite = supernodal_factor(&s->factor, s->a);
  TRY(tasks_check(&s->factor.tasks, err)); /* it may have been given up */
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
