/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/bending.h"

#include "core/model/differences.h"

#define PI 3.14159265358979323846

static const vec3 FLAT[4] = {{0, 0, 0}, {0, 1, 0}, {-0.8, 0.4, 0}, {0.9, 0.3, 0}};
static const double RIGIDITY = 2.5;

/* The second triangle turned down about the edge by theta. */
static void folded(double theta, vec3 *x) {
  memcpy(x, FLAT, sizeof FLAT);
  x[3] = vec3_make(0.9 * cos(theta), 0.3, -0.9 * sin(theta));
}

static bending_element bent_at_rest(double theta) {
  bending_element b;
  vec3 rest[4];
  folded(theta, rest);
  bending_element_init(rest, RIGIDITY, &b);
  return b;
}

static void shaken(double size, uint64_t *seed, vec3 *x) {
  for (int a = 0; a < 4; a++) x[a] = vec3_add(x[a], random_point(seed, size));
}

static void the_angle_has_the_sign_of_the_fold(void **state) {
  (void)state;
  for (double theta = -3.1; theta < 3.15; theta += 0.1) {
    vec3 x[4];
    folded(theta, x);
    claim_near(bending_angle(x), theta, 1e-14);
    vec3 swapped[4] = {x[1], x[0], x[3], x[2]};
    claim_near(bending_angle(swapped), theta, 1e-14);
    vec3 from_below[4] = {x[1], x[0], x[2], x[3]};
    claim_near(bending_angle(from_below), -theta, 1e-14);
  }
}

static void derivatives_agree_with_differences_on_random_states(void **state) {
  (void)state;
  uint64_t seed = 31;
  for (int trial = 0; trial < 200; trial++) {
    bending_element b = bent_at_rest(trial % 3 == 0 ? 0 : claim_between(&seed, -1, 1));
    vec3 x[4];
    folded(claim_between(&seed, -1.5, 1.5), x);
    shaken(0.2, &seed, x);
    claim_derivatives(&bending_kernel, &b, x, 1e-3);
  }
}

static void a_fold_of_nearly_half_a_turn_has_sound_derivatives(void **state) {
  (void)state;
  bending_element b = bent_at_rest(0);
  for (int sign = -1; sign <= 1; sign += 2) {
    vec3 x[4];
    folded(sign * (PI - 0.01), x);
    claim_derivatives(&bending_kernel, &b, x, 5e-4);
    claim_projection(&bending_kernel, &b, x);
  }
}

/* Rest at 3, bent on past half a turn: the difference is the small one, -3.1 - 3 + 2 pi. */
static void the_difference_takes_the_short_way_round(void **state) {
  (void)state;
  bending_element b = bent_at_rest(3);
  vec3 x[4];
  folded(-3.1, x);
  double d = 2 * PI - 6.1;
  claim_near(bending_kernel.energy(&b, 0, x), 0.5 * b.stiffness * d * d, 1e-12 * b.stiffness);
  claim_derivatives(&bending_kernel, &b, x, 1e-3);
}

static void rest_is_free_of_energy_and_force(void **state) {
  (void)state;
  bending_element b = bent_at_rest(0.7);
  vec3 x[4], g[4];
  folded(0.7, x);
  claim_near(bending_kernel.energy(&b, 0, x), 0, 1e-30);
  bending_kernel.gradient(&b, 0, x, g);
  for (int a = 0; a < 4; a++) claim_below(vec3_max_abs(g[a]), 1e-15);
  claim_derivatives(&bending_kernel, &b, x, 1e-3);
  claim_projection(&bending_kernel, &b, x);
}

