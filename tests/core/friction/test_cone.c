/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include <float.h>

#include "friction/cone.h"
#include "friction/ellipse.h"

enum { CASES = 1000000 };

static double decades(uint64_t *seed, double low, double high) {
  return pow(10, claim_between(seed, low, high));
}

static double sign(uint64_t *seed) { return claim_random(seed) < 0.5 ? -1 : 1; }

static friction_cone cone_of(double mu_t, double mu_b, double mu_drill) {
  return (friction_cone){.normal = {0, 0, 1},
                         .t = {1, 0, 0},
                         .b = {0, 1, 0},
                         .mu_t = mu_t,
                         .mu_b = mu_b,
                         .mu_drill = mu_drill};
}

/* Points inside, in the polar cone, between them and a breath off either boundary. */
static void scatter(uint64_t *seed, int n, const double *mu, double *z) {
  double length = 0, inner = 0, outer = 0;
  for (int i = 1; i <= n; i++)
    z[i] = sign(seed) * (claim_random(seed) < 0.05 ? 0 : decades(seed, -2, 0));
  if (claim_random(seed) < 0.5)
    for (int i = 1; i <= n; i++) z[i] *= mu[i - 1];
  for (int i = 1; i <= n; i++) {
    length += z[i] * z[i];
    inner += mu[i - 1] > 0 ? z[i] / mu[i - 1] * (z[i] / mu[i - 1]) : 0;
    outer += z[i] * mu[i - 1] * (z[i] * mu[i - 1]);
  }
  double breath = 1 + sign(seed) * decades(seed, -14, -1);
  switch ((int)(6 * claim_random(seed))) {
    case 0: z[0] = sqrt(inner) * breath; break;
    case 1: z[0] = -sqrt(outer) * breath; break;
    case 2: z[0] = 0; break;
    case 3: z[0] = sign(seed) * sqrt(length) * decades(seed, -9, 1); break;
    default: z[0] = sign(seed) * sqrt(length) * decades(seed, -1, 1);
  }
}

/* ---- against brute force --------------------------------------------------------------------- */

/* The nearest of the rays g = (1, mu_t cos, mu_b sin) in the quadrant of z, by bisection over
 * tan(angle/2) in long double. Along it (z.g)^2/(g.g) rises, then falls, when z is outside. */
static void nearest_by_bisection(const double mu[2], const double z[3], long double p[3]) {
  long double x = fabsl((long double)z[1]), y = fabsl((long double)z[2]), n = z[0], A = mu[0],
              B = mu[1];
  long double inside = hypotl(A > 0   ? x / A
                              : x > 0 ? INFINITY
                                      : 0,
                              B > 0   ? y / B
                              : y > 0 ? INFINITY
                                      : 0);
  if (inside <= n) {
    for (int i = 0; i < 3; i++) p[i] = z[i];
    return;
  }
  long double low = 0, high = 1;
  for (int k = 0; k < 100; k++) {
    long double t = (low + high) / 2, c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    long double zg = n + x * A * c + y * B * s, zd = -x * A * s + y * B * c;
    long double gg = 1 + A * A * c * c + B * B * s * s, gd = (B * B - A * A) * s * c;
    /* Where z.g <= 0 the ray points away from z: then only z.g' tells where it comes nearer. */
    bool nearer = zg > 0 ? zd * gg - zg * gd > 0 : zd > 0;
    if (nearer)
      low = t;
    else
      high = t;
  }
  long double t = (low + high) / 2, c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
  long double zg = n + x * A * c + y * B * s, gg = 1 + A * A * c * c + B * B * s * s;
  long double along = zg > 0 ? zg / gg : 0;
  p[0] = along, p[1] = copysignl(along * A * c, z[1]), p[2] = copysignl(along * B * s, z[2]);
}

