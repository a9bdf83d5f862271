/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/membrane.h"

#include "core/model/differences.h"

static const membrane_material CLOTH = {.warp = 1200, .weft = 500, .poisson = 0.2, .shear = 40};
static const vec3 UNIT[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const vec3 SKEWED[3] = {{0.1, 0.3, 0.2}, {1.2, 0.1, -0.1}, {0.2, 0.9, 0.4}};

static membrane_element skewed(void) {
  membrane_element m;
  assert_true(membrane_element_init(SKEWED, vec3_make(1, 0.5, -0.3), &CLOTH, &m));
  return m;
}

static membrane_element unit(void) {
  membrane_element m;
  assert_true(membrane_element_init(UNIT, vec3_make(1, 0, 0), &CLOTH, &m));
  return m;
}

static void shaken(const vec3 rest[3], double size, uint64_t *seed, vec3 *x) {
  for (int a = 0; a < 3; a++) x[a] = vec3_add(rest[a], random_point(seed, size));
}

static void derivatives_agree_with_differences_on_random_states(void **state) {
  (void)state;
  uint64_t seed = 21;
  membrane_element m = skewed();
  for (int trial = 0; trial < 100; trial++) {
    vec3 x[3];
    shaken(SKEWED, trial < 50 ? 0.1 : 1, &seed, x);
    claim_derivatives(&membrane_kernel, &m, x, 1e-3);
  }
  claim_derivatives(&membrane_kernel, &m, SKEWED, 1e-3);
}

static void rest_is_free_of_energy_and_force(void **state) {
  (void)state;
  membrane_element m = skewed();
  vec3 g[3];
  claim_near(membrane_kernel.energy(&m, 0, SKEWED), 0, 1e-28 * CLOTH.warp);
  membrane_kernel.gradient(&m, 0, SKEWED, g);
  for (int a = 0; a < 3; a++) claim_below(vec3_max_abs(g[a]), 1e-14 * CLOTH.warp);
}

static void collapsed_triangles_have_sound_derivatives(void **state) {
  (void)state;
  membrane_element m = unit();
  static const vec3 cases[4][3] = {
      {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}},         /* a line */
      {{0, 0, 0}, {0, 0, 0}, {0.3, 0.4, 0.5}},     /* a line, one edge gone */
      {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},           /* a point */
      {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-14, 1e-14}}, /* a line but for rounding */
  };
  for (int c = 0; c < 4; c++) {
    claim_derivatives(&membrane_kernel, &m, cases[c], 1e-3);
    claim_projection(&membrane_kernel, &m, cases[c]);
    claim_nearest(&membrane_kernel, &m, cases[c]);
  }
}

static void projection_is_semi_definite_and_keeps_what_already_is(void **state) {
  (void)state;
  uint64_t seed = 22;
  membrane_element m = skewed();
  int indefinite = 0, definite = 0;
  for (int trial = 0; trial < 600; trial++) {
    vec3 x[3];
    shaken(SKEWED, trial < 200 ? 0.05 : trial < 400 ? 0.3 : 2, &seed, x);
    double lowest = claim_projection(&membrane_kernel, &m, x);
    indefinite += lowest < -1e-6;
    definite += lowest >= -1e-13;
  }
  assert_true(indefinite > 100 && definite > 50);
}

static void projection_is_the_nearest_one_in_the_space_of_f(void **state) {
  (void)state;
  uint64_t seed = 23;
  membrane_element m = unit();
  for (int trial = 0; trial < 600; trial++) {
    vec3 x[3];
    shaken(UNIT, trial < 200 ? 0.05 : trial < 400 ? 0.3 : 2, &seed, x);
    claim_nearest(&membrane_kernel, &m, x);
  }
}

static void rigid_motions_change_nothing(void **state) {
  (void)state;
  uint64_t seed = 24;
  membrane_element m = skewed();
  for (int trial = 0; trial < 100; trial++) {
    vec3 x[3];
    shaken(SKEWED, 0.3, &seed, x);
    claim_objective(&membrane_kernel, &m, x, CLOTH.warp, &seed);
  }
}

/* Straining the square's half by F = [1+a, c; 0, 1+b] must cost W of the header. */
static void each_stiffness_answers_for_its_own_strain(void **state) {
  (void)state;
  membrane_element m = unit();
  static const double cases[4][3] = {{0.1, 0, 0}, {0, -0.2, 0}, {0.1, 0.3, 0}, {0, 0, 0.2}};
  for (int k = 0; k < 4; k++) {
    double a = 1 + cases[k][0], b = 1 + cases[k][1], c = cases[k][2];
    vec3 x[3] = {{0, 0, 0}, {a, 0, 0}, {c, b, 0}};
    double e00 = (a * a - 1) / 2, e11 = (b * b + c * c - 1) / 2, angle = a * c;
    double w = 0.5 * (CLOTH.warp * e00 * e00 + CLOTH.weft * e11 * e11 +
                      2 * CLOTH.poisson * sqrt(CLOTH.warp * CLOTH.weft) * e00 * e11) +
               0.5 * CLOTH.shear * angle * angle;
    claim_near(membrane_kernel.energy(&m, 0, x), 0.5 * w, 1e-13 * w);
  }
}

