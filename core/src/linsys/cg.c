/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cg: conjugate gradients (Hestenes and Stiefel 1952), with the inverse of the diagonal blocks as
 * preconditioner. Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1.
 *
 * Symmetric Gauss-Seidel on the blocks was measured too: half the iterations, each more than twice
 * as long, so it never won by more than noise on cloth or solid, and its sweeps must be cut apart
 * for threads. An incomplete Cholesky sweeps the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"

enum { GRAIN = 512 }; /* rows */

typedef struct state {
  const bcsr_pattern *pattern;
  const bcsr *a;
  tasks tasks;
  double tolerance;
  int most_iterations, iterations;
  arena memory;
  mat3 *inverse;                          /* of the diagonal blocks */
  vec3 *residual, *direction, *image, *z; /* r, p, A p, M^-1 r */
} state;

static tribo_status cg_create(const linsys_options *options, const bcsr_pattern *pattern,
                              void **out, tribo_error *err) {
  state *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the linear solver");
  s->pattern = pattern;
  s->tasks = options->tasks;
  s->tolerance = options->cg_tolerance;
  s->most_iterations = options->cg_iterations;
  size_t rows = (size_t)pattern->rows;
  s->inverse = ARENA_ARRAY(&s->memory, mat3, rows);
  s->residual = ARENA_ARRAY(&s->memory, vec3, rows);
  s->direction = ARENA_ARRAY(&s->memory, vec3, rows);
  s->image = ARENA_ARRAY(&s->memory, vec3, rows);
  s->z = ARENA_ARRAY(&s->memory, vec3, rows);
  if (!s->inverse || !s->residual || !s->direction || !s->image || !s->z) {
    arena_free(&s->memory);
    free(s);
    return status_no_memory(err, "the linear solver");
  }
  *out = s;
  return TRIBO_OK;
}

static void cg_free(void *context) {
  state *s = context;
  arena_free(&s->memory);
  free(s);
}

static void cg_values(void *context, const bcsr *a) { ((state *)context)->a = a; }

/* Sylvester: all leading minors positive, each beyond its own rounding. NaN is not definite. */
static bool definite(const mat3 *a) {
  const double(*m)[3] = a->m;
  double minor2 = m[0][0] * m[1][1] - m[0][1] * m[0][1], det = mat3_det(a);
  return m[0][0] > 0 && minor2 > 1e-15 * m[0][0] * m[1][1] &&
         det > 1e-15 * m[0][0] * m[1][1] * m[2][2] && isfinite(det);
}

static void invert_diagonal(void *context, size_t begin, size_t end) {
  state *s = context;
  for (size_t i = begin; i < end; i++) {
    const mat3 *block = &s->a->blocks[s->pattern->diagonal[i]];
    s->inverse[i] = definite(block) ? mat3_inverse(block) : (mat3){.m = {{NAN}}};
  }
}

static tribo_status cg_factor(void *context, linsys_outcome *outcome, tribo_error *err) {
  (void)err;
  state *s = context;
  size_t rows = (size_t)s->pattern->rows;
  tasks_for(&s->tasks, rows, GRAIN, invert_diagonal, s);
  *outcome = LINSYS_DONE;
  for (size_t i = 0; i < rows; i++)
    if (isnan(s->inverse[i].m[0][0])) *outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  return TRIBO_OK;
}

typedef struct advance {
  state *s;
  double length; /* along the direction, or of the old one in the new */
  vec3 *x;
} advance;

/* x += length p, r -= length A p, z = M^-1 r */
static void step_rows(void *context, size_t begin, size_t end) {
  const advance *job = context;
  state *s = job->s;
  for (size_t i = begin; i < end; i++) {
    job->x[i] = vec3_madd(job->x[i], job->length, s->direction[i]);
    s->residual[i] = vec3_madd(s->residual[i], -job->length, s->image[i]);
    s->z[i] = mat3_mul_vec3(&s->inverse[i], s->residual[i]);
  }
}

/* p = z + length p */
static void turn_rows(void *context, size_t begin, size_t end) {
  const advance *job = context;
  state *s = job->s;
  for (size_t i = begin; i < end; i++)
    s->direction[i] = vec3_madd(s->z[i], job->length, s->direction[i]);
}

static linsys_outcome solve_one(state *s, const double *b, vec3 *x) {
  const tasks *t = &s->tasks;
  size_t rows = (size_t)s->pattern->rows, n = 3 * rows;
  double *r = &s->residual->x, *p = &s->direction->x, *z = &s->z->x;
  memcpy(r, b, n * sizeof *r); /* before x is touched: they may be the same */
  memset(x, 0, rows * sizeof *x);
  memset(p, 0, n * sizeof *p);
  memset(s->image, 0, rows * sizeof *s->image);
  double enough = s->tolerance * s->tolerance * tasks_dot(t, r, r, n);
  if (enough == 0 && tasks_dot(t, r, r, n) == 0) return LINSYS_DONE;

  advance job = {s, 0, x};
  tasks_for(t, rows, GRAIN, step_rows, &job); /* of no length: z alone */
  double rz = tasks_dot(t, r, z, n), rz_before = 0;
  for (int i = 0; i < s->most_iterations; i++) {
    job.length = i ? rz / rz_before : 0;
    tasks_for(t, rows, GRAIN, turn_rows, &job);
    bcsr_multiply(s->a, t, s->direction, s->image);
    double curvature = tasks_dot(t, p, &s->image->x, n);
    if (!(curvature > 0) || !(rz > 0)) return LINSYS_NOT_POSITIVE_DEFINITE;
    job.length = rz / curvature;
    tasks_for(t, rows, GRAIN, step_rows, &job);
    s->iterations++;
    if (tasks_dot(t, r, r, n) <= enough) return LINSYS_DONE;
    rz_before = rz;
    rz = tasks_dot(t, r, z, n);
  }
  return LINSYS_NOT_CONVERGED;
}

static tribo_status cg_solve(void *context, const double *b, int nrhs, double *x,
                             linsys_outcome *outcome, tribo_error *err) {
  (void)err;
  state *s = context;
  size_t n = 3 * (size_t)s->pattern->rows;
  s->iterations = 0;
  *outcome = LINSYS_DONE;
  for (size_t k = 0; k < (size_t)nrhs; k++) {
    linsys_outcome one = solve_one(s, b + k * n, (vec3 *)(x + k * n));
    if (one == LINSYS_NOT_POSITIVE_DEFINITE || *outcome == LINSYS_DONE) *outcome = one;
  }
  return TRIBO_OK;
}

static int cg_iterations(const void *context) { return ((const state *)context)->iterations; }

const linsys_backend linsys_backend_cg = {
    .caps = {.name = "cg", .direct = false, .indefinite = false, .deterministic = true},
    .create = cg_create,
    .values = cg_values,
    .factor = cg_factor,
    .solve = cg_solve,
    .iterations = cg_iterations,
    .free = cg_free,
};
