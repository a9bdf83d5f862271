/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "math/eigen.h"

enum { AREA = EIGEN_MAX * EIGEN_MAX };

static void random_symmetric(int n, uint64_t *seed, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = claim_between(seed, -1, 1);
}

/* a = b b^T with b of n x rank: semi-definite, but for the rounding. */
static void random_semidefinite(int n, int rank, uint64_t *seed, double *a) {
  double b[AREA];
  for (int i = 0; i < n * rank; i++) b[i] = claim_between(seed, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = 0;
      for (int k = 0; k < rank; k++) a[i * n + j] += b[i * rank + k] * b[j * rank + k];
    }
}

static void claim_decomposes(int n, const double *a, double scale) {
  double work[AREA], values[EIGEN_MAX], vectors[AREA];
  memcpy(work, a, sizeof(double) * (size_t)(n * n));
  eigen_symmetric(n, work, values, vectors);
  for (int i = 0; i + 1 < n; i++) assert_true(values[i] <= values[i + 1]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double product = 0, back = 0;
      for (int k = 0; k < n; k++) {
        product += vectors[k * n + i] * vectors[k * n + j];
        back += vectors[i * n + k] * values[k] * vectors[j * n + k];
      }
      claim_near(product, i == j, 2e-14);
      claim_near(back, a[i * n + j], 2e-14 * scale);
    }
}

static void random_matrices_come_back(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int n = 1; n <= EIGEN_MAX; n++)
    for (int i = 0; i < 200; i++) {
      double a[AREA];
      random_symmetric(n, &seed, a);
      claim_decomposes(n, a, 1);
      random_semidefinite(n, 1 + i % n, &seed, a);
      claim_decomposes(n, a, n);
    }
}

static void zero_diagonal_and_repeated_values(void **state) {
  (void)state;
  double a[AREA] = {0};
  claim_decomposes(12, a, 1);
  for (int i = 0; i < 12; i++) a[i * 13] = 3;
  claim_decomposes(12, a, 3);
  for (int i = 0; i < 144; i++) a[i] = 1;
  claim_decomposes(12, a, 12);
}

static void any_scale(void **state) {
  (void)state;
  uint64_t seed = 5;
  const double scales[] = {1e-300, 1e-150, 1e150, 1e300};
  for (size_t s = 0; s < 4; s++) {
    double a[AREA];
    random_symmetric(12, &seed, a);
    for (int i = 0; i < 144; i++) a[i] *= scales[s];
    claim_decomposes(12, a, scales[s]);
  }
}

static void known_values(void **state) {
  (void)state;
  double a[4] = {2, 1, 1, 2}, values[2], vectors[4];
  eigen_symmetric(2, a, values, vectors);
  claim_near(values[0], 1, 1e-15);
  claim_near(values[1], 3, 1e-15);
}

static void projection_leaves_semidefinite_matrices_alone_to_the_bit(void **state) {
  (void)state;
  uint64_t seed = 31;
  for (int n = 1; n <= EIGEN_MAX; n++)
    for (int i = 0; i < 200; i++) {
      double a[AREA], before[AREA];
      random_semidefinite(n, 1 + i % n, &seed, a);
      memcpy(before, a, sizeof a[0] * (size_t)(n * n));
      eigen_project_psd(n, a);
      assert_memory_equal(a, before, sizeof a[0] * (size_t)(n * n));
    }
  double zero[AREA] = {0}, before[AREA] = {0};
  eigen_project_psd(12, zero);
  assert_memory_equal(zero, before, sizeof zero);
}

/* The projection is the sum over the positive eigenvalues alone, and projecting again changes
 * nothing. */
static void projection_is_the_nearest(void **state) {
  (void)state;
  uint64_t seed = 37;
  for (int n = 1; n <= EIGEN_MAX; n++)
    for (int i = 0; i < 200; i++) {
      double a[AREA], work[AREA], values[EIGEN_MAX], vectors[AREA];
      random_symmetric(n, &seed, a);
      double shift = claim_between(&seed, -2, 2); /* from nearly all negative to nearly none */
      for (int k = 0; k < n; k++) a[k * (n + 1)] += shift;
      memcpy(work, a, sizeof work[0] * (size_t)(n * n));
      eigen_symmetric(n, work, values, vectors);
      eigen_project_psd(n, a);
      for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
          double wanted = 0;
          for (int k = 0; k < n; k++)
            wanted += fmax(values[k], 0) * vectors[r * n + k] * vectors[c * n + k];
          claim_near(a[r * n + c], wanted, 4e-14);
          assert_true(a[r * n + c] == a[c * n + r]);
        }
      memcpy(work, a, sizeof work[0] * (size_t)(n * n));
      eigen_project_psd(n, a);
      assert_memory_equal(a, work, sizeof a[0] * (size_t)(n * n));
    }
}

static void negative_definite_becomes_zero(void **state) {
  (void)state;
  double a[4] = {-2, 1, 1, -2};
  eigen_project_psd(2, a);
  for (int i = 0; i < 4; i++) claim_near(a[i], 0, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices_come_back),
      cmocka_unit_test(zero_diagonal_and_repeated_values),
      cmocka_unit_test(any_scale),
      cmocka_unit_test(known_values),
      cmocka_unit_test(projection_leaves_semidefinite_matrices_alone_to_the_bit),
      cmocka_unit_test(projection_is_the_nearest),
      cmocka_unit_test(negative_definite_becomes_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
