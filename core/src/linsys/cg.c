/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cg: conjugate gradients (Hestenes and Stiefel 1952) with symmetric Gauss-Seidel on 3x3 blocks as
 * preconditioner: M = (D + L) D^-1 (D + U), Saad, Iterative Methods for Sparse Linear
 * Systems, 10.2.
 *
 * Sweeping is sequential, so rows are cut in pieces and what couples two pieces is left out of M.
 * The cutting depends on the number of rows alone: any number of threads gives the same bits.
 */
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"

enum { GRAIN = 1024, PIECE = 2048, MOST_PIECES = 64 };

typedef struct state {
  const bcsr_pattern *pattern;
  const bcsr *a;
  tasks tasks;
  double tolerance;
  int most_iterations, iterations;
  size_t pieces;
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
  s->pieces = (rows + PIECE - 1) / PIECE;
  if (s->pieces > MOST_PIECES) s->pieces = MOST_PIECES;
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

/* z = M^-1 r on some pieces: a forward sweep, then a backward one. */
static void precondition_pieces(void *context, size_t begin, size_t end) {
  const state *s = context;
  const bcsr_pattern *pattern = s->pattern;
  size_t rows = (size_t)pattern->rows;
  for (size_t piece = begin; piece < end; piece++) {
    int32_t first = (int32_t)(rows * piece / s->pieces);
    int32_t last = (int32_t)(rows * (piece + 1) / s->pieces);
    for (int32_t i = first; i < last; i++) {
      vec3 sum = s->residual[i];
      for (int32_t k = pattern->diagonal[i] - 1; k >= pattern->row_start[i]; k--) {
        if (pattern->columns[k] < first) break;
        vec3 part = mat3_mul_vec3(&s->a->blocks[k], s->z[pattern->columns[k]]);
        sum = vec3_sub(sum, part);
      }
      s->z[i] = mat3_mul_vec3(&s->inverse[i], sum);
    }
    for (int32_t i = last - 1; i >= first; i--) {
      vec3 sum = {0, 0, 0};
      for (int32_t k = pattern->diagonal[i] + 1; k < pattern->row_start[i + 1]; k++) {
        if (pattern->columns[k] >= last) break;
        vec3 part = mat3_mul_vec3(&s->a->blocks[k], s->z[pattern->columns[k]]);
        sum = vec3_add(sum, part);
      }
      s->z[i] = vec3_sub(s->z[i], mat3_mul_vec3(&s->inverse[i], sum));
    }
  }
}

typedef struct update {
  double factor;
  const double *from;
  double *to;
} update;

static void add_multiple(void *context, size_t begin, size_t end) {
  const update *job = context;
  for (size_t i = begin; i < end; i++) job->to[i] += job->factor * job->from[i];
}

/* to = from + factor to */
static void next_direction(void *context, size_t begin, size_t end) {
  const update *job = context;
  for (size_t i = begin; i < end; i++) job->to[i] = job->from[i] + job->factor * job->to[i];
}

static linsys_outcome solve_one(state *s, const double *b, double *x) {
  const tasks *t = &s->tasks;
  size_t n = 3 * (size_t)s->pattern->rows;
  double *r = &s->residual->x, *p = &s->direction->x, *q = &s->image->x, *z = &s->z->x;
  memcpy(r, b, n * sizeof *r); /* before x is touched: they may be the same */
  memset(x, 0, n * sizeof *x);
  double r2 = tasks_dot(t, r, r, n);
  double enough = s->tolerance * s->tolerance * r2;
  if (r2 == 0) return LINSYS_DONE;

  double rz = 0;
  for (int i = 0; i < s->most_iterations; i++) {
    tasks_for(t, s->pieces, 1, precondition_pieces, s);
    double rz_next = tasks_dot(t, r, z, n);
    update direction = {i ? rz_next / rz : 0, z, p};
    if (i == 0) memset(p, 0, n * sizeof *p);
    tasks_for(t, n, GRAIN, next_direction, &direction);
    rz = rz_next;

    bcsr_multiply(s->a, t, s->direction, s->image);
    double curvature = tasks_dot(t, p, q, n);
    if (!(curvature > 0) || !(rz > 0)) return LINSYS_NOT_POSITIVE_DEFINITE;
    double length = rz / curvature;
    tasks_for(t, n, GRAIN, add_multiple, &(update){length, p, x});
    tasks_for(t, n, GRAIN, add_multiple, &(update){-length, q, r});
    s->iterations++;
    if (tasks_dot(t, r, r, n) <= enough) return LINSYS_DONE;
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
    linsys_outcome one = solve_one(s, b + k * n, x + k * n);
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