/* The header's isotropic constants: at rest u^T H u is Hooke's plane stress in every direction,
 * A k/(1-nu^2) ((tr eps)^2 - 2 (1-nu) det eps), and 0 for motions out of the plane. */
static void small_strains_of_an_isotropic_sheet_obey_plane_stress(void **state) {
  (void)state;
  uint64_t seed = 25;
  for (int trial = 0; trial < 40; trial++) {
    double k = 300, nu = trial % 2 ? 0.3 : 0.49;
    membrane_material sheet = {k / (1 - nu * nu), k / (1 - nu * nu), nu, k / (2 * (1 + nu))};
    membrane_element m;
    vec3 warp = {claim_between(&seed, -1, 1), 1, 0};
    assert_true(membrane_element_init(UNIT, warp, &sheet, &m));
    double xx = claim_between(&seed, -1, 1), yy = claim_between(&seed, -1, 1);
    double xy = claim_between(&seed, -1, 1), spin = claim_between(&seed, -1, 1);
    vec3 u[3] = {{0, 0, 0}, {xx, xy + spin, 0}, {xy - spin, yy, 0}};
    for (int a = 0; a < 3; a++) u[a].z = claim_between(&seed, -1, 1);
    double expected =
        m.area * k / (1 - nu * nu) * ((xx + yy) * (xx + yy) - 2 * (1 - nu) * (xx * yy - xy * xy));
    claim_near(quadratic(&membrane_kernel, &m, UNIT, u), expected, 1e-12 * k);
  }
}

static void warp_comes_from_a_direction_or_from_uv(void **state) {
  (void)state;
  membrane_element a, b;
  /* u grows along y, v along x, with different scales: warp is y. The winding in UV is reversed. */
  static const double uv[3][2] = {{0.2, 0.1}, {0.2, 0.6}, {7.2, 0.1}};
  assert_true(membrane_element_init(UNIT, vec3_make(0, 3, 0), &CLOTH, &a));
  assert_true(membrane_element_init_uv(UNIT, uv, &CLOTH, &b));
  vec3 along_y[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1.1, 0}};
  double e = (1.1 * 1.1 - 1) / 2, energy = 0.5 * 0.5 * CLOTH.warp * e * e;
  claim_near(membrane_kernel.energy(&a, 0, along_y), energy, 1e-13 * energy);
  claim_near(membrane_kernel.energy(&b, 0, along_y), energy, 1e-13 * energy);

  /* A sheared map: lines of constant v run along x, whatever u's gradient is. */
  static const double sheared[3][2] = {{0, 0}, {1, 0}, {5, 1}};
  assert_true(membrane_element_init_uv(UNIT, sheared, &CLOTH, &b));
  vec3 along_x[3] = {{0, 0, 0}, {1.1, 0, 0}, {0, 1, 0}};
  claim_near(membrane_kernel.energy(&b, 0, along_x), energy, 1e-13 * energy);

  /* A direction that points out of the triangle counts by its shadow. */
  assert_true(membrane_element_init(UNIT, vec3_make(0, 1, 5), &CLOTH, &a));
  claim_near(membrane_kernel.energy(&a, 0, along_y), energy, 1e-13 * energy);
}

static void without_a_warp_direction_there_is_no_element(void **state) {
  (void)state;
  membrane_element m;
  static const double no_area[3][2] = {{0, 0}, {1, 1}, {2, 2}};
  static const vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  assert_false(membrane_element_init(UNIT, vec3_make(0, 0, 1), &CLOTH, &m));
  assert_false(membrane_element_init(UNIT, vec3_make(0, 0, 0), &CLOTH, &m));
  assert_false(membrane_element_init(line, vec3_make(1, 0, 0), &CLOTH, &m));
  assert_false(membrane_element_init_uv(UNIT, no_area, &CLOTH, &m));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree_with_differences_on_random_states),
      cmocka_unit_test(rest_is_free_of_energy_and_force),
      cmocka_unit_test(collapsed_triangles_have_sound_derivatives),
      cmocka_unit_test(projection_is_semi_definite_and_keeps_what_already_is),
      cmocka_unit_test(projection_is_the_nearest_one_in_the_space_of_f),
      cmocka_unit_test(rigid_motions_change_nothing),
      cmocka_unit_test(each_stiffness_answers_for_its_own_strain),
      cmocka_unit_test(small_strains_of_an_isotropic_sheet_obey_plane_stress),
      cmocka_unit_test(warp_comes_from_a_direction_or_from_uv),
      cmocka_unit_test(without_a_warp_direction_there_is_no_element),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
