/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mixed: conjugate gradients first, a factorisation when they do not get there. What AUTO takes for
 * solids, whose factors are costly while their systems are often kind.
 *
 * Nobody can tell from a pattern how many iterations its numbers will need, so the choice is made
 * by trying: conjugate gradients may take as long as a third of a factorisation would, by a count
 * of operations and bytes and not by a clock. When that is not enough the system is factorised, and
 * so are the ones after it until linsys_begin. A step begins anew, so that what is decided in it
 * does not depend on the steps before: a resumed bake decides alike.
 */
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"

typedef struct state {
  void *direct, *iterative;
  const bcsr *a;
  size_t size;    /* doubles of a right-hand side */
  double *kept;   /* the right-hand side, which the solution may overwrite */
  bool stalled;   /* since linsys_begin */
  bool factored;  /* the values at hand, directly */
  int iterations; /* of the last solve */
} state;

/* Rates of one core, the first of them one with AVX2 (with AVX-512 it is twice that): only their
 * ratio matters, and within a factor of two not even that. */
static const double DIRECT_FLOPS = 2.5e10, ITERATIVE_BYTES = 2e10;
static const double SHARE = 1.0 / 3;
enum { VECTOR_PASSES = 12, SEVERAL = 4 };

int linsys_mixed_budget(double factor_flops, const bcsr_pattern *pattern) {
  double bytes = (double)bcsr_block_count(pattern) * (sizeof(mat3) + sizeof(int32_t)) +
                 (double)pattern->rows * VECTOR_PASSES * sizeof(vec3);
  return (int)fmin(SHARE * (factor_flops / DIRECT_FLOPS) / (bytes / ITERATIVE_BYTES), 1e6);
}

static const linsys_backend *direct_backend(void) { return &linsys_backend_cholmod; }
static const linsys_backend *iterative_backend(void) { return &linsys_backend_cg; }

static void mixed_free(void *context) {
  state *s = context;
  if (s->direct) direct_backend()->free(s->direct);
  if (s->iterative) iterative_backend()->free(s->iterative);
  free(s->kept);
  free(s);
}

tribo_status linsys_mixed_create(const linsys_options *options, const bcsr_pattern *pattern,
                                 void *direct, int budget, void **out, tribo_error *err) {
  linsys_options limited = *options;
  if (limited.cg_iterations > budget) limited.cg_iterations = budget;
  state *s = calloc(1, sizeof *s);
  if (s) {
    s->size = 3 * (size_t)pattern->rows;
    s->kept = malloc(s->size * sizeof *s->kept);
  }
  if (!s || !s->kept) {
    free(s);
    return status_no_memory(err, "the linear solver");
  }
  tribo_status status = iterative_backend()->create(&limited, pattern, &s->iterative, err);
  if (status != TRIBO_OK) {
    mixed_free(s);
    return status;
  }
  s->direct = direct;
  *out = s;
  return TRIBO_OK;
}

const void *linsys_mixed_direct(const void *context) { return ((const state *)context)->direct; }

static void mixed_begin(void *context) { ((state *)context)->stalled = false; }

static void mixed_values(void *context, const bcsr *a) {
  state *s = context;
  s->a = a;
  s->factored = false;
}

static tribo_status factor_directly(state *s, linsys_outcome *outcome, tribo_error *err) {
  direct_backend()->values(s->direct, s->a);
  TRY(direct_backend()->factor(s->direct, outcome, err));
  s->factored = *outcome == LINSYS_DONE;
  return TRIBO_OK;
}

static tribo_status mixed_factor(void *context, linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  if (s->stalled) return factor_directly(s, outcome, err);
  iterative_backend()->values(s->iterative, s->a);
  return iterative_backend()->factor(s->iterative, outcome, err);
}

static tribo_status mixed_solve(void *context, const double *b, int nrhs, double *x,
                                linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  s->iterations = 0;
  if (!s->factored && nrhs >= SEVERAL) { /* many solves are what a factorisation is for */
    TRY(factor_directly(s, outcome, err));
    if (*outcome != LINSYS_DONE) return TRIBO_OK;
  }
  for (size_t k = 0; k < (size_t)nrhs; k++) {
    const double *from = b + k * s->size;
    double *to = x + k * s->size;
    if (s->factored)
      return direct_backend()->solve(s->direct, from, nrhs - (int)k, to, outcome, err);
    memcpy(s->kept, from, s->size * sizeof *s->kept);
    TRY(iterative_backend()->solve(s->iterative, s->kept, 1, to, outcome, err));
    s->iterations += iterative_backend()->iterations(s->iterative);
    if (*outcome == LINSYS_NOT_POSITIVE_DEFINITE) return TRIBO_OK;
    if (*outcome == LINSYS_DONE) continue;
    s->stalled = true;
    TRY(factor_directly(s, outcome, err));
    if (*outcome != LINSYS_DONE) return TRIBO_OK;
    TRY(direct_backend()->solve(s->direct, s->kept, 1, to, outcome, err));
  }
  return TRIBO_OK;
}

static int mixed_iterations(const void *context) { return ((const state *)context)->iterations; }

const linsys_backend linsys_backend_mixed = {
    .caps = {.name = "mixed", .direct = false, .indefinite = false, .deterministic = true},
    .begin = mixed_begin,
    .values = mixed_values,
    .factor = mixed_factor,
    .solve = mixed_solve,
    .iterations = mixed_iterations,
    .free = mixed_free,
};
