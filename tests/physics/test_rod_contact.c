/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rods that touch: crossings that are there are counted, and with the method barrier there are
 * none.
 */
#include "physics/lab_rod.h"

enum { POINTS = 21 };

/* A strand of 0.4 m in the plane z, turned by `angle` about it, held at both ends or free. */
static void add_strand(tribo_scene *scene, const char *name, double z, double angle, bool held,
                       double radius) {
  lab_line l = lab_line_make(POINTS, false);
  for (size_t i = 0; i < POINTS; i++) {
    double s = 0.4 * ((double)i / (POINTS - 1) - 0.5);
    l.positions[3 * i] = s * cos(angle);
    l.positions[3 * i + 1] = s * sin(angle);
    l.positions[3 * i + 2] = z;
  }
  tribo_object_def rod = lab_rod(&l, name);
  rod.rod.radius = radius;
  rod.rod.young = 1e6;
  static const int32_t ends[2] = {0, POINTS - 1};
  tribo_pin_def pin = {.vertices = ends, .vertex_count = 2};
  rod.pins = &pin;
  rod.pin_count = held;
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
}

/* One falls on the other from 2 cm, crosswise. Most crossings of a frame, and by how much the upper
 * one's middle is above the lower one's at the end, m. */
static int fall(int method, double *height) {
  tribo_scene *scene = lab_scene();
  tribo_scene_world(scene)->method = method;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  lab_time(scene, 0.004);
  add_strand(scene, "lower", 0, 0, true, 0.005);
  add_strand(scene, "upper", 0.03, 1.2, false, 0.005);
  simulation *s = lab_simulation(scene);
  int most = 0;
  for (int i = 0; i < 30; i++) {
    int crossings = lab_steps(s, 1).crossings;
    if (crossings > most) most = crossings;
  }
  const vec3 *x = simulation_state(s)->x + POINTS / 2; /* nodes: points and directors */
  *height = x[2 * POINTS - 1].z - x[0].z;
  simulation_free(s);
  return most;
}

/* With forwarding rods do not touch rods: the upper one falls through, and that is counted. */
static void strands_that_pass_through_each_other_are_counted(void **unused) {
  (void)unused;
  double height;
  assert_true(fall(TRIBO_METHOD_FORWARDING, &height) >= 1);
  assert_true(height < -0.002);
}

/* With barrier it comes to lie on the lower one, at the distance of two radii and some band, and on
 * nothing but two crossing edges. */
static void a_strand_that_falls_on_another_stays_on_it(void **unused) {
  (void)unused;
  double height;
  assert_int_equal(fall(TRIBO_METHOD_BARRIER, &height), 0);
  claim_near(height, 0.0115, 0.0015);
}

/* Two that begin in each other crossed then; that is told, and is not new. */
static void strands_that_start_in_each_other_are_no_news(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  tribo_scene_world(scene)->method = TRIBO_METHOD_FORWARDING;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  lab_time(scene, 0.004);
  lab_gravity(scene, 0, 0, 0);
  add_strand(scene, "lower", 0, 0, false, 0.005);
  add_strand(scene, "upper", 0.004, 1.2, false, 0.005);
  simulation *s = lab_simulation(scene);
  tribo_report report = lab_steps(s, 1);
  assert_true(report.crossings >= 1);
  assert_int_equal(report.new_crossings, 0);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strands_that_pass_through_each_other_are_counted),
      cmocka_unit_test(a_strand_that_falls_on_another_stays_on_it),
      cmocka_unit_test(strands_that_start_in_each_other_are_no_news),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
