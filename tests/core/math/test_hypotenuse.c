/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/hypotenuse.h"

#include <float.h>

#include "claims.h"

enum { PAIRS = 200000 };

/* How many doubles lie between two that are positive. */
static int64_t apart(double a, double b) {
  int64_t first, second;
  memcpy(&first, &a, sizeof first);
  memcpy(&second, &b, sizeof second);
  return first > second ? first - second : second - first;
}

static void claim_pair(double x, double y) {
  double wanted = hypot(x, y), got = hypotenuse(x, y);
  if (apart(got, wanted) <= 1 && got == hypotenuse(y, x) && got == hypotenuse(-x, y)) return;
  print_error("hypotenuse(%a, %a) is %a, the C library says %a\n", x, y, got, wanted);
  fail();
}

static void hypotenuse__is_within_1_ulp_of_the_c_library(void **state) {
  (void)state;
  uint64_t random = 1;
  for (int i = 0; i < PAIRS; i++) {
    double x = claim_between(&random, 1, 2);
    claim_pair(x, claim_between(&random, 0, 2)); /* alike */
    claim_pair(x, ldexp(claim_between(&random, 1, 2), -(i % 60)));
    int exponent = (int)claim_between(&random, -1070, 1022); /* of any size */
    claim_pair(ldexp(x, exponent), ldexp(claim_between(&random, 0, 2), exponent));
    claim_pair(ldexp(x, exponent), ldexp(x, exponent - i % 40));
  }
}

/* Against twice the digits, where there are any. */
static void hypotenuse__is_within_1_ulp_of_the_truth(void **state) {
  (void)state;
  if (LDBL_MANT_DIG < 64) skip();
  uint64_t random = 2;
  double worst = 0;
  for (int i = 0; i < PAIRS; i++) {
    double x = claim_between(&random, 1, 2), y = claim_between(&random, 0, 2);
    long double truth = sqrtl((long double)x * x + (long double)y * y);
    double unit = nextafter((double)truth, INFINITY) - (double)truth;
    worst = fmax(worst, (double)fabsl(truth - (long double)hypotenuse(x, y)) / unit);
  }
  claim_below(worst, 0.75);
}

static void hypotenuse__knows_the_ends_of_the_numbers(void **state) {
  (void)state;
  static const double ends[] = {0,        DBL_TRUE_MIN, DBL_MIN,     0x1p-1030,
                                0x1p-459, 0x1p-460,     DBL_EPSILON, 1,
                                0x1p511,  0x1p512,      0x1p1022,    DBL_MAX / 2};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) claim_pair(ends[i], ends[k]);
  assert_true(hypotenuse(0, 0) == 0 && !signbit(hypotenuse(-0.0, -0.0)));
  assert_true(isinf(hypotenuse(DBL_MAX, DBL_MAX)));
  assert_true(isinf(hypotenuse(-INFINITY, NAN)) && hypotenuse(NAN, -INFINITY) > 0);
  assert_true(isnan(hypotenuse(NAN, 1)) && isnan(hypotenuse(0, NAN)));
}

static void hypotenuse__is_exact_where_it_can_be(void **state) {
  (void)state;
  for (int scale = -1060; scale < 1018; scale += 7) {
    double s = ldexp(1, scale);
    assert_true(hypotenuse(3 * s, 4 * s) == 5 * s);
    assert_true(hypotenuse(20 * s, 21 * s) == 29 * s);
    assert_true(hypotenuse(0, 7 * s) == 7 * s);
  }
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(hypotenuse__is_within_1_ulp_of_the_c_library),
      cmocka_unit_test(hypotenuse__is_within_1_ulp_of_the_truth),
      cmocka_unit_test(hypotenuse__knows_the_ends_of_the_numbers),
      cmocka_unit_test(hypotenuse__is_exact_where_it_can_be),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
