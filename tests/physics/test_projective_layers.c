/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cloth on cloth with the method projective: stacks, folds, edges that cross.
 */
#include "physics/lab_crossing.h"
#include "physics/lab_projective.h"

/* The first half second: the sheets fall one onto the other, and all onto the sphere. How they
 * settle is in tests/long/test_projective_layers.c. */
static void three_sheets__land_on_a_sphere_and_none_passes(void **unused) {
  (void)unused;
  simulation *s = projective_stack(10, 0.02, 20, 1);
  int contacts = 0;
  for (int step = 0; step < 100; step++) {
    contacts += lab_steps(s, 1).contacts;
    if (step % 2 == 1) assert_int_equal(crossing_count(s), 0);
  }
  assert_true(contacts > 10000);
  simulation_free(s);
}

/* Two sheets that fly into each other, askew: impulses are equal and opposite. */
static void momentum__of_cloths_that_collide_is_kept_to_rounding(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.005);
  lab_gravity(scene, 0, 0, 0);
  for (int k = 0; k < 2; k++) {
    mesh sheet = shape_sheet(10, 10, 0.5, 0.5);
    shape_turn(&sheet, 0, k ? 0.2 : 0);
    shape_move(&sheet, 0.1 * k, 0.05 * k, k ? 0.05 : 0);
    tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
    def.name = k ? "upper" : "lower";
    def.object.velocity[2] = k ? -1 : 1;
    def.object.velocity[0] = k ? 0.5 : 0;
    def.surface.thickness = 0.01;
    claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  }
  simulation *s = projective_make(scene, 10, 1);
  vec3 before = lab_momentum(s);
  double speed = lab_velocity(s, 0).z;
  int contacts = 0;
  for (int k = 0; k < 60; k++) contacts += lab_steps(s, 1).contacts;
  assert_true(contacts > 100);
  assert_true(lab_velocity(s, 0).z < speed - 0.5); /* they have met */
  assert_int_equal(crossing_count(s), 0);
  claim_below(vec3_norm(vec3_sub(lab_momentum(s), before)), 1e-12 * lab_mass(s));
  simulation_free(s);
}

/* Two sheets meet head on, the one at rest, by up to 40 thicknesses a step: momentum is shared, and
 * none passes the other. */
static void fast_cloth__is_stopped_by_cloth(void **unused) {
  (void)unused;
  for (double speed = 5; speed <= 40; speed *= 2) {
    tribo_scene *scene = lab_scene();
    lab_time(scene, 0.005);
    lab_gravity(scene, 0, 0, 0);
    for (int k = 0; k < 2; k++) {
      mesh sheet = shape_sheet(15, 15, 0.5, 0.5);
      for (size_t i = 0; i < sheet.vertex_count;
           i++) { /* curved, or its own triangles would touch */
        double *x = sheet.positions + 3 * i;
        x[2] = 0.1 * (x[0] * x[0] + x[1] * x[1]);
      }
      shape_turn(&sheet, 0, 0.1 * k);
      shape_move(&sheet, 0.013 * k, 0.02 * k, 0.3 * k);
      tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
      def.name = k ? "upper" : "lower";
      def.object.velocity[2] = k ? -speed : 0;
      def.surface.thickness = 0.005;
      def.cloth.stretch = 500;
      def.cloth.shear = 150;
      claim_ok(scenes_add(scene, def, &sheet, NULL, err));
    }
    simulation *s = projective_make(scene, 20, 1);
    int most = (int)(0.35 / speed / 0.005) + 15;
    for (int k = 0; k < most; k++) {
      lab_steps(s, 1);
      assert_int_equal(crossing_count(s), 0);
    }
    claim_near(lab_velocity(s, 0).z, -0.5 * speed, 0.1 * speed);
    claim_near(lab_velocity(s, 1).z, -0.5 * speed, 0.1 * speed);
    simulation_free(s);
  }
}

/* Two strips of long triangles, laid crosswise, that have no vertex near each other: what holds the
 * upper one are edges. */
