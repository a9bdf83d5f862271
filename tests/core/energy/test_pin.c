/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/pin.h"

#include "core/model/differences.h"

static void a_pin_is_a_spring_to_its_target(void **state) {
  (void)state;
  pin_element pins[2] = {{7, {0, 0, 0}}, {50, {1, 2, 3}}};
  vec3 x[1] = {{1, 2.5, 3}}, g[1];
  claim_near(pin_kernel.energy(pins, 1, x), 0.5 * 50 * 0.25, 1e-15);
  pin_kernel.gradient(pins, 1, x, g);
  claim_near(g[0].x, 0, 0);
  claim_near(g[0].y, 25, 1e-14);
  claim_near(g[0].z, 0, 0);
}

static void derivatives_agree_with_differences(void **state) {
  (void)state;
  uint64_t seed = 41;
  for (int trial = 0; trial < 20; trial++) {
    pin_element pin = {claim_between(&seed, 1, 100), random_point(&seed, 2)};
    vec3 x[1] = {random_point(&seed, 2)};
    claim_derivatives(&pin_kernel, &pin, x, 1e-3);
    assert_true(claim_projection(&pin_kernel, &pin, x) > 0.999); /* k times the identity */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pin_is_a_spring_to_its_target),
      cmocka_unit_test(derivatives_agree_with_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