static void projection_is_the_nearest_impulse_found_by_bisection(void **state) {
  (void)state;
  uint64_t seed = 20200502;
  double worst = 0;
  int regions[3] = {0};
  for (int k = 0; k < CASES; k++) {
    double mu[2] = {decades(&seed, -2, 1), 0}, z[3];
    mu[1] = mu[0] * decades(&seed, -3, 0);
    if (k % 100 == 0) mu[1] = 0;
    if (k % 2) {
      double first = mu[0];
      mu[0] = mu[1], mu[1] = first;
    }
    double unit = decades(&seed, -9, 9);
    scatter(&seed, 2, mu, z);
    for (int i = 0; i < 3; i++) z[i] *= unit;
    friction_cone c = cone_of(mu[0], mu[1], 0);
    vec3 p = cone_project(&c, vec3_from(z), NULL);
    long double expected[3], off = 0;
    nearest_by_bisection(mu, z, expected);
    const double found[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) off = hypotl(off, found[i] - expected[i]);
    double size = vec3_norm(vec3_from(z));
    if (size > 0 && !((double)off / size <= worst)) worst = (double)off / size;
    regions[p.x == 0 ? 2 : p.x == z[0] && p.y == z[1] && p.z == z[2] ? 0 : 1]++;
  }
  print_message(
      "worst error of %d projections on a cone: %.3g |z|; %d inside, %d on the boundary, "
      "%d at the apex\n",
      CASES, worst, regions[0], regions[1], regions[2]);
  assert_true(regions[0] > CASES / 20 && regions[1] > CASES / 3 && regions[2] > CASES / 20);
  claim_below(worst, 8 * DBL_EPSILON);
}

/* z = p + q with p in K, q in the polar cone and p.q = 0 (Moreau), in four dimensions. */
static void projection_with_drilling_splits_an_impulse_between_the_cone_and_its_polar(
    void **state) {
  (void)state;
  uint64_t seed = 4;
  double worst = 0, outside = 0, polar = 0;
  for (int k = 0; k < CASES; k++) {
    double mu[3] = {decades(&seed, -2, 1), 0, 0}, z[4], p[4];
    mu[1] = mu[0] * decades(&seed, -3, 0), mu[2] = mu[0] * decades(&seed, -3, 0);
    scatter(&seed, 3, mu, z);
    friction_cone c = cone_of(mu[0], mu[1], mu[2]);
    cone_project_drill(&c, z, p, NULL);
    long double dot = p[0] * ((long double)z[0] - p[0]), in = 0, out = 0, size = fabs(z[0]),
                steep = 1;
    for (int i = 1; i < 4; i++) {
      long double q = (long double)z[i] - p[i], m = mu[i - 1];
      dot += p[i] * q;
      in = hypotl(in, p[i] / m);
      out = hypotl(out, q * m);
      size = hypotl(size, z[i]);
      steep = fmaxl(steep, 1 / m);
    }
    worst = fmax(worst, (double)(fabsl(dot) / size / size));
    outside = fmax(outside, (double)((in - p[0]) / size / steep));
    polar = fmax(polar, (double)((out + ((long double)z[0] - p[0])) / size / fmax(1, mu[0])));
  }
  print_message("p.q <= %.3g |z|^2; p outside K by %.3g |z|, q outside its polar by %.3g |z|\n",
                worst, outside, polar);
  claim_below(worst, 8 * DBL_EPSILON);
  claim_below(outside, 8 * DBL_EPSILON);
  claim_below(polar, 8 * DBL_EPSILON);
}

/* The multiplier by plain bisection in long double: |w(u)| (1 - u) falls through z_N. */
static void projection_with_drilling_is_that_of_a_bisected_multiplier(void **state) {
  (void)state;
  uint64_t seed = 5;
  double worst = 0;
  for (int k = 0; k < CASES / 4; k++) {
    double mu[3] = {decades(&seed, -1, 0.5), 0, 0}, z[4], p[4];
    mu[1] = mu[0] * decades(&seed, -3, 0), mu[2] = mu[0] * decades(&seed, -3, 0);
    scatter(&seed, 3, mu, z);
    friction_cone c = cone_of(mu[0], mu[1], mu[2]);
    cone_project_drill(&c, z, p, NULL);
    if (p[0] == 0 || p[0] == z[0]) continue;
    long double low = 0, high = 1, off = 0, size = 0, u = 0, length;
    for (int step = 0; step < 200; step++) {
      long double middle = (low + high) / 2; /* of u/(1 + u) */
      u = middle / (1 - middle), length = 0;
      for (int i = 0; i < 3; i++) {
        long double m = mu[i];
        length = hypotl(length, m * z[i + 1] / (m * m + u));
      }
      if (length * (1 - u) > z[0])
        low = middle;
      else
        high = middle;
    }
    for (int i = 0; i < 4; i++) {
      long double m = i ? mu[i - 1] : 0, expected = i ? m * m * z[i] / (m * m + u) : length;
      off = hypotl(off, p[i] - expected);
      size = hypotl(size, z[i]);
    }
    worst = fmax(worst, (double)(off / size));
  }
  print_message("worst error of a projection with drilling: %.3g |z|\n", worst);
  claim_below(worst, 8 * DBL_EPSILON);
}

