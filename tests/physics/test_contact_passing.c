/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is fast does not get through what is thin: at 50 m/s and steps of 0.01 s a vertex goes 0.5 m
 * a step, the plate is 2 mm thick.
 */
#include "physics/lab_contact.h"

/* The plate's upper side is z = 0; or, one-sided, there is only that. */
static void add_plate(tribo_scene *scene, bool sheet, int form) {
  mesh plate;
  int n = form == TRIBO_CONTACT_MLS ? 24 : 4;
  if (sheet) {
    plate = shape_sheet(n, n, 3, 3);
    shape_move(&plate, -1.5, -1.5, 0);
  } else {
    mesh brick = shape_brick(1, 1, 1, 3, 3, 0.002);
    shape_move(&brick, -1.5, -1.5, -0.002);
    const int32_t box[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    plate = shape_keep(&brick, box, 12);
    mesh_free(&brick);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "plate";
  def.surface.contact = form;
  claim_ok(scenes_add(scene, def, &plate, NULL, err));
}

static void add_thrown(tribo_scene *scene, tribo_kind kind, double x, double z, double tilt) {
  mesh thrown;
  if (kind == TRIBO_CLOTH) {
    thrown = shape_sheet(4, 4, 0.3, 0.3);
    shape_move(&thrown, -0.15, -0.15, 0);
  } else if (kind == TRIBO_SOLID) {
    thrown = shape_brick(2, 2, 2, 0.2, 0.2, 0.2);
    shape_move(&thrown, -0.1, -0.1, -0.1);
  } else
    thrown = shape_globe(3, 0.1);
  shape_turn(&thrown, 0, tilt);
  shape_move(&thrown, x, 0, z);
  static const char *const names[] = {"cloth", "solid", "rigid"};
  tribo_object_def def = tribo_object_default(kind);
  def.name = names[kind];
  memcpy(def.object.velocity, (double[]){3, 0, -50}, sizeof def.object.velocity);
  def.cloth.stretch = 500;
  def.solid.young = 1e6;
  claim_ok(scenes_add(scene, def, &thrown, NULL, err));
}

static const double TOLERATED = 1e-4; /* m: what a step may leave (solver.contact_tolerance) */

/* Every vertex stays above. */
static void claim_stopped(tribo_kind kind, bool sheet, int form) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  add_thrown(scene, kind, 0, 0.3, 0.3);
  add_plate(scene, sheet, form);
  simulation *s = lab_compile(scene, 1);
  bool touched = false;
  for (int i = 0; i < 12; i++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    touched = touched || report.contacts > 0;
    for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
      if (fabs(simulation_positions(s)[v].x) < 1.4)
        claim_below(-simulation_positions(s)[v].z, TOLERATED);
  }
  assert_true(touched);
  simulation_free(s);
}

static void cloth__does_not_pass_a_thin_plate(void **unused) {
  (void)unused;
  claim_stopped(TRIBO_CLOTH, false, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_CLOTH, true, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_CLOTH, true, TRIBO_CONTACT_MLS);
}

static void solid__does_not_pass_a_thin_plate(void **unused) {
  (void)unused;
  claim_stopped(TRIBO_SOLID, false, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_SOLID, true, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_SOLID, true, TRIBO_CONTACT_MLS);
}

static void rigid_body__does_not_pass_a_thin_plate(void **unused) {
  (void)unused;
  claim_stopped(TRIBO_RIGID, false, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_RIGID, true, TRIBO_CONTACT_MESH);
  claim_stopped(TRIBO_RIGID, true, TRIBO_CONTACT_MLS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__does_not_pass_a_thin_plate),
      cmocka_unit_test(solid__does_not_pass_a_thin_plate),
      cmocka_unit_test(rigid_body__does_not_pass_a_thin_plate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
