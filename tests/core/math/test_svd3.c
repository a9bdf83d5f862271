/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "math/svd3.h"
#include "polar.h"

static mat3 random_matrix(uint64_t *seed) {
  mat3 a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] = claim_between(seed, -1, 1);
  return a;
}

static mat3 random_rotation(uint64_t *seed) {
  mat3 a = random_matrix(seed);
  vec3 x = vec3_normalized(mat3_column(&a, 0));
  vec3 z = vec3_normalized(vec3_cross(x, mat3_column(&a, 1)));
  return mat3_from_columns(x, vec3_cross(z, x), z);
}

static mat3 stretched(const mat3 *u, vec3 s, const mat3 *v) {
  mat3 us = *u;
  for (int i = 0; i < 3; i++) {
    us.m[i][0] *= s.x;
    us.m[i][1] *= s.y;
    us.m[i][2] *= s.z;
  }
  return mat3_mul_t(&us, v);
}

static double largest_difference(const mat3 *a, const mat3 *b) {
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double difference = fabs(a->m[i][j] - b->m[i][j]);
      if (!(difference <= largest)) largest = difference;
    }
  return largest;
}

static double largest_entry(const mat3 *a) {
  mat3 zero = {0};
  return largest_difference(a, &zero);
}

static void claim_rotation(const mat3 *r) {
  mat3 identity = mat3_identity(), product = mat3_mul_t(r, r);
  claim_below(largest_difference(&product, &identity), 1e-14);
  claim_near(mat3_det(r), 1, 1e-14);
}

static void claim_decomposes(const mat3 *a) {
  mat3 u, v;
  vec3 s;
  svd3_decompose(a, &u, &s, &v);
  claim_rotation(&u);
  claim_rotation(&v);
  assert_true(s.x >= s.y && s.y >= fabs(s.z));
  mat3 back = stretched(&u, s, &v);
  claim_below(largest_difference(&back, a), 1e-14 * largest_entry(a));
}

static void random_matrices_come_back(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 20000; i++) {
    mat3 a = random_matrix(&seed);
    claim_decomposes(&a);
  }
}

static void every_rank_and_repeated_values(void **state) {
  (void)state;
  uint64_t seed = 11;
  const vec3 stretches[] = {
      {0, 0, 0},       {1, 0, 0},         {1, 1, 0},        {1, 1, 1},
      {2, 1, 1},       {2, 2, 1},         {1, 1, -1},       {1, 0.5, -0.5},
      {1, 1e-17, 0},   {1, 1e-9, -1e-17}, {1, 1e-100, 0},   {1, 1, 1e-150},
      {1, 1e-7, 1e-7}, {1, 1 - 1e-15, 1}, {1, 1 + 1e-8, 1}, {1, 1e-200, 1e-201}};
  for (size_t k = 0; k < sizeof stretches / sizeof *stretches; k++)
    for (int i = 0; i < 500; i++) {
      mat3 u = random_rotation(&seed), v = random_rotation(&seed);
      mat3 a = stretched(&u, stretches[k], &v);
      claim_decomposes(&a);
      a = stretched(&u, stretches[k], &(mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
      claim_decomposes(&a);
    }
}

static void single_entries_and_axes(void **state) {
  (void)state;
  for (int i = 0; i < 512; i++) { /* every matrix of zeros and ones, and with a minus sign */
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = (i >> k) & 1;
    claim_decomposes(&a);
    a.m[1][2] *= -1;
    claim_decomposes(&a);
  }
}

static void any_scale(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (int power = -150; power <= 150; power += 10)
    for (int i = 0; i < 100; i++) {
      mat3 a = random_matrix(&seed);
      a = mat3_scale(pow(10, power), &a);
      claim_decomposes(&a);
    }
  mat3 tiny = {{{5e-324, 0, 0}, {0, 5e-324, 0}, {0, 0, 0}}}, u, v;
  vec3 s;
  svd3_decompose(&tiny, &u, &s, &v);
  claim_rotation(&u);
  claim_rotation(&v);
  assert_true(s.x == 5e-324 && s.y == 5e-324 && s.z == 0);
}

static void mixed_scales_of_columns(void **state) {
  (void)state;
  uint64_t seed = 17;
  for (int i = 0; i < 5000; i++) {
    mat3 a = random_matrix(&seed);
    for (int c = 0; c < 3; c++) {
      double scale = pow(10, claim_between(&seed, -120, 120));
      for (int r = 0; r < 3; r++) a.m[r][c] *= scale;
    }
    claim_decomposes(&a);
  }
}

/* One-sided Jacobi finds small values to full relative accuracy when columns are graded. */
static void small_values_keep_their_digits(void **state) {
  (void)state;
  uint64_t seed = 19;
  for (int i = 0; i < 500; i++) {
    mat3 u = random_rotation(&seed), identity = mat3_identity(), left, right;
    vec3 wanted = {1, 1e-10, -1e-20}, s;
    mat3 a = stretched(&u, wanted, &identity);
    svd3_decompose(&a, &left, &s, &right);
    claim_near(s.x / wanted.x, 1, 1e-14);
    claim_near(s.y / wanted.y, 1, 1e-14);
    claim_near(s.z / wanted.z, 1, 1e-14);
  }
}

static void the_sign_of_the_last_value_is_that_of_the_determinant(void **state) {
  (void)state;
  uint64_t seed = 23;
  for (int i = 0; i < 5000; i++) {
    mat3 a = random_matrix(&seed), u, v;
    vec3 s;
    svd3_decompose(&a, &u, &s, &v);
    claim_near(s.x * s.y * s.z, mat3_det(&a), 1e-14);
  }
}

static void polar_is_a_rotation_times_a_symmetric_matrix(void **state) {
  (void)state;
  uint64_t seed = 29;
  for (int i = 0; i < 5000; i++) {
    mat3 a = random_matrix(&seed), r, p;
    polar_of(&a, &r, &p);
    claim_rotation(&r);
    mat3 transposed = mat3_transposed(&p), back = mat3_mul(&r, &p);
    claim_below(largest_difference(&p, &transposed), 1e-15);
    claim_below(largest_difference(&back, &a), 1e-14);
  }
  mat3 rotation = random_rotation(&seed), identity = mat3_identity(), r, p;
  polar_of(&rotation, &r, &p);
  claim_below(largest_difference(&r, &rotation), 1e-15);
  claim_below(largest_difference(&p, &identity), 1e-15);
}

static void not_a_number_comes_to_an_end(void **state) {
  (void)state;
  mat3 a = mat3_identity(), u, v;
  a.m[1][1] = NAN;
  vec3 s;
  svd3_decompose(&a, &u, &s, &v);
  a.m[1][1] = INFINITY;
  svd3_decompose(&a, &u, &s, &v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices_come_back),
      cmocka_unit_test(every_rank_and_repeated_values),
      cmocka_unit_test(single_entries_and_axes),
      cmocka_unit_test(any_scale),
      cmocka_unit_test(mixed_scales_of_columns),
      cmocka_unit_test(small_values_keep_their_digits),
      cmocka_unit_test(the_sign_of_the_last_value_is_that_of_the_determinant),
      cmocka_unit_test(polar_is_a_rotation_times_a_symmetric_matrix),
      cmocka_unit_test(not_a_number_comes_to_an_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