/* ---- the derivative -------------------------------------------------------------------------- */

/* Apart from the seams by more than the steps of the differences. */
static bool near_a_seam(int n, const double *mu, const double *z) {
  double inner = 0, outer = 0;
  for (int i = 1; i <= n; i++) {
    inner += mu[i - 1] > 0 ? z[i] / mu[i - 1] * (z[i] / mu[i - 1]) : 0;
    outer += z[i] * mu[i - 1] * (z[i] * mu[i - 1]);
  }
  return fabs(sqrt(inner) - z[0]) <= 0.05 * (sqrt(inner) + fabs(z[0])) ||
         fabs(sqrt(outer) + z[0]) <= 0.05 * (sqrt(outer) + fabs(z[0]));
}

static void derivative_is_that_of_the_projection(void **state) {
  (void)state;
  uint64_t seed = 11;
  double worst = 0;
  int tried = 0;
  for (int k = 0; k < 200000; k++) {
    double mu[3] = {decades(&seed, -1, 0.5), 0, 0}, z[4], p[4], low[4], high[4], dp[4][4];
    mu[1] = mu[0] * decades(&seed, -3, 0);
    mu[2] = k % 2 ? 0 : mu[0] * decades(&seed, -3, 0);
    scatter(&seed, 3, mu, z);
    if (near_a_seam(3, mu, z)) continue;
    tried++;
    friction_cone c = cone_of(mu[0], mu[1], mu[2]);
    cone_project_drill(&c, z, p, dp);
    /* The boundary bends over the least half-axis: steps well below it, and below |z|. */
    double size = fmax(fmax(fabs(z[0]), fabs(z[1])), fmax(fabs(z[2]), k % 2 ? 0 : fabs(z[3])));
    double step = 1e-5 * size * fmin(1, fmin(mu[1], mu[2] > 0 ? mu[2] : 1));
    for (int j = 0; j < 4; j++) {
      double here = z[j], up = here + step, down = here - step;
      z[j] = up;
      cone_project_drill(&c, z, high, NULL);
      z[j] = down;
      cone_project_drill(&c, z, low, NULL);
      z[j] = here;
      for (int i = 0; i < 4; i++) {
        double off = fabs((high[i] - low[i]) / (up - down) - dp[i][j]);
        if (!(off <= worst)) worst = off;
      }
    }
  }
  print_message("worst difference of %d derivatives: %.3g\n", tried, worst);
  assert_true(tried > 50000);
  claim_below(worst, 1e-6);
}

/* p is kept, z - p is lost, and nothing grows. */
static void derivative_keeps_the_impulse_and_loses_what_was_cut_off(void **state) {
  (void)state;
  uint64_t seed = 13;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    double mu[2] = {decades(&seed, -2, 1), 0}, z[3];
    mu[1] = mu[0] * decades(&seed, -3, 0);
    scatter(&seed, 2, mu, z);
    friction_cone c = cone_of(mu[0], mu[1], 0);
    mat3 dp;
    vec3 at = vec3_from(z), p = cone_project(&c, at, &dp), cut = vec3_sub(at, p);
    double size = vec3_norm(at);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) assert_true(dp.m[i][j] == dp.m[j][i]);
    worst = fmax(worst, vec3_norm(vec3_sub(mat3_mul_vec3(&dp, p), p)) / size);
    worst = fmax(worst, vec3_norm(mat3_mul_vec3(&dp, cut)) / size);
    vec3 any = vec3_make(claim_between(&seed, -1, 1), claim_between(&seed, -1, 1),
                         claim_between(&seed, -1, 1));
    double kept = vec3_dot(any, mat3_mul_vec3(&dp, any));
    claim_below(-4 * DBL_EPSILON, kept);
    claim_below(kept, vec3_norm2(any) * (1 + 8 * DBL_EPSILON));
  }
  print_message("dp p = p and dp (z - p) = 0 to %.3g |z|\n", worst);
  claim_below(worst, 16 * DBL_EPSILON);
}

/* ---- special cones --------------------------------------------------------------------------- */

