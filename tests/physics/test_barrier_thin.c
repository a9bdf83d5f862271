/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thin and fast things in the method `barrier`: cards that come down at 10 m/s, and one
 * tight pair that must not hold up the rest.
 */
#include "physics/lab_barrier.h"

static tribo_scene *fast_scene(void) {
  tribo_scene *scene = lab_scene();
  tribo_scene_time(scene)->substeps = 1;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  return scene;
}

static void add_floor(tribo_scene *scene) {
  mesh floor = shape_sheet(1, 1, 4, 4);
  shape_move(&floor, -2, -2, 0);
  lab_add(scene, lab_named(TRIBO_COLLIDER, "floor"), floor);
}

static tribo_object_def thrown(const char *name) {
  tribo_object_def def = lab_named(TRIBO_RIGID, name);
  def.object.velocity[2] = -10;
  def.rigid.density = 700;
  return def;
}

/* Five cards of half a millimetre, flat, upright and between, one above the other. */
static void cards__that_come_down_at_10_m_s_cross_nothing(void **unused) {
  (void)unused;
  static const char *const names[] = {"card 1", "card 2", "card 3", "card 4", "card 5"};
  tribo_scene *scene = fast_scene();
  add_floor(scene);
  for (int k = 0; k < 5; k++) {
    mesh card = lab_box(vec3_make(-0.03, -0.045, 0), vec3_make(0.06, 0.09, 0.0005));
    shape_turn(&card, 0, 0.4 * k);
    shape_turn(&card, 2, 0.5 * k);
    shape_move(&card, 0.003 * k, 0, 0.03 + 0.1 * k);
    lab_add(scene, thrown(names[k]), card);
  }
  simulation *s = lab_barrier(scene);
  lab_nothing_crosses(s, 12, 1);
  for (size_t k = 0; k < 5; k++) assert_true(lab_centre(s, k).z > 0);
  simulation_free(s);
}

/* Two sheets that are pressed together by a hair from the start, and far from them a third that
 * falls freely: in one step it falls as if it were alone, and soon. */
static void one_tight_pair__does_not_hold_up_the_rest(void **unused) {
  (void)unused;
  static const char *const names[] = {"low", "high"};
  tribo_scene *scene = fast_scene();
  add_floor(scene);
  for (int k = 0; k < 2; k++) {
    mesh sheet = shape_sheet(6, 6, 0.3, 0.3);
    shape_turn(&sheet, 2, 0.2 * k);
    shape_move(&sheet, 0, 0, 1e-5 + 1e-6 * k);
    lab_add(scene, lab_named(TRIBO_CLOTH, names[k]), sheet);
  }
  mesh sheet = shape_sheet(6, 6, 0.3, 0.3);
  shape_move(&sheet, -1, -1, 1);
  lab_add(scene, lab_named(TRIBO_CLOTH, "free"), sheet);
  simulation *s = lab_barrier(scene);
  double h = 1.0 / 24;
  for (int f = 1; f <= 3; f++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_int_equal(report.crossings, 0);
    assert_int_equal(report.cuts, 0);
    claim_near(lab_centre(s, 2).z, 1 - LAB_G * h * h * f * (f + 1) / 2, 1e-6);
    assert_true(report.newton_iterations < 60);
  }
  simulation_free(s);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cards__that_come_down_at_10_m_s_cross_nothing),
      cmocka_unit_test(one_tight_pair__does_not_hold_up_the_rest),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]); /* one claim alone */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
