/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/linsys.h"

#include <assert.h>
#include <stdlib.h>

#include "linsys/backend.h"

struct linsys {
  const linsys_backend *backend;
  void *state; /* NULL: a system without rows, which is solved by doing nothing */
};

/* AUTO is direct as long as the factors fit in this: a factorisation does not care how stiff the
 * scene is, and conjugate gradients do. Above ANALYZE_AT_MOST rows not even the ordering is worth
 * its time. Where a factorisation costs as much as TRY_AT_LEAST iterations three times over, as it
 * does for solids and not for cloth, conjugate gradients are tried first.
 * docs/linear_solvers.md has the measurements. */
static const double DIRECT_BYTES = 4e9;
enum { ANALYZE_AT_MOST = 1000000, TRY_AT_LEAST = 50 };

/* The state of cholmod's in a solver; NULL: it has none. */
static const void *ordering_of(const linsys *s) {
  if (!s || !s->state) return NULL;
  if (s->backend == &linsys_backend_mixed) return linsys_mixed_direct(s->state);
  return s->backend == &linsys_backend_cholmod ? s->state : NULL;
}

static tribo_status create_auto(const linsys_options *options, const bcsr_pattern *pattern,
                                const void *like, linsys *s, tribo_error *err) {
  s->backend = &linsys_backend_cholmod;
  if (pattern->rows == 0) return TRIBO_OK;
  if (pattern->rows <= ANALYZE_AT_MOST)
    TRY(linsys_cholmod_within(options, pattern, like, DIRECT_BYTES, &s->state, err));
  if (!s->state) {
    s->backend = &linsys_backend_cg;
    return s->backend->create(options, pattern, &s->state, err);
  }
  int budget = linsys_mixed_budget(linsys_cholmod_flops(s->state), pattern);
  if (budget < TRY_AT_LEAST) return TRIBO_OK;
  void *direct = s->state;
  tribo_status status = linsys_mixed_create(options, pattern, direct, budget, &s->state, err);
  if (status == TRIBO_OK)
    s->backend = &linsys_backend_mixed;
  else
    linsys_backend_cholmod.free(direct);
  return status;
}

static tribo_status create_kind(const linsys_options *options, const bcsr_pattern *pattern,
                                const void *like, linsys *s, tribo_error *err) {
  switch (options->kind) {
    case LINSYS_AUTO: return create_auto(options, pattern, like, s, err);
    case LINSYS_CHOLMOD: s->backend = &linsys_backend_cholmod; break;
    case LINSYS_PARDISO: s->backend = &linsys_backend_pardiso; break;
    case LINSYS_CG: s->backend = &linsys_backend_cg; break;
  }
  if (!s->backend)
    return status_fail(err, TRIBO_BAD_INPUT, "there is no linear solver number %d",
                       (int)options->kind);
  if (pattern->rows == 0) return TRIBO_OK;
  if (s->backend == &linsys_backend_cholmod)
    return linsys_cholmod_within(options, pattern, like, INFINITY, &s->state, err);
  return s->backend->create(options, pattern, &s->state, err);
}

tribo_status linsys_create_like(const linsys *like, const linsys_options *options,
                                const bcsr_pattern *pattern, linsys **out, tribo_error *err) {
  linsys *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  tribo_status status = create_kind(options, pattern, ordering_of(like), s, err);
  if (status == TRIBO_OK)
    *out = s;
  else
    free(s);
  return status;
}

tribo_status linsys_create(const linsys_options *options, const bcsr_pattern *pattern, linsys **out,
                           tribo_error *err) {
  return linsys_create_like(NULL, options, pattern, out, err);
}

void linsys_begin(linsys *s) {
  if (s->state && s->backend->begin) s->backend->begin(s->state);
}

void linsys_values(linsys *s, const bcsr *a) {
  if (s->state) s->backend->values(s->state, a);
}

tribo_status linsys_factor(linsys *s, linsys_outcome *outcome, tribo_error *err) {
  *outcome = LINSYS_DONE;
  return s->state ? s->backend->factor(s->state, outcome, err) : TRIBO_OK;
}

tribo_status linsys_solve(linsys *s, const double *b, int nrhs, double *x, linsys_outcome *outcome,
                          tribo_error *err) {
  assert(nrhs >= 0);
  *outcome = LINSYS_DONE;
  return s->state && nrhs > 0 ? s->backend->solve(s->state, b, nrhs, x, outcome, err) : TRIBO_OK;
}

int linsys_inertia(const linsys *s) {
  if (!s->state) return 0;
  return s->backend->inertia ? s->backend->inertia(s->state) : -1;
}

const linsys_caps *linsys_capabilities(const linsys *s) { return &s->backend->caps; }

int linsys_iterations(const linsys *s) {
  return s->state && s->backend->iterations ? s->backend->iterations(s->state) : 0;
}

void linsys_free(linsys *s) {
  if (!s) return;
  if (s->state) s->backend->free(s->state);
  free(s);
}
