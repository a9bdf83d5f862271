/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes of Erleben, Macklin, Andrews and Kry 2020, section 5: the structure decides what happens.
 * Those that take longer are in tests/long/test_matchstick.c.
 */
#include "physics/lab_contact.h"

static simulation *made(const char *name, const char *const *words, size_t count) {
  tribo_scene *scene = NULL;
  claim_ok(scenes_make_with(name, words, count, &scene, err));
  return lab_compile(scene, 1);
}

/* Steps that all converge, and never deeper than a ten-thousandth of the scene's size. */
static void go_on(simulation *s, double seconds, double dt) {
  for (int k = 0; k < (int)(seconds / dt + 0.5); k++) {
    tribo_report report = lab_steps(s, 1);
    claim_below(report.max_penetration, 1e-4 * simulation_model(s)->size);
  }
}

/* ---- a log on a plank -------------------------------------------------------------------------
 */

/* After a second: how far down the plank, and how far aside. */
static vec3 log_way(const char *axial, const char *plank, double *inertia) {
  simulation *s = made("rolling", (const char *[]){axial, plank}, 2);
  vec3 from = lab_centre(s, 0), down = lab_downhill(40);
  const model_rigid *log = &simulation_model(s)->rigids[0];
  *inertia = log->inertia.x / (log->mass * 0.1 * 0.1); /* the axis has the least moment */
  go_on(s, 1, 0.005);
  vec3 way = vec3_sub(lab_centre(s, 0), from);
  simulation_free(s);
  return vec3_make(vec3_dot(way, down), way.y, 0);
}

/* Backward Euler goes a h^2 n (n + 1) / 2 in n steps. Combed around on a plank combed down: both
 * alike, so mu_along = 0.02 brakes. Combed along the axis: crossed, so mu = 0.3, enough to roll. */
static void log_on_a_plank_combed_down__slides_straight_or_rolls_straight(void **unused) {
  (void)unused;
  double angle = 40 * LAB_PI / 180, h = 0.005, n = 200, inertia;
  double time2 = h * h * n * (n + 1) / 2;
  vec3 slid = log_way("axial=0", "plank=0", &inertia);
  claim_near(slid.x, LAB_G * (sin(angle) - 0.02 * cos(angle)) * time2, 1e-3 * slid.x);
  claim_near(slid.y, 0, 1e-5 * slid.x); /* its comb is that of a mesh with facets */
  vec3 rolled = log_way("axial=1", "plank=0", &inertia);
  claim_near(rolled.x, LAB_G * sin(angle) / (1 + inertia) * time2, 5e-3 * rolled.x);
  claim_near(rolled.y, 0, 1e-5 * rolled.x);
}

static void log_on_a_plank_combed_askew__skids_aside(void **unused) {
  (void)unused;
  double inertia;
  vec3 around = log_way("axial=0", "plank=45", &inertia);
  vec3 axial = log_way("axial=1", "plank=45", &inertia);
  vec3 mirrored = log_way("axial=0", "plank=-45", &inertia);
  print_message("aside by %.3f m, combed around; %.3f m, combed along\n", around.y, axial.y);
  assert_true(around.y > 0.1 && axial.y > 0.02);
  claim_near(mirrored.y, -around.y, 1e-3);
}

/* Figure 8 in the paper's order. Two roll: as far as the formula says, and straight. Two skid, and
 * in the end off their planks, which are half a metre wide. */
static void four_cylinders__roll_or_skid_off_as_in_the_paper(void **unused) {
  (void)unused;
  enum { CONCENTRIC, CONCENTRIC_OBLIQUE, AXIAL, AXIAL_OBLIQUE };
  simulation *s = made("cylinders", NULL, 0);
  vec3 from[4];
  for (size_t k = 0; k < 4; k++) from[k] = lab_centre(s, k);
  go_on(s, 1.8, 0.005);
  double angle = 40 * LAB_PI / 180, h = 0.005, n = 360;
  const model_rigid *log = &simulation_model(s)->rigids[0];
  double inertia = log->inertia.x / (log->mass * 0.1 * 0.1);
  double rolled = LAB_G * sin(angle) / (1 + inertia) * h * h * n * (n + 1) / 2;
  for (size_t k = 0; k < 4; k++) {
    vec3 way = vec3_sub(lab_centre(s, k), from[k]);
    double down = vec3_dot(way, lab_downhill(40));
    print_message("%.3f m down, %.3f m aside\n", down, way.y);
    if (k == CONCENTRIC || k == AXIAL) {
      claim_near(down, rolled, 5e-3 * rolled);
      claim_near(way.y, 0, 1e-4 * rolled);
    } else {
      assert_true(fabs(way.y) > 0.25 && down > 1.02 * rolled);
    }
  }
  simulation_free(s);
}

/* ---- an arch ----------------------------------------------------------------------------------
 */

static void arch__stands_on_joints_that_grip_and_falls_on_joints_that_slide(void **unused) {
  (void)unused;
  for (int radial = 0; radial < 2; radial++) {
    simulation *s = made("arch", (const char *[]){radial ? "radial=1" : "radial=0"}, 1);
    double keystone = lab_centre(s, 5).z;
    go_on(s, 0.75, 0.005);
    double fell = keystone - lab_centre(s, 5).z;
    print_message("the keystone went down by %.3g m\n", fell);
    if (radial)
      assert_true(fell > 0.3);
    else
      claim_near(fell, 0, 1e-6);
    simulation_free(s);
  }
}

/* ---- logs and a building ----------------------------------------------------------------------
 */

