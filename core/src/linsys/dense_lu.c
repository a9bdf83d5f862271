/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/dense_lu.h"

#include <math.h>
#include <stddef.h>

/* Columns that are eliminated at a time, before the rest hears of them. */
enum { DEPTH = 16 };

typedef struct lu {
  size_t size;
  double *a;
  int *pivots;
} lu;

static void swap_rows(const lu *f, size_t i, size_t j) {
  double *a = f->a + i * f->size, *b = f->a + j * f->size;
  for (size_t c = 0; c < f->size; c++) {
    double kept = a[c];
    a[c] = b[c];
    b[c] = kept;
  }
}

static size_t largest_in(const lu *f, size_t column) {
  size_t at = column;
  double most = fabs(f->a[column * f->size + column]);
  for (size_t i = column + 1; i < f->size; i++) {
    double here = fabs(f->a[i * f->size + column]);
    if (!(here <= most)) most = here, at = i;
  }
  return at;
}

/* Eliminates columns first to last - 1, in these columns alone. */
static bool factor_columns(const lu *f, size_t first, size_t last) {
  for (size_t k = first; k < last; k++) {
    size_t pivot = largest_in(f, k);
    f->pivots[k] = (int)pivot;
    if (pivot != k) swap_rows(f, pivot, k);
    const double *row = f->a + k * f->size;
    if (!(fabs(row[k]) > 0) || !isfinite(row[k])) return false;
    for (size_t i = k + 1; i < f->size; i++) {
      double *to = f->a + i * f->size;
      double part = to[k] /= row[k];
      for (size_t c = k + 1; c < last; c++) to[c] -= part * row[c];
    }
  }
  return true;
}

/* Takes off rows first to last - 1, as often as `part` says, from `begin` on. Four at a time keep a
 * number in its register; their order stays. */
static void take_off(const lu *f, size_t first, size_t last, double *restrict to, size_t begin) {
  size_t k = first, size = f->size;
  for (; k + 4 <= last; k += 4) {
    const double *r0 = f->a + k * size, *r1 = r0 + size, *r2 = r1 + size, *r3 = r2 + size;
    double p0 = to[k], p1 = to[k + 1], p2 = to[k + 2], p3 = to[k + 3];
    for (size_t c = begin; c < size; c++)
      to[c] = (((to[c] - p0 * r0[c]) - p1 * r1[c]) - p2 * r2[c]) - p3 * r3[c];
  }
  for (; k < last; k++) {
    const double *row = f->a + k * size;
    double part = to[k];
    for (size_t c = begin; c < size; c++) to[c] -= part * row[c];
  }
}

bool dense_lu_factor(int size, double *a, int *pivots) {
  lu f = {(size_t)size, a, pivots};
  for (size_t first = 0; first < f.size; first += DEPTH) {
    size_t last = first + DEPTH < f.size ? first + DEPTH : f.size;
    if (!factor_columns(&f, first, last)) return false;
    for (size_t i = first + 1; i < last; i++) take_off(&f, first, i, a + i * f.size, last);
    for (size_t i = last; i < f.size; i++) take_off(&f, first, last, a + i * f.size, last);
  }
  return true;
}

void dense_lu_solve(int size, const double *a, const int *pivots, double *x) {
  size_t n = (size_t)size;
  for (size_t i = 0; i < n; i++) {
    double kept = x[i];
    x[i] = x[pivots[i]];
    x[pivots[i]] = kept;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < i; c++) x[i] -= a[i * n + c] * x[c];
  for (size_t i = n; i-- > 0;) {
    for (size_t c = i + 1; c < n; c++) x[i] -= a[i * n + c] * x[c];
    x[i] /= a[i * n + i];
  }
}