static void isotropic_cone_has_its_closed_formula(void **state) {
  (void)state;
  uint64_t seed = 17;
  for (int k = 0; k < 100000; k++) {
    double mu = decades(&seed, -2, 1), angle = claim_between(&seed, 0, 6.3), z[3];
    double length = decades(&seed, -1, 1), n = claim_between(&seed, -5, 5);
    z[0] = n, z[1] = length * cos(angle), z[2] = length * sin(angle);
    friction_cone c = cone_of(mu, mu, 0);
    vec3 p = cone_project(&c, vec3_from(z), NULL), expected = vec3_from(z);
    if (n + mu * length <= 0) {
      expected = vec3_make(0, 0, 0);
    } else if (length > mu * n) {
      double kept = (n + mu * length) / (1 + mu * mu);
      expected = vec3_make(kept, mu * kept * cos(angle), mu * kept * sin(angle));
    }
    claim_below(vec3_norm(vec3_sub(p, expected)), 8 * DBL_EPSILON * (length + fabs(n)));
  }
}

static void cone_without_coefficients_is_a_ray(void **state) {
  (void)state;
  friction_cone ray = cone_of(0, 0, 0);
  mat3 dp;
  vec3 p = cone_project(&ray, vec3_make(2, 3, -4), &dp);
  assert_true(p.x == 2 && p.y == 0 && p.z == 0 && dp.m[0][0] == 1 && dp.m[1][1] == 0);
  p = cone_project(&ray, vec3_make(-2, 3, -4), &dp);
  assert_true(p.x == 0 && p.y == 0 && p.z == 0 && dp.m[0][0] == 0);
  friction_cone fan = cone_of(0, 0.5, 0); /* a sector of the plane of n and b */
  p = cone_project(&fan, vec3_make(1, 7, 3), &dp);
  claim_near(p.x, 2, 1e-15); /* (1 + 0.5 * 3)/1.25 */
  claim_near(p.z, 1, 1e-15);
  assert_true(p.y == 0 && dp.m[1][1] == 0 && dp.m[0][1] == 0 && dp.m[1][2] == 0);
}

static void cone_without_drilling_bears_no_torque_and_is_the_cone_of_three(void **state) {
  (void)state;
  uint64_t seed = 19;
  for (int k = 0; k < 10000; k++) {
    double mu[3] = {decades(&seed, -2, 1), decades(&seed, -2, 1), 0}, z[4], p[4], dp[4][4];
    scatter(&seed, 3, mu, z);
    z[3] = claim_between(&seed, -1, 1);
    friction_cone c = cone_of(mu[0], mu[1], 0);
    cone_project_drill(&c, z, p, dp);
    mat3 three;
    vec3 q = cone_project(&c, vec3_from(z), &three);
    assert_true(p[0] == q.x && p[1] == q.y && p[2] == q.z && p[3] == 0);
    for (int i = 0; i < 3; i++) {
      assert_true(dp[i][3] == 0 && dp[3][i] == 0);
      for (int j = 0; j < 3; j++) assert_true(dp[i][j] == three.m[i][j]);
    }
  }
}

static void extremes_of_double_stay_finite(void **state) {
  (void)state;
  static const double sizes[] = {0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-3,
                                 1, 1e3,    1e20,   1e150,  1e300};
  static const double mus[] = {0, 1e-300, 1e-101, 1e-99, 1e-20, 1e-3, 1, 1e3, 1e6};
  enum { SIZES = sizeof sizes / sizeof *sizes, MUS = sizeof mus / sizeof *mus };
  for (int a = 0; a < MUS; a++)
    for (int b = 0; b < MUS; b++)
      for (int i = 0; i < 2 * SIZES; i++)
        for (int j = 0; j < SIZES; j++)
          for (int k = 0; k < SIZES; k++) {
            friction_cone c = cone_of(mus[a], mus[b], 0);
            vec3 z = {i % 2 ? sizes[i / 2] : -sizes[i / 2], sizes[j], -sizes[k]};
            mat3 dp;
            vec3 p = cone_project(&c, z, &dp);
            assert_true(vec3_finite(p) && p.x >= 0 && p.y >= 0 && p.z <= 0);
            for (int m = 0; m < 9; m++) assert_true(fabs(dp.m[m / 3][m % 3]) <= 1 + 1e-14);
          }
}

/* ---- the residual ---------------------------------------------------------------------------- */

