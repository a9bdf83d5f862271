/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include <float.h>

#include "friction/ellipse.h"

enum { CASES = 1000000 };

/* 10 to a random power. */
static double decades(uint64_t *seed, double low, double high) {
  return pow(10, claim_between(seed, low, high));
}

static double sign(uint64_t *seed) { return claim_random(seed) < 0.5 ? -1 : 1; }

/* A point inside, near or far from an ellipse, at times on an axis or a breath off the boundary. */
static void scatter(uint64_t *seed, const double a[2], double z[2]) {
  double angle = claim_between(seed, 0, 6.3), reach = decades(seed, -1, 2);
  int kind = (int)(8 * claim_random(seed));
  for (int i = 0; i < 2; i++) {
    double direction = i ? sin(angle) : cos(angle);
    z[i] = kind < 3    ? reach * direction                                /* around the middle */
           : kind < 6  ? a[i] * direction * (1 + decades(seed, -12, 0.5)) /* around the boundary */
           : kind == 6 ? sign(seed) * a[i] * decades(seed, -3, 3)
                       : sign(seed) * decades(seed, -15, 3);
  }
  if (claim_random(seed) < 0.02) z[claim_random(seed) < 0.5] = 0;
}

/* The nearest boundary point of a quadrant by bisection, in long double: with t = tan(angle/2) the
 * distance to (a cos, b sin) falls, then rises, over t in [0, 1] when z lies outside. */
static void nearest_by_bisection(const double a[2], const double z[2], long double p[2]) {
  long double x = fabsl((long double)z[0]), y = fabsl((long double)z[1]), A = a[0], B = a[1];
  if ((A > 0 ? x / A * (x / A) : x > 0 ? 2 : 0) + (B > 0 ? y / B * (y / B) : y > 0 ? 2 : 0) <= 1) {
    p[0] = z[0], p[1] = z[1];
    return;
  }
  long double low = 0, high = 1;
  for (int k = 0; k < 100; k++) {
    long double t = (low + high) / 2, c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    long double rising = (A * c - x) * (-A * s) + (B * s - y) * (B * c);
    if (rising < 0)
      low = t;
    else
      high = t;
  }
  long double t = (low + high) / 2;
  p[0] = copysignl(A * (1 - t * t) / (1 + t * t), z[0]);
  p[1] = copysignl(B * 2 * t / (1 + t * t), z[1]);
}

static void projection_is_the_nearest_point_found_by_bisection(void **state) {
  (void)state;
  uint64_t seed = 20200501;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    double a[2] = {1, decades(&seed, -3, 0)}, z[2], p[2];
    if (k % 2) a[0] = a[1], a[1] = 1;
    if (k % 100 == 0) a[k % 200 == 0] = 0;
    double unit = decades(&seed, -9, 9);
    scatter(&seed, a, z);
    for (int i = 0; i < 2; i++) a[i] *= unit, z[i] *= unit;
    long double expected[2];
    nearest_by_bisection(a, z, expected);
    ellipse_project(a[0], a[1], z, p, NULL);
    double size = fmax(fmax(a[0], a[1]), hypot(z[0], z[1]));
    double off = (double)hypotl(p[0] - expected[0], p[1] - expected[1]) / size;
    if (!(off <= worst)) worst = off;
  }
  print_message("worst error of %d projections on an ellipse: %.3g of max(axes, |z|)\n", CASES,
                worst);
  claim_below(worst, 8 * DBL_EPSILON);
}

/* No p of the body has (z - p).(q - p) > 0: what makes p the nearest point of a convex body. The
 * most over q is known: |a (z - p)|. */
static void projection_on_an_ellipsoid_bears_the_variational_inequality(void **state) {
  (void)state;
  uint64_t seed = 3;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    double a[3] = {1, decades(&seed, -3, 0), decades(&seed, -3, 0)}, z[3], p[3];
    for (int i = 0; i < 3; i++)
      z[i] = sign(&seed) * (k % 2 ? a[i] : 1) * decades(&seed, k % 3 ? -1 : -8, 1);
    ellipsoid_project(a, z, p, NULL);
    long double most = 0, here = 0, inside = 0, size = 1;
    for (int i = 0; i < 3; i++) {
      long double out = (long double)z[i] - p[i];
      most += a[i] * out * (a[i] * out);
      here += out * p[i];
      inside += (long double)p[i] / a[i] * (p[i] / (long double)a[i]);
      size = fmaxl(size, fabsl((long double)z[i]));
    }
    worst = fmax(worst, (double)((sqrtl(most) - here) / size));
    claim_below((double)inside, 1 + 8 * DBL_EPSILON);
  }
  print_message("worst gap of %d projections on an ellipsoid: %.3g of max(axes, |z|)\n", CASES,
                worst);
  claim_below(worst, 8 * DBL_EPSILON);
}

