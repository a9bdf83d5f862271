/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/rod.h"

#include "core/model/differences.h"
#include "math/quat.h"

static const rod_stretch STRETCH = {.stiffness = 40, .length = 0.8, .radius = 0.3, .gauge = 7};

/* Two segments, bent and twisted, with directors that lean and are too long. */
static void random_joint(uint64_t *seed, double size, vec3 x[5]) {
  x[0] = vec3_make(0, 0, 0);
  x[1] = vec3_make(1, 0, 0);
  x[2] = vec3_make(2.1, 0, 0);
  x[3] = vec3_make(0, 0.4, 0);
  x[4] = vec3_make(0, 0.3, 0);
  for (int i = 0; i < 5; i++) x[i] = vec3_add(x[i], random_point(seed, i < 3 ? size : 0.4 * size));
}

static rod_bend random_bend(uint64_t *seed) {
  rod_bend b;
  for (int i = 0; i < 3; i++) {
    b.stiffness[i] = claim_between(seed, 0.5, 2);
    b.rest[i] = claim_between(seed, -0.5, 0.5);
  }
  return b;
}

static void stretching_derivatives_agree_with_differences(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 100; trial++) {
    vec3 x[5];
    random_joint(&seed, 0.4, x);
    vec3 own[3] = {x[0], x[1], x[3]};
    claim_derivatives(&rod_stretch_kernel, &STRETCH, own, 1e-3);
  }
}

static void bending_derivatives_agree_with_differences(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int trial = 0; trial < 200; trial++) {
    rod_bend b = random_bend(&seed);
    vec3 x[5];
    random_joint(&seed, 0.25, x);
    claim_derivatives(&rod_bend_kernel, &b, x, 1e-3);
  }
}

static void claim_projected_is_semi_definite(const element_kernel *kernel, const void *data,
                                             const vec3 *x, uint64_t *seed) {
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  kernel->hessian(data, 0, x, HESSIAN_PROJECTED, h);
  int n = 3 * kernel->arity;
  for (int trial = 0; trial < 50; trial++) {
    double v[ELEMENT_MAX_DOFS], sum = 0;
    for (int i = 0; i < n; i++) v[i] = claim_between(seed, -1, 1);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) sum += v[i] * h[n * i + k] * v[k];
    assert_true(sum >= -1e-9);
  }
}

static void projected_hessians_are_semi_definite(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int trial = 0; trial < 50; trial++) {
    rod_bend b = random_bend(&seed);
    vec3 x[5];
    random_joint(&seed, 0.5, x);
    vec3 own[3] = {x[0], x[1], x[3]};
    claim_projected_is_semi_definite(&rod_stretch_kernel, &STRETCH, own, &seed);
    claim_projected_is_semi_definite(&rod_bend_kernel, &b, x, &seed);
  }
}

/* Bent about b by phi, twisted by psi: one at a time kappa is 2 tan of half of it. */
static void curvature_is_twice_the_tangent_of_half_the_angle(void **state) {
  (void)state;
  for (double phi = -3; phi < 3.05; phi += 0.5) {
    vec3 bent[5] = {{-1, 0, 0},
                    {0, 0, 0},
                    {2 * cos(phi), 2 * sin(phi), 0},
                    {0, 1, 0},
                    {-sin(phi), cos(phi), 0}};
    vec3 twisted[5] = {{-1, 0, 0}, {0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, cos(phi), sin(phi)}};
    vec3 k = rod_curvature(bent), m = rod_curvature(twisted);
    claim_near(k.z, 2 * tan(phi / 2), 1e-12);
    claim_near(k.x, 0, 1e-12);
    claim_near(k.y, 0, 1e-12);
    claim_near(m.x, 2 * tan(phi / 2), 1e-12);
    claim_near(m.y, 0, 1e-12);
    claim_near(m.z, 0, 1e-12);
  }
}

/* Turned and moved as a whole; and with directors that are longer and lean: the same energy. */
static void curvature_knows_neither_place_nor_gauge(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int trial = 0; trial < 50; trial++) {
    vec3 x[5], y[5];
    random_joint(&seed, 0.3, x);
    quat turn = quat_exp(random_point(&seed, 2));
    vec3 shift = random_point(&seed, 3), k = rod_curvature(x);
    for (int i = 0; i < 5; i++)
      y[i] = i < 3 ? vec3_add(shift, quat_rotate(turn, x[i])) : quat_rotate(turn, x[i]);
    claim_near(vec3_norm(vec3_sub(rod_curvature(y), k)), 0, 1e-12);
    y[3] = vec3_madd(vec3_scale(1.7, y[3]), 0.3, vec3_sub(y[1], y[0]));
    y[4] = vec3_madd(vec3_scale(0.6, y[4]), -0.4, vec3_sub(y[2], y[1]));
    claim_near(vec3_norm(vec3_sub(rod_curvature(y), k)), 0, 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stretching_derivatives_agree_with_differences),
      cmocka_unit_test(bending_derivatives_agree_with_differences),
      cmocka_unit_test(projected_hessians_are_semi_definite),
      cmocka_unit_test(curvature_is_twice_the_tangent_of_half_the_angle),
      cmocka_unit_test(curvature_knows_neither_place_nor_gauge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