static void collapsed_triangles_pull_on_nothing(void **state) {
  (void)state;
  bending_element b = bent_at_rest(0);
  static const vec3 cases[4][4] = {
      {{0, 0, 0}, {0, 1, 0}, {0, 0.4, 0}, {0.9, 0.3, 0}},    /* one apex on the edge */
      {{0, 0, 0}, {0, 1, 0}, {0, 0.4, 0}, {0, 2, 0}},        /* both */
      {{0, 0, 0}, {0, 0, 0}, {-0.8, 0.4, 0}, {0.9, 0.3, 1}}, /* no edge */
      {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
  };
  for (int c = 0; c < 4; c++) {
    vec3 g[4];
    double h[144];
    claim_near(bending_kernel.energy(&b, 0, cases[c]), 0, 0);
    claim_near(bending_angle(cases[c]), 0, 0);
    bending_kernel.gradient(&b, 0, cases[c], g);
    for (int a = 0; a < 4; a++) claim_near(vec3_max_abs(g[a]), 0, 0);
    for (int kind = HESSIAN_EXACT; kind <= HESSIAN_PROJECTED; kind++) {
      bending_kernel.hessian(&b, 0, cases[c], (hessian_kind)kind, h);
      claim_near(largest(h, 144), 0, 0);
    }
  }
}

/* In the fade, derivatives still belong to the energy, and all of them go to 0 with the area. */
static void the_fade_is_smooth_and_ends_in_nothing(void **state) {
  (void)state;
  uint64_t seed = 33;
  for (int trial = 0; trial < 60; trial++) {
    bending_element b = bent_at_rest(claim_between(&seed, -0.5, 0.5));
    vec3 x[4];
    folded(claim_between(&seed, -1.5, 1.5), x);
    double one = 1, other = 1;
    if (trial % 3 != 1) one = BENDING_FADE * claim_between(&seed, 0.3, 0.9);
    if (trial % 3 != 0) other = BENDING_FADE * claim_between(&seed, 0.3, 0.9);
    x[2].x *= one;
    x[3].x *= other;
    x[3].z *= other;
    claim_derivatives(&bending_kernel, &b, x, 2e-6);
    claim_projection(&bending_kernel, &b, x);
  }
  bending_element b = bent_at_rest(0);
  double before = HUGE_VAL;
  for (double area = BENDING_FADE / 4; area > 1e-9; area /= 4) {
    vec3 x[4];
    double h[144];
    folded(1, x);
    x[2].x *= area;
    bending_kernel.hessian(&b, 0, x, HESSIAN_EXACT, h);
    assert_true(largest(h, 144) < before);
    before = largest(h, 144);
  }
  claim_below(before, 1e-6 * b.stiffness);
}

static void the_fade_begins_without_a_jump(void **state) {
  (void)state;
  bending_element b = bent_at_rest(0);
  double h[2][144];
  for (int side = 0; side < 2; side++) {
    vec3 x[4];
    folded(1, x);
    x[2].x *= BENDING_FADE * (1 + (side ? 1e-9 : -1e-9));
    bending_kernel.hessian(&b, 0, x, HESSIAN_EXACT, h[side]);
  }
  for (int i = 0; i < 144; i++) claim_near(h[0][i], h[1][i], 1e-6 * largest(h[1], 144));
}

static void projection_is_semi_definite(void **state) {
  (void)state;
  uint64_t seed = 34;
  int indefinite = 0;
  for (int trial = 0; trial < 300; trial++) {
    bending_element b = bent_at_rest(0.3);
    vec3 x[4];
    folded(claim_between(&seed, -3, 3), x);
    shaken(0.2, &seed, x);
    indefinite += claim_projection(&bending_kernel, &b, x) < -1e-6;
  }
  assert_true(indefinite > 100);
}

static void rigid_motions_change_nothing(void **state) {
  (void)state;
  uint64_t seed = 35;
  bending_element b = bent_at_rest(0.4);
  for (int trial = 0; trial < 100; trial++) {
    vec3 x[4];
    folded(claim_between(&seed, -1.5, 1.5), x);
    shaken(0.1, &seed, x);
    claim_objective(&bending_kernel, &b, x, b.stiffness, &seed);
  }
}

/* Energy of one hinge with these rest corners in the plane, when the sheet is rolled to a cylinder
 * of curvature kappa whose axis is perpendicular to `direction` (an angle in the plane). */
static double rolled(double kappa, double direction, const double corners[4][2]) {
  vec3 rest[4], x[4];
  double c = cos(direction), s = sin(direction);
  for (int a = 0; a < 4; a++) {
    double p = c * corners[a][0] + s * corners[a][1], q = c * corners[a][1] - s * corners[a][0];
    rest[a] = vec3_make(corners[a][0], corners[a][1], 0);
    x[a] = vec3_make(sin(kappa * p) / kappa, q, (cos(kappa * p) - 1) / kappa);
  }
  bending_element b;
  bending_element_init(rest, RIGIDITY, &b);
  return bending_kernel.energy(&b, 0, x);
}

/* Each cell of the lattice spanned by p and q has the edges p, q and p - q, the last across it. */
static double energy_per_area(double kappa, double direction, double px, double py, double qx,
                              double qy) {
  const double along_p[4][2] = {{0, 0}, {px, py}, {qx, qy}, {px - qx, py - qy}};
  const double along_q[4][2] = {{0, 0}, {qx, qy}, {qx - px, qy - py}, {px, py}};
  const double across[4][2] = {{px, py}, {qx, qy}, {0, 0}, {px + qx, py + qy}};
  return (rolled(kappa, direction, along_p) + rolled(kappa, direction, along_q) +
          rolled(kappa, direction, across)) /
         fabs(px * qy - qx * py);
}

static void a_rolled_sheet_has_the_flexural_rigidity_it_was_given(void **state) {
  (void)state;
  double kappa = 1e-2, a = 0.1, expected = 0.5 * RIGIDITY * kappa * kappa;
  /* Equilateral triangles: in every direction. The chords' error is of order (kappa a)^2. */
  for (double direction = 0; direction < 3.2; direction += 0.2)
    claim_near(energy_per_area(kappa, direction, a, 0, a / 2, a * sqrt(3) / 2), expected,
               1e-6 * expected);
  /* Right-angled ones, equal and unequal legs: along the legs. */
  claim_near(energy_per_area(kappa, 0, a, 0, 0, a), expected, 1e-6 * expected);
  claim_near(energy_per_area(kappa, PI / 2, a, 0, 0, a), expected, 1e-6 * expected);
  claim_near(energy_per_area(kappa, 0, 2 * a, 0, 0, a), expected, 1e-6 * expected);
  /* Of the diagonals of a square grid, across the cuts; along them the header warns. */
  claim_near(energy_per_area(kappa, PI / 4, a, 0, 0, a), expected, 1e-6 * expected);
  claim_near(energy_per_area(kappa, -PI / 4, a, 0, 0, a), 3 * expected, 1e-5 * expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_angle_has_the_sign_of_the_fold),
      cmocka_unit_test(derivatives_agree_with_differences_on_random_states),
      cmocka_unit_test(a_fold_of_nearly_half_a_turn_has_sound_derivatives),
      cmocka_unit_test(the_difference_takes_the_short_way_round),
      cmocka_unit_test(rest_is_free_of_energy_and_force),
      cmocka_unit_test(collapsed_triangles_pull_on_nothing),
      cmocka_unit_test(the_fade_is_smooth_and_ends_in_nothing),
      cmocka_unit_test(the_fade_begins_without_a_jump),
      cmocka_unit_test(projection_is_semi_definite),
      cmocka_unit_test(rigid_motions_change_nothing),
      cmocka_unit_test(a_rolled_sheet_has_the_flexural_rigidity_it_was_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