/* The multiplier by plain bisection in long double. */
static void projection_on_an_ellipsoid_is_that_of_a_bisected_multiplier(void **state) {
  (void)state;
  uint64_t seed = 5;
  double worst = 0;
  for (int k = 0; k < CASES / 4; k++) {
    double a[3] = {1, decades(&seed, -3, 0), decades(&seed, -3, 0)}, z[3], p[3];
    for (int i = 0; i < 3; i++)
      z[i] = sign(&seed) * (k % 2 ? a[i] : 1) * decades(&seed, k % 3 ? -1 : -8, 1);
    ellipsoid_project(a, z, p, NULL);
    long double low = 0, high = 100, off = 0, size = 1; /* |a z| < 100 */
    for (int step = 0; step < 120; step++) {
      long double s = (low + high) / 2, length = 0;
      for (int i = 0; i < 3; i++) {
        long double w = a[i] * (long double)z[i] / (a[i] * (long double)a[i] + s);
        length += w * w;
      }
      if (length > 1)
        low = s;
      else
        high = s;
    }
    for (int i = 0; i < 3; i++) {
      long double d = a[i] * (long double)a[i];
      off = hypotl(off, p[i] - d * z[i] / (d + high));
      size = hypotl(size, z[i]);
    }
    worst = fmax(worst, (double)(off / size));
  }
  print_message("worst error of %d projections on an ellipsoid: %.3g of the size\n", CASES / 4,
                worst);
  claim_below(worst, 8 * DBL_EPSILON);
}

static void ellipsoid_without_one_axis_is_the_ellipse_of_the_others(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 10000; k++) {
    double a[2] = {decades(&seed, -3, 0), 1}, z[2], p[2], q[3], dp[2][2], dq[3][3];
    scatter(&seed, a, z);
    ellipse_project(a[0], a[1], z, p, dp);
    for (int gone = 0; gone < 3; gone++) {
      int i = gone == 0, j = 2 - (gone == 2); /* the two that stay */
      double axes[3] = {0, 0, 0}, z3[3] = {3, 3, 3};
      axes[i] = a[0], axes[j] = a[1], z3[i] = z[0], z3[j] = z[1];
      ellipsoid_project(axes, z3, q, dq);
      assert_true(q[gone] == 0 && q[i] == p[0] && q[j] == p[1]);
      assert_true(dq[i][i] == dp[0][0] && dq[i][j] == dp[0][1] && dq[j][j] == dp[1][1]);
      for (int m = 0; m < 3; m++) assert_true(dq[gone][m] == 0 && dq[m][gone] == 0);
    }
  }
}

/* Central differences, where their steps cross no boundary; then the same for three axes. */
static void derivative_is_that_of_the_projection(void **state) {
  (void)state;
  uint64_t seed = 11;
  double worst = 0;
  for (int k = 0; k < 100000; k++) {
    double a[3] = {1, decades(&seed, -3, 0), k % 2 ? 0 : decades(&seed, -3, 0)}, z[3], dp[3][3];
    double p[3], low[3], high[3], inside = 0;
    for (int i = 0; i < 3; i++) z[i] = sign(&seed) * decades(&seed, -2, 1);
    for (int i = 0; i < 3; i++) inside += a[i] > 0 ? z[i] / a[i] * (z[i] / a[i]) : 0;
    if (fabs(inside - 1) < 0.1) continue;
    ellipsoid_project(a, z, p, dp);
    /* The curvature of the boundary changes over the thin axis: steps well below it. */
    double step = 1e-5 * fmin(a[1], a[2] > 0 ? a[2] : 1);
    for (int j = 0; j < 3; j++) {
      double here = z[j];
      z[j] = here + step;
      double up = z[j];
      ellipsoid_project(a, z, high, NULL);
      z[j] = here - step;
      double down = z[j];
      ellipsoid_project(a, z, low, NULL);
      z[j] = here;
      for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs((high[i] - low[i]) / (up - down) - dp[i][j]));
    }
  }
  print_message("worst difference of the derivative: %.3g\n", worst);
  claim_below(worst, 1e-7);
}