/* The building begins 5.95 m down the slope and is 1.4 m wide; logs are 0.8 m long. */
static void logs__meet_the_building_or_pass_it_as_the_slope_is_painted(void **unused) {
  (void)unused;
  for (int spread = 0; spread < 2; spread++) {
    simulation *s = made("log_slide", (const char *[]){spread ? "spread=35" : "spread=0"}, 1);
    go_on(s, 2.5, 0.005);
    for (size_t k = 0; k < 6; k++) {
      vec3 at = lab_centre(s, k);
      double down = vec3_dot(at, lab_downhill(30));
      if (spread)
        assert_true(down > 7.3 && fabs(at.y) > 0.8);
      else
        assert_true(down > 5 && down < 5.95 && vec3_norm(lab_velocity(s, k)) < 0.1);
    }
    simulation_free(s);
  }
}

/* Round logs that lie down the slope: the outer two of six start beside the building, and where the
 * structure is straight only they pass it. */
static void round_logs__meet_the_building_or_pass_it_too(void **unused) {
  (void)unused;
  for (int spread = 0; spread < 2; spread++) {
    const char *words[] = {spread ? "spread=35" : "spread=0", "round=1"};
    simulation *s = made("log_slide", words, 2);
    go_on(s, 2.5, 0.005);
    int passed = 0;
    for (size_t k = 0; k < 6; k++) passed += vec3_dot(lab_centre(s, k), lab_downhill(30)) > 7.3;
    print_message("%d of 6 round logs passed the building\n", passed);
    assert_int_equal(passed, spread ? 6 : 2);
    simulation_free(s);
  }
}

/* ---- a vehicle --------------------------------------------------------------------------------
 */

/* From the wheels behind to those in front; the boxes of the mesh have eight vertices each. */
static double heading(const simulation *s) {
  vec3 way = {0, 0, 0};
  for (int v = 0; v < 16; v++)
    way = vec3_add(way, vec3_sub(simulation_positions(s)[16 + v], simulation_positions(s)[32 + v]));
  return atan2(way.y, way.x) * 180 / LAB_PI;
}

static void braking_vehicle__turns_where_the_structure_turns(void **unused) {
  (void)unused;
  const char *words[] = {"turned=0", "turned=45"};
  double turn[2], aside[2];
  for (int k = 0; k < 2; k++) {
    simulation *s = made("skid", &words[k], 1);
    go_on(s, 3, 0.005);
    turn[k] = heading(s);
    aside[k] = lab_centre(s, 0).y;
    print_message("%s: heading %.1f degrees, %.2f m aside\n", words[k], turn[k], aside[k]);
    simulation_free(s);
  }
  /* red and green of 8 bits are off by a quarter of a degree */
  claim_near(turn[0], 0, 1);
  claim_near(aside[0], 0, 0.1);
  assert_true(fabs(turn[1]) > 20 && aside[1] > 3);
}

/* Where the structure winds, its front and its rear wheels are led to different sides: it swings to
 * the left, to the right, and to the left again, farther each time. */
static void braking_vehicle__fishtails_where_the_structure_winds(void **unused) {
  (void)unused;
  const char *words[] = {"wave=20", "turned=30", "speed=16"};
  simulation *s = made("skid", words, 3);
  double swing[3] = {0};
  int swings = 0;
  for (int k = 0; k < 160; k++) {
    go_on(s, 0.02, 0.005);
    double now = heading(s), sign = swings % 2 ? -1 : 1;
    if (sign * now < 0 && sign * swing[swings] > 1 && swings < 2) swings++;
    sign = swings % 2 ? -1 : 1;
    if (sign * now > sign * swing[swings]) swing[swings] = now;
  }
  print_message("heading %.1f, %.1f, %.1f degrees off\n", swing[0], swing[1], swing[2]);
  assert_int_equal(swings, 2);
  assert_true(swing[0] > 8 && swing[1] < -8 && swing[2] > swing[0]);
  simulation_free(s);
}

/* ---- a fingertip ------------------------------------------------------------------------------
 */

/* How far along the stroke the block is drawn at most, in the middle of it. */
static double drawn(const char *angle, const char *fingers) {
  simulation *s = made("stroke", (const char *[]){angle, fingers}, 2);
  int32_t count = simulation_model(s)->vertex_count;
  vec3 *start = malloc((size_t)count * sizeof *start);
  assert_non_null(start);
  memcpy(start, simulation_positions(s), (size_t)count * sizeof *start);
  go_on(s, 0.6, 0.01);
  double most = 0;
  for (int32_t v = 0; v < count; v++) most = fmax(most, simulation_positions(s)[v].x - start[v].x);
  free(start);
  simulation_free(s);
  return most;
}

static void stroke_across_the_structure__draws_the_soft_block_along(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    const char *fingers = k ? "fingers=2" : "fingers=1";
    double along = drawn("angle=0", fingers), across = drawn("angle=90", fingers);
    print_message("%s: drawn by %.4f m along the structure, %.4f m across\n", fingers, along,
                  across);
    assert_true(across > 2.5 * along && across > 0.01);
  }
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(log_on_a_plank_combed_down__slides_straight_or_rolls_straight),
      cmocka_unit_test(log_on_a_plank_combed_askew__skids_aside),
      cmocka_unit_test(four_cylinders__roll_or_skid_off_as_in_the_paper),
      cmocka_unit_test(arch__stands_on_joints_that_grip_and_falls_on_joints_that_slide),
      cmocka_unit_test(logs__meet_the_building_or_pass_it_as_the_slope_is_painted),
      cmocka_unit_test(round_logs__meet_the_building_or_pass_it_too),
      cmocka_unit_test(braking_vehicle__turns_where_the_structure_turns),
      cmocka_unit_test(braking_vehicle__fishtails_where_the_structure_winds),
      cmocka_unit_test(stroke_across_the_structure__draws_the_soft_block_along),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