/* A sliding impulse by the formula of maximum dissipation, r_T = -r_N D^2 v_T / |D v_T|. */
static void residual_is_zero_where_the_law_holds_and_only_there(void **state) {
  (void)state;
  uint64_t seed = 23;
  for (int k = 0; k < 10000; k++) {
    friction_cone c = cone_of(decades(&seed, -3, 0.5), decades(&seed, -3, 0.5), 0);
    double rho = decades(&seed, -2, 2), n = decades(&seed, -2, 2), size = n * (1 + c.mu_t + c.mu_b);
    vec3 v = {0, claim_between(&seed, -1, 1), claim_between(&seed, -1, 1)};
    double length = hypot(c.mu_t * v.y, c.mu_b * v.z);
    vec3 slides = {n, -n * c.mu_t * c.mu_t * v.y / length, -n * c.mu_b * c.mu_b * v.z / length};
    double rounding = 8 * DBL_EPSILON * (size + rho);
    claim_below(vec3_norm(cone_residual(&c, slides, v, rho)), rounding);
    vec3 sticks = vec3_make(n, 0.5 * slides.y, 0.5 * slides.z), still = {0, 0, 0};
    claim_below(vec3_norm(cone_residual(&c, sticks, still, rho)), rounding);
    vec3 leaves = vec3_make(decades(&seed, -3, 0), v.y, v.z);
    claim_below(vec3_norm(cone_residual(&c, still, leaves, rho)), rounding);

    /* each half of the law broken in turn */
    double broken = 1e-9 * fmin(1, rho) * fmin(c.mu_t, c.mu_b);
    claim_below(broken, vec3_norm(cone_residual(&c, sticks, v, rho)));
    claim_below(broken, vec3_norm(cone_residual(&c, vec3_scale(1.01, slides), leaves, rho)));
    vec3 outside = vec3_make(n, 1.01 * slides.y, 1.01 * slides.z);
    claim_below(broken, vec3_norm(cone_residual(&c, outside, still, rho)));
    claim_below(rho * 0.1, vec3_norm(cone_residual(&c, still, vec3_make(-0.1, 0, 0), rho)));
  }
}

/* cone_residual with drilling: v[3] is the angular velocity about the normal. */
static void residual_drill(const friction_cone *c, const double r[4], const double v[4], double rho,
                           double residual[4]) {
  double normal = fmax(0, r[0] - rho * v[0]), q[3], p[3];
  const double axes[3] = {c->mu_t * normal, c->mu_b * normal, c->mu_drill * normal};
  for (int i = 0; i < 3; i++) q[i] = r[i + 1] - rho * v[i + 1];
  ellipsoid_project(axes, q, p, NULL);
  residual[0] = r[0] - normal;
  for (int i = 0; i < 3; i++) residual[i + 1] = r[i + 1] - p[i];
}

static void residual_with_drilling_is_zero_for_the_most_dissipative_torque(void **state) {
  (void)state;
  uint64_t seed = 29;
  for (int k = 0; k < 10000; k++) {
    double mu[3], v[4] = {0}, r[4], residual[4], length = 0, n = decades(&seed, -1, 1);
    for (int i = 0; i < 3; i++) {
      mu[i] = decades(&seed, -2, 0), v[i + 1] = claim_between(&seed, -1, 1);
      length += mu[i] * v[i + 1] * (mu[i] * v[i + 1]);
    }
    r[0] = n;
    for (int i = 0; i < 3; i++) r[i + 1] = -n * mu[i] * mu[i] * v[i + 1] / sqrt(length);
    friction_cone c = cone_of(mu[0], mu[1], mu[2]);
    residual_drill(&c, r, v, 0.7, residual);
    for (int i = 0; i < 4; i++) claim_near(residual[i], 0, 16 * DBL_EPSILON * (1 + n));
    r[3] *= 0.9;
    residual_drill(&c, r, v, 0.7, residual);
    claim_below(1e-6 * fabs(r[3]), fabs(residual[1]) + fabs(residual[2]) + fabs(residual[3]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projection_is_the_nearest_impulse_found_by_bisection),
      cmocka_unit_test(projection_with_drilling_splits_an_impulse_between_the_cone_and_its_polar),
      cmocka_unit_test(projection_with_drilling_is_that_of_a_bisected_multiplier),
      cmocka_unit_test(derivative_is_that_of_the_projection),
      cmocka_unit_test(derivative_keeps_the_impulse_and_loses_what_was_cut_off),
      cmocka_unit_test(isotropic_cone_has_its_closed_formula),
      cmocka_unit_test(cone_without_coefficients_is_a_ray),
      cmocka_unit_test(cone_without_drilling_bears_no_torque_and_is_the_cone_of_three),
      cmocka_unit_test(extremes_of_double_stay_finite),
      cmocka_unit_test(residual_is_zero_where_the_law_holds_and_only_there),
      cmocka_unit_test(residual_with_drilling_is_zero_for_the_most_dissipative_torque),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