static void derivative_is_symmetric_with_eigenvalues_from_0_to_1(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (int k = 0; k < CASES; k++) {
    double a[2] = {1, decades(&seed, -6, 0)}, z[2], p[2], dp[2][2];
    scatter(&seed, a, z);
    ellipse_project(a[0], a[1], z, p, dp);
    assert_true(dp[0][1] == dp[1][0]);
    double trace = dp[0][0] + dp[1][1], det = dp[0][0] * dp[1][1] - dp[0][1] * dp[1][0];
    double gap = hypot(dp[0][0] - dp[1][1], 2 * dp[0][1]);
    claim_below(0.5 * (trace + gap), 1 + 4 * DBL_EPSILON);
    claim_below(0, fmin(dp[0][0], dp[1][1]));
    claim_below(-DBL_EPSILON, det);
  }
}

static void circle_has_its_closed_formula(void **state) {
  (void)state;
  uint64_t seed = 17;
  for (int k = 0; k < 100000; k++) {
    double radius = decades(&seed, -3, 3), angle = claim_between(&seed, 0, 6.3), p[2], dp[2][2];
    double length = radius * decades(&seed, -1, 3), n[2] = {cos(angle), sin(angle)};
    double z[2] = {length * n[0], length * n[1]}, kept = fmin(1, radius / length);
    ellipse_project(radius, radius, z, p, dp);
    for (int i = 0; i < 2; i++) {
      claim_near(p[i], kept * z[i], 4 * DBL_EPSILON * radius);
      for (int j = 0; j < 2; j++)
        claim_near(dp[i][j], kept == 1 ? i == j : kept * ((i == j) - n[i] * n[j]), 1e-14);
    }
  }
}

/* From the smallest numbers to the largest, and however thin. */
static void extremes_of_double_stay_finite_and_on_the_disc(void **state) {
  (void)state;
  static const double sizes[] = {0,    5e-324, 1e-300, 1e-160, 1e-101, 1e-99, 1e-20,
                                 1e-3, 1,      1e3,    1e20,   1e99,   1e150, 1e300};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (int i = 0; i < SIZES; i++)
    for (int j = 0; j < SIZES; j++)
      for (int k = 0; k < SIZES; k++)
        for (int l = 0; l < SIZES; l++) {
          double z[2] = {sizes[k], -sizes[l]}, p[2], dp[2][2];
          ellipse_project(sizes[i], sizes[j], z, p, dp);
          for (int m = 0; m < 2; m++) {
            assert_true(isfinite(p[m]) && isfinite(dp[m][0]) && isfinite(dp[m][1]));
            assert_true(dp[m][m] >= 0 && dp[m][m] <= 1);
          }
          assert_true(p[0] >= 0 && p[0] <= fmin(sizes[i], z[0]) * (1 + 1e-15) + 5e-324);
          assert_true(p[1] <= 0 && -p[1] <= fmin(sizes[j], -z[1]) * (1 + 1e-15) + 5e-324);
        }
}

static void point_of_the_disc_stays_to_the_bit_and_may_be_projected_in_place(void **state) {
  (void)state;
  double z[2] = {0.3, -0.001}, dp[2][2], kept[2] = {0.3, -0.001};
  ellipse_project(1, 0.01, z, z, dp);
  assert_memory_equal(z, kept, sizeof z);
  assert_true(dp[0][0] == 1 && dp[1][1] == 1 && dp[0][1] == 0 && dp[1][0] == 0);
  double outside[2] = {0.3, -1}, p[2];
  ellipse_project(1, 0.01, outside, p, NULL);
  ellipse_project(1, 0.01, outside, outside, NULL);
  assert_memory_equal(outside, p, sizeof p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projection_is_the_nearest_point_found_by_bisection),
      cmocka_unit_test(projection_on_an_ellipsoid_bears_the_variational_inequality),
      cmocka_unit_test(projection_on_an_ellipsoid_is_that_of_a_bisected_multiplier),
      cmocka_unit_test(ellipsoid_without_one_axis_is_the_ellipse_of_the_others),
      cmocka_unit_test(derivative_is_that_of_the_projection),
      cmocka_unit_test(derivative_is_symmetric_with_eigenvalues_from_0_to_1),
      cmocka_unit_test(circle_has_its_closed_formula),
      cmocka_unit_test(extremes_of_double_stay_finite_and_on_the_disc),
      cmocka_unit_test(point_of_the_disc_stays_to_the_bit_and_may_be_projected_in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
