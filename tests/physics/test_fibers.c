/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scenes of document 004, section 5, as far as a few seconds carry: what friction changes, rest
 * that is rest, and the tension of a knot.
 */
#include "claims.h"
#include "scenes/scenes_fibers.h"

static fibers_report go(fiber_scene *s, int steps) {
  fibers_report report = {0};
  for (int i = 0; i < steps; i++) {
    claim_ok(fiber_scene_step(s, &report, err));
    assert_true(report.converged);
  }
  return report;
}

static void make(const char *name, double mu, fiber_scene *s) {
  claim_ok(fiber_scene_make(name, mu, 1, s, err));
}

static double turned(const fiber_scene *s) {
  vec3 x = fiber_scene_node(s, 0, 20);
  return atan2(x.x, x.z);
}

/* 5.1.2: where friction holds the strand goes with the sphere, once it has its speed (it slips for
 * v / mu g = 0.04 s), where there is none it stays on top. */
static void a_sphere_that_turns__takes_a_rough_strand_along_and_leaves_a_smooth_one(void **unused) {
  (void)unused;
  fiber_scene smooth, rough;
  make("rotating_sphere", 0, &smooth), make("rotating_sphere", 0.5, &rough);
  go(&smooth, 40), go(&rough, 20);
  claim_near(fiber_scene_node(&smooth, 0, 20).x, 0, 1e-9);
  double at = turned(&rough);
  go(&rough, 10); /* 0.05 s at 2 rad/s */
  claim_near(turned(&rough) - at, 0.1, 2e-3);
  fiber_scene_free(&smooth), fiber_scene_free(&rough);
}

/* 5.1.3: without friction rods end side by side on the plate, with it they stand in a stack that is
 * perfectly still. */
static void spaghetti__spread_without_friction_and_rest_in_a_stack_with_it(void **unused) {
  (void)unused;
  fiber_scene smooth, rough;
  make("springs_7", 0, &smooth), make("springs_7", -1, &rough);
  go(&smooth, 300);
  claim_near(fiber_scene_height(&smooth), 1e-3, 1e-6); /* one layer of radius 1 mm */
  assert_true(fiber_scene_spread(&smooth) > 6 * 2e-3);
  go(&rough, 300);
  double high = fiber_scene_height(&rough), spread = fiber_scene_spread(&rough);
  assert_true(high > 2.5e-3);
  for (int i = 0; i < 50; i++) claim_below(go(&rough, 1).fastest, 2e-9);
  claim_near(fiber_scene_height(&rough), high, 1e-9);
  claim_near(fiber_scene_spread(&rough), spread, 1e-9);
  fiber_scene_free(&smooth), fiber_scene_free(&rough);
}

/* A loose overhand knot without friction bears T = B k^2 / 2 (N) with k (1/m) the curvature of its
 * loop (Audoly, Clauvelin, Neukirch 2007, in the limit of a thin rod). Here the rod is 1/30 of the
 * loop thick: within a fifth. The tip is held by a spring of 300 N/m. */
static void a_loose_knot__bears_the_tension_of_its_loop(void **unused) {
  (void)unused;
  fiber_scene s;
  make("knot", 0, &s);
  s.move = NULL;
  go(&s, 700);
  const strand *own = &s.f.strands[0];
  double tension = 300 * vec3_norm(vec3_sub(s.holds[0].target, fiber_scene_node(&s, 0, 20)));
  double k = 0;
  for (int e = 6; e < 14; e++)
    k += hypot(own->q[3 * e], own->q[3 * e + 1]) / 8; /* between its crossings */
  claim_near(tension, strand_bending(&own->material) * k * k / 2, 0.2 * tension);
  assert_true(s.f.contact_count >= 4);
  fiber_scene_free(&s);
}

/* 5.1.1: pulled, it closes and does not come apart. */
static void a_knot__is_tightened_and_holds(void **unused) {
  (void)unused;
  fiber_scene s;
  make("knot", 0, &s);
  double loose = fiber_scene_spread(&s);
  go(&s, 230);
  claim_below(fiber_scene_spread(&s), 0.65 * loose);
  size_t bears = 0;
  for (size_t i = 0; i < s.f.contact_count; i++) {
    bears += s.f.contacts[i].r.x > 0;
    claim_below(-s.f.contacts[i].gap, 1e-3); /* a quarter of what lies between two axes */
  }
  assert_true(bears >= 3);
  fiber_scene_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_that_turns__takes_a_rough_strand_along_and_leaves_a_smooth_one),
      cmocka_unit_test(spaghetti__spread_without_friction_and_rest_in_a_stack_with_it),
      cmocka_unit_test(a_loose_knot__bears_the_tension_of_its_loop),
      cmocka_unit_test(a_knot__is_tightened_and_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
