/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cg: conjugate gradients (Hestenes and Stiefel 1952), with the inverse of the diagonal blocks as
 * preconditioner. Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1.
 *
 * Symmetric Gauss-Seidel on the blocks was measured too (docs/linear_solvers.md): half to two
 * thirds of the iterations, each about twice as long, so it never won, and its sweeps must be cut
 * apart for threads. An incomplete Cholesky sweeps the same way; it has not been tried.
 */
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"

enum { CHUNK = 128, GRAIN = 4 }; /* rows, chunks */

typedef struct state {
  const bcsr_pattern *pattern;
  const bcsr *a;
  tasks tasks;
  double tolerance;
  int most_iterations, iterations;
  size_t chunks;
  arena memory;
  mat3 *inverse;                          /* of the diagonal blocks */
  vec3 *residual, *direction, *image, *z; /* r, p, A p, M^-1 r */
  double *rr, *rz, *curvature;            /* sums of chunks */
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
  s->chunks = (rows + CHUNK - 1) / CHUNK;
  s->inverse = ARENA_ARRAY(&s->memory, mat3, rows);
  s->residual = ARENA_ARRAY(&s->memory, vec3, rows);
  s->direction = ARENA_ARRAY(&s->memory, vec3, rows);
  s->image = ARENA_ARRAY(&s->memory, vec3, rows);
  s->z = ARENA_ARRAY(&s->memory, vec3, rows);
  s->rr = ARENA_ARRAY(&s->memory, double, s->chunks);
  s->rz = ARENA_ARRAY(&s->memory, double, s->chunks);
  s->curvature = ARENA_ARRAY(&s->memory, double, s->chunks);
  if (!s->inverse || !s->residual || !s->direction || !s->image || !s->z || !s->rr || !s->rz ||
      !s->curvature) {
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
  tasks_for(&s->tasks, rows, CHUNK * GRAIN, invert_diagonal, s);
  *outcome = LINSYS_DONE;
  for (size_t i = 0; i < rows; i++)
    if (isnan(s->inverse[i].m[0][0])) *outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  return TRIBO_OK;
}

/* An iteration goes over the rows three times, in chunks of fixed length. What it must know of all
 * rows it sums on the way, chunk by chunk, so that the shape of a sum does not depend on threads.
 */
typedef struct pass {
  state *s;
  double length; /* along the direction, or of the old direction in the new one */
  vec3 *x;
} pass;

static size_t chunk_end(const state *s, size_t chunk) {
  size_t rows = (size_t)s->pattern->rows;
  return (chunk + 1) * CHUNK < rows ? (chunk + 1) * CHUNK : rows;
}

static double total(const state *s, const double *sums) {
  double sum = 0;
  for (size_t c = 0; c < s->chunks; c++) sum += sums[c];
  return sum;
}

/* x += length p, r -= length A p, z = M^-1 r; sums r r and r z. */
static void step_chunks(void *context, size_t begin, size_t end) {
  const pass *job = context;
  state *s = job->s;
  for (size_t chunk = begin; chunk < end; chunk++) {
    double rr = 0, rz = 0;
    for (size_t i = chunk * CHUNK; i < chunk_end(s, chunk); i++) {
      vec3 r = vec3_madd(s->residual[i], -job->length, s->image[i]);
      job->x[i] = vec3_madd(job->x[i], job->length, s->direction[i]);
      s->residual[i] = r;
      s->z[i] = mat3_mul_vec3(&s->inverse[i], r);
      rr += vec3_dot(r, r);
      rz += vec3_dot(r, s->z[i]);
    }
    s->rr[chunk] = rr;
    s->rz[chunk] = rz;
  }
}

/* p = z + length p */
static void turn_chunks(void *context, size_t begin, size_t end) {
  const pass *job = context;
  state *s = job->s;
  for (size_t i = begin * CHUNK; i < chunk_end(s, end - 1); i++)
    s->direction[i] = vec3_madd(s->z[i], job->length, s->direction[i]);
}

/* A p; sums p A p. */
static void multiply_chunks(void *context, size_t begin, size_t end) {
  const pass *job = context;
  state *s = job->s;
  for (size_t chunk = begin; chunk < end; chunk++) {
    size_t first = chunk * CHUNK, last = chunk_end(s, chunk);
    bcsr_multiply_rows(s->a, s->direction, first, last, s->image);
    double curvature = 0;
    for (size_t i = first; i < last; i++) curvature += vec3_dot(s->direction[i], s->image[i]);
    s->curvature[chunk] = curvature;
  }
}

static linsys_outcome solve_one(state *s, const double *b, vec3 *x) {
  const tasks *t = &s->tasks;
  size_t rows = (size_t)s->pattern->rows;
  memcpy(s->residual, b, rows * sizeof *x); /* before x is touched: they may be the same */
  memset(x, 0, rows * sizeof *x);
  memset(s->direction, 0, rows * sizeof *x);
  memset(s->image, 0, rows * sizeof *x);

  pass job = {s, 0, x};
  tasks_for(t, s->chunks, GRAIN, step_chunks, &job); /* of no length: z and the sums */
  double rr = total(s, s->rr), rz = total(s, s->rz), rz_before = 0;
  double enough = s->tolerance * s->tolerance * rr;
  if (rr == 0) return LINSYS_DONE;
  for (int i = 0; i < s->most_iterations && !tasks_stopped(t); i++) {
    job.length = i ? rz / rz_before : 0;
    tasks_for(t, s->chunks, GRAIN, turn_chunks, &job);
    tasks_for(t, s->chunks, GRAIN, multiply_chunks, &job);
    double curvature = total(s, s->curvature);
    if (!(curvature > 0) || !(rz > 0)) return LINSYS_NOT_POSITIVE_DEFINITE;
    job.length = rz / curvature;
    tasks_for(t, s->chunks, GRAIN, step_chunks, &job);
    s->iterations++;
    rz_before = rz;
    rz = total(s, s->rz);
    if (total(s, s->rr) <= enough) return LINSYS_DONE;
  }
  return LINSYS_NOT_CONVERGED;
}

static tribo_status cg_solve(void *context, const double *b, int nrhs, double *x,
                             linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  size_t n = 3 * (size_t)s->pattern->rows;
  s->iterations = 0;
  *outcome = LINSYS_DONE;
  for (size_t k = 0; k < (size_t)nrhs; k++) {
    linsys_outcome one = solve_one(s, b + k * n, (vec3 *)(x + k * n));
    if (one == LINSYS_NOT_POSITIVE_DEFINITE || *outcome == LINSYS_DONE) *outcome = one;
  }
  return tasks_check(&s->tasks, err);
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
