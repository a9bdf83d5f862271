/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Banded Cholesky: against the matrix it came from, for bands from none to full, and refusals.
 */
#include "claims.h"
#include "linsys/band.h"

enum { MOST = 24 };

/* A = B B^T + I with B lower and banded. */
static void make(int n, int half, uint64_t *seed, double a[MOST][MOST]) {
  double b[MOST][MOST] = {{0}};
  for (int i = 0; i < n; i++)
    for (int j = i > half ? i - half : 0; j <= i; j++) b[i][j] = claim_between(seed, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = i == j;
      for (int k = 0; k < n; k++) a[i][j] += b[i][k] * b[j][k];
    }
}

static void solves__give_back_the_columns_for_any_band(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  int sizes[][2] = {{1, 0}, {7, 0}, {9, 2}, {24, 8}, {12, 11}};
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    int n = sizes[c][0], half = sizes[c][1];
    double full[MOST][MOST], store[MOST * MOST], x[MOST * 2], y[MOST * 2] = {0};
    make(n, half, &seed, full);
    band a = {.n = n, .half = half, .a = store};
    for (int i = 0; i < n; i++)
      for (int j = i > half ? i - half : 0; j <= i; j++) *band_at(&a, i, j) = full[i][j];
    for (int k = 0; k < 2 * n; k++) x[k] = claim_between(&seed, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < 2; k++) y[2 * i + k] += full[i][j] * x[2 * j + k];
    assert_true(band_factor(&a));
    band_forward(&a, 2, 0, y);
    band_backward(&a, 2, y);
    for (int k = 0; k < 2 * n; k++) claim_near(y[k], x[k], 1e-12);
  }
}

static void rows_before_the_first__are_not_looked_at(void **unused) {
  (void)unused;
  double store[] = {0, 4, 1, 4, 1, 4}, whole[] = {0, 0, 1}, part[] = {0, 0, 1};
  band a = {.n = 3, .half = 1, .a = store};
  assert_true(band_factor(&a));
  band_forward(&a, 1, 0, whole);
  band_forward(&a, 1, 2, part);
  for (int k = 0; k < 3; k++) assert_true(whole[k] == part[k]);
}

static void matrices__that_are_not_positive_definite_are_refused(void **unused) {
  (void)unused;
  double indefinite[] = {0, 1, 2, 1}, broken[] = {0, NAN, 0, 1};
  band a = {.n = 2, .half = 1, .a = indefinite}, b = {.n = 2, .half = 1, .a = broken};
  assert_false(band_factor(&a));
  assert_false(band_factor(&b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves__give_back_the_columns_for_any_band),
      cmocka_unit_test(rows_before_the_first__are_not_looked_at),
      cmocka_unit_test(matrices__that_are_not_positive_definite_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