static void strips_that_cross__are_held_by_their_edges(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.005);
  for (int k = 0; k < 2; k++) {
    mesh strip = shape_sheet(1, 1, 1, 0.1);
    shape_move(&strip, -0.5, -0.05, 0);
    shape_turn(&strip, 2, k ? 0.5 * LAB_PI : 0);
    shape_move(&strip, 0, 0, k ? 0.03 : 0);
    const int32_t all[] = {0, 1, 2, 3};
    tribo_pin_def pin = {.vertices = all, .vertex_count = 4};
    tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
    def.name = k ? "upper" : "lower";
    def.surface.thickness = 0.01;
    def.cloth.stretch = 200;
    def.cloth.shear = 60;
    if (!k) def.pins = &pin, def.pin_count = 1;
    claim_ok(scenes_add(scene, def, &strip, NULL, err));
  }
  simulation *s = projective_make(scene, 20, 1);
  for (int k = 0; k < 60; k++) {
    lab_steps(s, 1);
    assert_int_equal(crossing_count(s), 0);
  }
  assert_true(lab_centre(s, 1).z > 0); /* 0.44 m further down without */
  simulation_free(s);
}

/* A ribbon let go on its edge of a floor lays itself in folds. In the steps of the paper, which are
 * long for its speed and thickness, and stiff. */
static void ribbon__folds_onto_itself_without_passing_through(void **unused) {
  (void)unused;
  scene_ribbon_params p = scene_ribbon_defaults();
  p.length = 1, p.cells = 80, p.width = 0.04, p.across = 2, p.stretch = 20, p.dt = 0.004;
  tribo_scene *scene = NULL;
  claim_ok(scene_ribbon(&p, &scene, err));
  simulation *s = projective_make(scene, 20, 1);
  int contacts = 0;
  for (int k = 0; k < 200; k++) {
    contacts += lab_steps(s, 1).contacts;
    if (k % 5 == 4) assert_int_equal(crossing_count(s), 0);
  }
  assert_true(contacts > 0);
  simulation_free(s);
}

static double energy_of(simulation *s, bool *tangled) {
  tribo_report report;
  claim_ok(simulation_steps(s, 1, &report, err));
  if (!report.converged) *tangled = true;
  return report.kinetic_energy + report.elastic_energy;
}

/* Finely cut and stiff: contacts do not hold it, but it does not get through itself
 * (projective_passing.h), and has no more energy than it had when it stood. */
static void ribbon_in_steps_that_are_too_long__does_not_tangle_or_blow_up(void **unused) {
  (void)unused;
  scene_ribbon_params p = scene_ribbon_defaults();
  p.cells = 600, p.across = 3, p.stretch = 1000, p.dt = 0.004;
  double stood = p.density * p.length * p.width * 9.81 * 0.5 * p.length, most = 0;
  tribo_scene *scene = NULL;
  claim_ok(scene_ribbon(&p, &scene, err));
  simulation *s = projective_make(scene, 20, 1);
  bool tangled = false;
  for (int k = 0; k < 150; k++) {
    most = fmax(most, energy_of(s, &tangled));
    if (k % 10 == 9) assert_int_equal(crossing_count(s), 0);
  }
  print_message("    %.2f J at most, of %.2f J\n", most, stood);
  claim_below(most, stood);
  simulation_free(s);
}

static void ribbon_in_short_steps__does_not_tangle(void **unused) {
  (void)unused;
  scene_ribbon_params p = scene_ribbon_defaults();
  p.cells = 600, p.across = 3;
  tribo_scene *scene = NULL;
  claim_ok(scene_ribbon(&p, &scene, err));
  simulation *s = projective_make(scene, 20, 1);
  bool tangled = false;
  for (int k = 0; k < 500; k++) {
    energy_of(s, &tangled);
    if (k % 50 == 49) assert_int_equal(crossing_count(s), 0);
  }
  assert_false(tangled);
  simulation_free(s);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = projective_stack(14, 0.015, 8, 1), *two = projective_stack(14, 0.015, 8, 2);
  tribo_report report = lab_steps(one, 40);
  assert_true(report.contacts > 100);
  lab_steps(two, 40);
  lab_same_bits(one, two);
  lab_goes_on_to_the_same_bits(one, projective_stack(14, 0.015, 8, 1), 5);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_sheets__land_on_a_sphere_and_none_passes),
      cmocka_unit_test(momentum__of_cloths_that_collide_is_kept_to_rounding),
      cmocka_unit_test(fast_cloth__is_stopped_by_cloth),
      cmocka_unit_test(strips_that_cross__are_held_by_their_edges),
      cmocka_unit_test(ribbon__folds_onto_itself_without_passing_through),
      cmocka_unit_test(ribbon_in_steps_that_are_too_long__does_not_tangle_or_blow_up),
      cmocka_unit_test(ribbon_in_short_steps__does_not_tangle),
      cmocka_unit_test(threads__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
