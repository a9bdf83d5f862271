/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/solid.h"

#include "core/model/differences.h"

static const element_kernel *const KERNELS[2] = {&solid_kernel_neo_hookean,
                                                 &solid_kernel_stable_neo_hookean};
static const vec3 UNIT[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const vec3 SKEWED[4] = {{0.1, 0, 0.2}, {1.1, 0.1, 0}, {0.2, 0.9, -0.1}, {0.3, 0.2, 0.8}};

enum { YOUNG = 1000 };

static void affine(const vec3 rest[4], const mat3 *f, vec3 *x) {
  for (int a = 0; a < 4; a++) x[a] = mat3_mul_vec3(f, rest[a]);
}

static void shaken(const vec3 rest[4], double size, uint64_t *seed, vec3 *x) {
  for (int a = 0; a < 4; a++) x[a] = vec3_add(rest[a], random_point(seed, size));
}

static double determinant(const solid_element *m, const vec3 *x) {
  mat3 edges = mat3_from_columns(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]), vec3_sub(x[3], x[0]));
  return mat3_det(&edges) / (6 * m->volume);
}

static void derivatives_agree_with_differences_on_random_states(void **state) {
  (void)state;
  uint64_t seed = 11;
  int inverted = 0;
  solid_element m;
  for (int trial = 0; trial < 200; trial++) {
    solid_element_init(SKEWED, YOUNG, trial % 2 ? 0.3 : 0.49, &m);
    vec3 x[4];
    shaken(SKEWED, trial < 100 ? 0.1 : 0.6, &seed, x);
    /* A difference must not straddle the floor, where the third derivative jumps. */
    if (fabs(determinant(&m, x) - SOLID_LOG_FLOOR) < 0.02) continue;
    inverted += determinant(&m, x) < 0;
    for (int k = 0; k < 2; k++) claim_derivatives(KERNELS[k], &m, x, 2e-4);
  }
  assert_true(inverted > 10);
}

static void rest_is_free_of_energy_and_force(void **state) {
  (void)state;
  solid_element m;
  solid_element_init(SKEWED, YOUNG, 0.3, &m);
  for (int k = 0; k < 2; k++) {
    vec3 g[4];
    claim_near(KERNELS[k]->energy(&m, 0, SKEWED), 0, 1e-28 * YOUNG);
    KERNELS[k]->gradient(&m, 0, SKEWED, g);
    for (int a = 0; a < 4; a++) claim_below(vec3_max_abs(g[a]), 1e-14 * YOUNG);
    claim_derivatives(KERNELS[k], &m, SKEWED, 1e-4);
  }
}

static void degenerate_elements_have_sound_derivatives(void **state) {
  (void)state;
  solid_element m;
  solid_element_init(UNIT, YOUNG, 0.3, &m);
  static const mat3 cases[5] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}},     /* flat */
                                {{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}},    /* inside out */
                                {{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}},     /* a line */
                                {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},     /* a point */
                                {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}}; /* point mirrored */
  for (int c = 0; c < 5; c++)
    for (int k = 0; k < 2; k++) {
      vec3 x[4];
      affine(UNIT, &cases[c], x);
      claim_derivatives(KERNELS[k], &m, x, 1e-4);
      claim_projection(KERNELS[k], &m, x);
      claim_nearest(KERNELS[k], &m, x);
    }
}

static void the_floor_of_the_logarithm_is_smooth_to_second_order(void **state) {
  (void)state;
  solid_element m;
  solid_element_init(UNIT, YOUNG, 0.3, &m);
  double h[2][144], e[2];
  for (int side = 0; side < 2; side++) {
    double j = SOLID_LOG_FLOOR * (1 + (side ? 1e-9 : -1e-9));
    mat3 f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, j}}};
    vec3 x[4];
    affine(UNIT, &f, x);
    e[side] = solid_kernel_neo_hookean.energy(&m, 0, x);
    solid_kernel_neo_hookean.hessian(&m, 0, x, HESSIAN_EXACT, h[side]);
  }
  claim_near(e[0], e[1], 1e-8 * fabs(e[1]));
  for (int i = 0; i < 144; i++) claim_near(h[0][i], h[1][i], 1e-7 * largest(h[1], 144));
}

/* Sampled: with the other stretches fixed at 1, psi(J) - mu/2 J^2 is g up to a constant. */
static void an_inverted_neo_hookean_element_is_always_pushed_back(void **state) {
  (void)state;
  for (int p = 0; p < 3; p++) {
    solid_element m;
    solid_element_init(UNIT, YOUNG, p == 0 ? 0 : p == 1 ? 0.3 : 0.49, &m);
    double before = -HUGE_VAL;
    for (double j = -5; j < SOLID_LOG_FLOOR; j += 0.01) {
      vec3 x[4] = {UNIT[0], UNIT[1], UNIT[2], {0, 0, j}}, g[4];
      assert_true(isfinite(solid_kernel_neo_hookean.energy(&m, 0, x)));
      solid_kernel_neo_hookean.gradient(&m, 0, x, g);
      double slope = g[3].z / m.volume - m.mu * j;
      assert_true(slope < 0);      /* g falls with J */
      assert_true(slope > before); /* and is convex */
      before = slope;
    }
  }
}

