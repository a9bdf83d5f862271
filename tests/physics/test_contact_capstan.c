/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cloth over a cylinder holds where friction is above Euler's, 0.14015, and slips where it is
 * below. Here at the coarsest resolution and as the scene starts; thresholds are in tests/long.
 */
#include "physics/lab_capstan.h"

/* The cloth of the scene itself, which lies on the cylinder without stress. */
static capstan_course let_go(double mu, int sides, double cylinder) {
  scene_cloth_cylinder_params p = scene_cloth_cylinder_defaults();
  p.cells = 7, p.sides = sides, p.cylinder = cylinder, p.mu = mu;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_cylinder(&p, &scene, err));
  simulation *s = lab_simulation(scene);
  vec3 start = lab_centre(s, 0);
  lab_watch watch = lab_watch_start(s);
  lab_watch_steps(s, 200, &watch);
  capstan_course course = {lab_centre(s, 0).x - start.x, lab_velocity(s, 0).x, watch.penetration};
  claim_below(lab_centre(s, 0).z, start.z); /* nothing throws it up */
  simulation_free(s);
  return course;
}

static void cloth__slips_at_0_13_and_holds_at_0_15(void **unused) {
  (void)unused;
  for (int k = 0; k < 3;
       k++) { /* a long coarse cylinder, one too short for its edges, a fine one */
    int sides = k < 2 ? 7 : 16;
    double cylinder = k == 1 ? 1.6 : 6;
    capstan_course low = let_go(0.13, sides, cylinder), high = let_go(0.15, sides, cylinder);
    assert_true(low.way > 0.1 && low.speed > 0.2);
    assert_true(fabs(high.way) < 0.002 && fabs(high.speed) < 0.001);
    claim_below(low.penetration, 1e-4 * 4); /* of the length of the cloth */
    claim_below(high.penetration, 1e-6);
  }
}

/* The formula's own examples: without weight on the cylinder it is Euler's. */
static void formula__is_eulers_where_the_cylinder_is_thin(void **unused) {
  (void)unused;
  claim_near(capstan_formula(1e-9, 2, 1), log(2) / LAB_PI, 1e-8);
  claim_near(capstan_formula(1.6 / LAB_PI, 1.6, 0.8), 0.14015161654962588, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__slips_at_0_13_and_holds_at_0_15),
      cmocka_unit_test(formula__is_eulers_where_the_cylinder_is_thin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
