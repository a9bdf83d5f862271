/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thirty sheets that fall on each other, with the method `barrier`: no crossing at any frame.
 */
#include "physics/lab_barrier.h"

static void thirty_sheets__fall_on_each_other_without_a_crossing(void **unused) {
  (void)unused;
  enum { SHEETS = 30 };
  char names[SHEETS][24];
  tribo_scene *scene = lab_scene();
  tribo_scene_time(scene)->substeps = 2;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  for (int k = 0; k < SHEETS; k++) {
    mesh sheet = shape_sheet(6, 6, 0.4, 0.4);
    snprintf(names[k], sizeof names[k], "sheet %d", k);
    shape_move(&sheet, -0.2, -0.2, 0);
    shape_turn(&sheet, 2, 0.7 * k);
    shape_turn(&sheet, 0, 0.15 * sin(2.0 * k));
    shape_move(&sheet, 0.02 * cos(k), 0.02 * sin(k), 0.1 + 0.08 * k);
    lab_add(scene, lab_named(TRIBO_CLOTH, names[k]), sheet);
  }
  mesh floor = shape_sheet(1, 1, 4, 4);
  shape_move(&floor, -2, -2, 0);
  lab_add(scene, lab_named(TRIBO_COLLIDER, "floor"), floor);
  simulation *s = lab_barrier(scene);
  lab_nothing_crosses(s, 36, 2);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thirty_sheets__fall_on_each_other_without_a_crossing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
