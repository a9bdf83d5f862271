/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The factors of a square matrix: they solve, they say where nothing can be solved, and they are
 * those of the textbook to the bit, however columns are cut into blocks.
 */
#include <string.h>

#include "claims.h"
#include "linsys/dense_lu.h"

enum { SIZES = 6, MOST = 131 };
static const int sizes[SIZES] = {1, 2, 15, 16, 50, MOST};

static void fill(int size, double *a, uint64_t *seed) {
  for (int e = 0; e < size * size; e++) a[e] = claim_between(seed, -1, 1);
}

/* Row after row, one product at a time. */
static void textbook(int size, double *a, int *pivots) {
  for (int k = 0; k < size; k++) {
    pivots[k] = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(a[i * size + k]) > fabs(a[pivots[k] * size + k])) pivots[k] = i;
    for (int c = 0; c < size; c++) {
      double kept = a[k * size + c];
      a[k * size + c] = a[pivots[k] * size + c];
      a[pivots[k] * size + c] = kept;
    }
    for (int i = k + 1; i < size; i++) {
      a[i * size + k] /= a[k * size + k];
      for (int c = k + 1; c < size; c++) a[i * size + c] -= a[i * size + k] * a[k * size + c];
    }
  }
}

static void factors__are_those_of_the_textbook(void **unused) {
  (void)unused;
  static double a[MOST * MOST], b[MOST * MOST];
  int pivots[MOST], expected[MOST];
  uint64_t seed = 11;
  for (int k = 0; k < SIZES; k++) {
    int n = sizes[k];
    fill(n, a, &seed);
    memcpy(b, a, sizeof a);
    assert_true(dense_lu_factor(n, a, pivots));
    textbook(n, b, expected);
    assert_memory_equal(a, b, (size_t)(n * n) * sizeof *a);
    assert_memory_equal(pivots, expected, (size_t)n * sizeof *pivots);
  }
}

static void solution__satisfies_the_equations(void **unused) {
  (void)unused;
  static double a[MOST * MOST], kept[MOST * MOST];
  double x[MOST], y[MOST];
  int pivots[MOST];
  uint64_t seed = 3;
  for (int k = 0; k < SIZES; k++) {
    int n = sizes[k];
    fill(n, a, &seed);
    a[0] = n > 1 ? 0 : 2; /* rows must change places */
    memcpy(kept, a, sizeof a);
    for (int i = 0; i < n; i++) x[i] = y[i] = claim_between(&seed, -1, 1);
    assert_true(dense_lu_factor(n, a, pivots));
    dense_lu_solve(n, a, pivots, x);
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < n; c++) y[i] -= kept[i * n + c] * x[c];
      claim_below(fabs(y[i]), 1e-11);
    }
  }
}

static void singular_matrix__is_told(void **unused) {
  (void)unused;
  double twice[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, none[] = {NAN, 1, 1, 1};
  int pivots[3];
  assert_false(dense_lu_factor(3, twice, pivots));
  assert_false(dense_lu_factor(2, none, pivots));
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(factors__are_those_of_the_textbook),
      cmocka_unit_test(solution__satisfies_the_equations),
      cmocka_unit_test(singular_matrix__is_told),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