static void projection_is_semi_definite_and_keeps_what_already_is(void **state) {
  (void)state;
  uint64_t seed = 5;
  int indefinite = 0;
  for (int trial = 0; trial < 300; trial++) {
    solid_element m;
    solid_element_init(SKEWED, YOUNG, trial % 2 ? 0.3 : 0.49, &m);
    vec3 x[4];
    shaken(SKEWED, trial < 100 ? 0.05 : trial < 200 ? 0.3 : 2, &seed, x);
    for (int k = 0; k < 2; k++) indefinite += claim_projection(KERNELS[k], &m, x) < -1e-6;
  }
  assert_in_range(indefinite, 100, 600); /* the claim has been put to the test */

  /* Pulled equally from all sides, a solid is stable, and the projection has nothing to do. */
  solid_element m;
  solid_element_init(SKEWED, YOUNG, 0.3, &m);
  mat3 f = {{{1.2, 0, 0}, {0, 1.2, 0}, {0, 0, 1.2}}};
  vec3 x[4];
  affine(SKEWED, &f, x);
  for (int k = 0; k < 2; k++) assert_true(claim_projection(KERNELS[k], &m, x) > -1e-13);
}

static void projection_is_the_nearest_one_in_the_space_of_f(void **state) {
  (void)state;
  uint64_t seed = 6;
  for (int trial = 0; trial < 300; trial++) {
    solid_element m;
    solid_element_init(UNIT, YOUNG, trial % 2 ? 0.3 : 0.49, &m);
    vec3 x[4];
    shaken(UNIT, trial < 100 ? 0.05 : trial < 200 ? 0.3 : 2, &seed, x);
    for (int k = 0; k < 2; k++) claim_nearest(KERNELS[k], &m, x);
  }
}

static void rigid_motions_change_nothing(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int trial = 0; trial < 100; trial++) {
    solid_element m;
    solid_element_init(SKEWED, YOUNG, 0.3, &m);
    vec3 x[4];
    shaken(SKEWED, 0.15, &seed, x);
    for (int k = 0; k < 2; k++) claim_objective(KERNELS[k], &m, x, YOUNG, &seed);
  }
}

/* At rest u^T H u = 2 V (mu |eps|^2 + lambda/2 tr(eps)^2) for x = (I + grad u) X, without error:
 * the antisymmetric part of grad u must drop out. */
static void small_strains_obey_hooke(void **state) {
  (void)state;
  uint64_t seed = 8;
  static const double ratios[4] = {0, 0.25, 0.45, 0.49};
  for (int trial = 0; trial < 40; trial++) {
    double nu = ratios[trial % 4];
    solid_element m;
    solid_element_init(SKEWED, YOUNG, nu, &m);
    mat3 a;
    for (int i = 0; i < 9; i++) a.m[i / 3][i % 3] = claim_between(&seed, -1, 1);
    vec3 u[4];
    affine(SKEWED, &a, u);
    mat3 t = mat3_transposed(&a), twice = mat3_add(&a, &t), strain = mat3_scale(0.5, &twice);
    double trace = a.m[0][0] + a.m[1][1] + a.m[2][2];
    double mu = YOUNG / (2 * (1 + nu)), lambda = YOUNG * nu / ((1 + nu) * (1 - 2 * nu));
    double expected = 2 * m.volume * (mu * mat3_frobenius2(&strain) + 0.5 * lambda * trace * trace);
    for (int k = 0; k < 2; k++)
      claim_near(quadratic(KERNELS[k], &m, SKEWED, u), expected, 1e-12 * expected + 1e-12 * lambda);
  }
}

/* Young's modulus itself: a bar pulled by 1 + s with its sides free to contract by nu s. */
static void a_small_pull_is_resisted_with_young_s_modulus(void **state) {
  (void)state;
  double s = 1e-6, nu = 0.3;
  solid_element m;
  solid_element_init(UNIT, YOUNG, nu, &m);
  mat3 f = {{{1 + s, 0, 0}, {0, 1 - nu * s, 0}, {0, 0, 1 - nu * s}}};
  vec3 x[4];
  affine(UNIT, &f, x);
  for (int k = 0; k < 2; k++)
    claim_near(KERNELS[k]->energy(&m, 0, x) / m.volume, 0.5 * YOUNG * s * s,
               1e-5 * 0.5 * YOUNG * s * s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree_with_differences_on_random_states),
      cmocka_unit_test(rest_is_free_of_energy_and_force),
      cmocka_unit_test(degenerate_elements_have_sound_derivatives),
      cmocka_unit_test(the_floor_of_the_logarithm_is_smooth_to_second_order),
      cmocka_unit_test(an_inverted_neo_hookean_element_is_always_pushed_back),
      cmocka_unit_test(projection_is_semi_definite_and_keeps_what_already_is),
      cmocka_unit_test(projection_is_the_nearest_one_in_the_space_of_f),
      cmocka_unit_test(rigid_motions_change_nothing),
      cmocka_unit_test(small_strains_obey_hooke),
      cmocka_unit_test(a_small_pull_is_resisted_with_young_s_modulus),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
