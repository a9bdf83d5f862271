/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/linsys.h"

#include <assert.h>
#include <stdlib.h>

#include "linsys/backend.h"

struct linsys {
  const linsys_backend *backend;
  void *state; /* NULL: a system without rows, which is solved by doing nothing */
};

/* Blocks of the matrix above which an iterative solver takes over. The reasons and the measurements
 * are in docs/linear_solvers.md. */
enum { DIRECT_ROWS_AT_MOST = 60000 };

static linsys_kind choose(const bcsr_pattern *pattern) {
  return pattern->rows <= DIRECT_ROWS_AT_MOST ? LINSYS_CHOLMOD : LINSYS_CG;
}

static const linsys_backend *backend_of(linsys_kind kind, const bcsr_pattern *pattern) {
  if (kind == LINSYS_AUTO) kind = choose(pattern);
  switch (kind) {
    case LINSYS_CHOLMOD: return &linsys_backend_cholmod;
    case LINSYS_CG: return &linsys_backend_cg;
    case LINSYS_PARDISO: return &linsys_backend_pardiso;
    case LINSYS_AUTO: break;
  }
  return NULL;
}

tribo_status linsys_create(const linsys_options *options, const bcsr_pattern *pattern, linsys **out,
                           tribo_error *err) {
  const linsys_backend *backend = backend_of(options->kind, pattern);
  if (!backend)
    return status_fail(err, TRIBO_BAD_INPUT, "there is no linear solver number %d",
                       (int)options->kind);
  linsys *s = malloc(sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  *s = (linsys){.backend = backend};
  if (pattern->rows > 0) {
    tribo_status status = backend->create(options, pattern, &s->state, err);
    if (status != TRIBO_OK) {
      free(s);
      return status;
    }
  }
  *out = s;
  return TRIBO_OK;
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
