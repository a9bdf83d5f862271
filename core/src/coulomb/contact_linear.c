/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_linear.h"

#include <klu.h>
#include <stdlib.h>
#include <string.h>

#include "linsys/dense_lu.h"

/* Contacts up to which dense is faster, whatever the pattern; and the share of W that is there from
 * which it is for any number. */
enum { DENSE_COUNT = 12 };
static const double DENSE_SHARE = 0.4;

struct contact_linear {
  const contact_unit *p;
  bool dense;
  int size;
  double *values; /* row after row; dense: all of the matrix, then its factors */
  int *pivots;
  int *start, *index; /* sparse: rows, which KLU takes for columns of the transposed */
  double *x, *rest;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  klu_common common;
};

/* The share of the largest in a row that a pivot on the diagonal needs. */
static const double PIVOT = 0.1;

static bool allocate(contact_linear *s) {
  size_t size = (size_t)s->size, most = 9 * (size_t)bcsr_block_count(&s->p->pattern);
  s->x = malloc((size + 1) * sizeof *s->x);
  s->rest = malloc((size + 1) * sizeof *s->rest);
  s->values = malloc(((s->dense ? size * size : most) + 1) * sizeof *s->values);
  s->pivots = s->dense ? malloc((size + 1) * sizeof *s->pivots) : NULL;
  s->start = s->dense ? NULL : malloc((size + 1) * sizeof *s->start);
  s->index = s->dense ? NULL : malloc((most + 1) * sizeof *s->index);
  return s->x && s->rest && s->values && (s->dense ? s->pivots != NULL : s->start && s->index);
}

tribo_status contact_linear_create(const contact_unit *p, contact_linear **out, tribo_error *err) {
  *out = NULL;
  contact_linear *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the linear systems of contact");
  s->p = p;
  s->size = 3 * p->count;
  double all = (double)p->count * (double)p->count;
  s->dense = p->count <= DENSE_COUNT || bcsr_block_count(&p->pattern) >= DENSE_SHARE * all;
  klu_defaults(&s->common);
  s->common.tol = PIVOT;
  if (!allocate(s)) {
    contact_linear_free(s);
    return status_no_memory(err, "the linear systems of contact");
  }
  *out = s;
  return TRIBO_OK;
}

void contact_linear_free(contact_linear *s) {
  if (!s) return;
  klu_free_numeric(&s->numeric, &s->common);
  klu_free_symbolic(&s->symbolic, &s->common);
  free(s->values);
  free(s->pivots);
  free(s->start);
  free(s->index);
  free(s->x);
  free(s->rest);
  free(s);
}

/* One block of the matrix. */
static mat3 block(const contact_linear *s, const mat3 *a, const mat3 *b, double e, int32_t i,
                  int32_t k) {
  if (k != s->p->pattern.diagonal[i]) return mat3_mul(&a[i], &s->p->w.blocks[k]);
  mat3 own = s->p->w.blocks[k];
  for (int c = 0; c < 3; c++) own.m[c][c] += e;
  mat3 product = mat3_mul(&a[i], &own);
  return mat3_add(&product, &b[i]);
}

static bool factor_dense(contact_linear *s, const mat3 *a, const mat3 *b, double e) {
  const bcsr_pattern *pattern = &s->p->pattern;
  size_t size = (size_t)s->size;
  memset(s->values, 0, size * size * sizeof *s->values);
  for (int32_t i = 0; i < s->p->count; i++)
    for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      mat3 m = block(s, a, b, e, i, k);
      double *at = s->values + 3 * (size_t)i * size + 3 * (size_t)pattern->columns[k];
      for (int r = 0; r < 3; r++) memcpy(at + (size_t)r * size, m.m[r], sizeof m.m[r]);
    }
  return dense_lu_factor(s->size, s->values, s->pivots);
}

static bool factor_sparse(contact_linear *s, const mat3 *a, const mat3 *b, double e) {
  const bcsr_pattern *pattern = &s->p->pattern;
  int at = 0;
  for (int32_t i = 0; i < s->p->count; i++)
    for (int r = 0; r < 3; r++) {
      s->start[3 * i + r] = at;
      bool own_only = a[i].m[r][0] == 0 && a[i].m[r][1] == 0 && a[i].m[r][2] == 0;
      for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
        if (own_only && k != pattern->diagonal[i]) continue;
        mat3 m = block(s, a, b, e, i, k);
        for (int c = 0; c < 3; c++) {
          if (m.m[r][c] == 0) continue;
          s->index[at] = 3 * pattern->columns[k] + c;
          s->values[at++] = m.m[r][c];
        }
      }
    }
  s->start[s->size] = at;
  klu_free_numeric(&s->numeric, &s->common);
  klu_free_symbolic(&s->symbolic, &s->common);
  s->symbolic = klu_analyze(s->size, s->start, s->index, &s->common);
  if (s->symbolic) s->numeric = klu_factor(s->start, s->index, s->values, s->symbolic, &s->common);
  return s->numeric != NULL;
}

bool contact_linear_factor(contact_linear *s, const mat3 *a, const mat3 *b, double e) {
  return s->dense ? factor_dense(s, a, b, e) : factor_sparse(s, a, b, e);
}

/* y less the matrix times x, of the sparse one. */
static void measure_rest(contact_linear *s, const double *y) {
  for (int i = 0; i < s->size; i++) {
    s->rest[i] = y[i];
    for (int k = s->start[i]; k < s->start[i + 1]; k++)
      s->rest[i] -= s->values[k] * s->x[s->index[k]];
  }
}

/* With one refinement: pivots are chosen for few numbers, not for the largest. */
static bool solve_sparse(contact_linear *s, const double *y) {
  if (!klu_tsolve(s->symbolic, s->numeric, s->size, 1, s->x, &s->common)) return false;
  measure_rest(s, y);
  if (!klu_tsolve(s->symbolic, s->numeric, s->size, 1, s->rest, &s->common)) return false;
  for (int i = 0; i < s->size; i++) s->x[i] += s->rest[i];
  return true;
}

bool contact_linear_solve(contact_linear *s, const vec3 *y, vec3 *x) {
  size_t size = (size_t)s->size;
  memcpy(s->x, y, size * sizeof *s->x);
  if (s->dense)
    dense_lu_solve(s->size, s->values, s->pivots, s->x);
  else if (!solve_sparse(s, (const double *)y))
    return false;
  for (size_t i = 0; i < size; i++)
    if (!isfinite(s->x[i])) return false;
  memcpy(x, s->x, size * sizeof *s->x);
  return true;
}
