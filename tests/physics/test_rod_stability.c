/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rods at the thresholds of closed answers, from both sides: what is stable stays, what is not
 * goes.
 */
#include "physics/lab_rod.h"

static tribo_scene *elastic_scene(double h) {
  tribo_scene *scene = lab_scene();
  tribo_scene_world(scene)->method = TRIBO_METHOD_ELASTIC;
  tribo_scene_solver(scene)->tolerance = 1e-9;
  lab_time(scene, h);
  return scene;
}

/* Young's modulus with which q L^3 / B = g at L = 1. */
static void weigh(tribo_object_def *rod, double g) {
  rod->rod.young = 1;
  rod->rod.young = lab_weight(&rod->rod) / (g * lab_bending(&rod->rod));
}

static void clamp(tribo_object_def *rod, tribo_pin_def *pin, const int32_t *held) {
  *pin = (tribo_pin_def){.vertices = held, .vertex_count = 2};
  rod->pins = pin;
  rod->pin_count = 1;
}

static const int32_t FIRST_TWO[2] = {0, 1};

/* ---- a column under its own weight ---- */

/* How far the top goes aside, in lengths, pushed by a tenthousandth of the weight. */
static double leans(double g) {
  enum { SEGMENTS = 40 };
  lab_line l = lab_line_make(SEGMENTS + 2, false);
  for (size_t i = 0; i < l.points; i++) l.positions[3 * i + 2] = ((double)i - 1) / SEGMENTS;
  tribo_object_def rod = lab_rod(&l, "column");
  rod.rod.radius = 0.002;
  weigh(&rod, g);
  tribo_pin_def pin;
  clamp(&rod, &pin, FIRST_TWO);
  tribo_scene *scene = elastic_scene(1);
  lab_gravity(scene, 1e-4 * 9.81, 0, -9.81);
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
  simulation *s = lab_simulation(scene);
  lab_steps(s, 400);
  double aside = simulation_state(s)->x[SEGMENTS + 1].x;
  simulation_free(s);
  return aside;
}

/* q L^3 / B = 7.837, Greenhill's column. */
static void a_column_stands_up_to_its_height_and_no_further(void **unused) {
  (void)unused;
  claim_below(fabs(leans(0.98 * 7.837)), 0.01);
  assert_true(leans(1.02 * 7.837) > 0.1);
}

/* ---- a curl that hangs ---- */

/* Out of the plane, in lengths: a curl with kappa L = 10 hangs from a vertical clamp. */
static double leaves_its_plane(double g) {
  enum { SEGMENTS = 100 };
  const double kappa = 10;
  lab_line l = lab_line_make(SEGMENTS + 2, false);
  for (size_t i = 1; i < l.points; i++) {
    double s = ((double)i - 1) / SEGMENTS;
    l.positions[3 * i] = (1 - cos(kappa * s)) / kappa;
    l.positions[3 * i + 2] = -sin(kappa * s) / kappa;
  }
  l.positions[2] = 1.0 / SEGMENTS;
  tribo_object_def rod = lab_rod(&l, "curl");
  rod.rod.radius = 0.002;
  rod.rod.poisson = 0.5;
  weigh(&rod, g);
  tribo_pin_def pin;
  clamp(&rod, &pin, FIRST_TWO);
  tribo_scene *scene = elastic_scene(1);
  lab_gravity(scene, 0, 1e-4 * 9.81, -9.81);
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
  simulation *s = lab_simulation(scene);
  lab_steps(s, 400);
  double most = 0;
  for (int i = 0; i < SEGMENTS + 2; i++) most = fmax(most, fabs(simulation_state(s)->x[i].y));
  simulation_free(s);
  return most;
}

/* G_c = 238.9 for kappa L = 10 and Poisson's ratio 0.5. */
static void a_curl_hangs_plane_where_it_is_heavy_and_turns_where_it_is_light(void **unused) {
  (void)unused;
  double heavy = leaves_its_plane(1.1 * 238.9), light = leaves_its_plane(0.9 * 238.9);
  print_message("  heavy %g, light %g\n", heavy, light);
  claim_below(heavy, 0.01);
  assert_true(light > 0.03);
}

/* ---- Michell's ring ---- */

/* How far out of its plane, in radii, a naturally straight ring goes that was given one turn. */
static double writhes(double torsion_over_bending) {
  enum { POINTS = 60 };
  lab_line l = lab_line_make(POINTS, true);
  for (size_t i = 0; i < POINTS; i++) {
    double a = 2 * LAB_PI * (double)i / POINTS;
    l.positions[3 * i] = cos(a);
    l.positions[3 * i + 1] = sin(a);
    l.positions[3 * i + 2] = 1e-4 * sin(2 * a);
  }
  tribo_object_def rod = lab_rod(&l, "ring");
  rod.rod.radius = 0.02;
  rod.rod.rest = TRIBO_ROD_REST_STRAIGHT;
  rod.rod.twist = torsion_over_bending * (1 + rod.rod.poisson);
  tribo_scene *scene = elastic_scene(1);
  lab_gravity(scene, 0, 0, 0);
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
  simulation *s = lab_simulation(scene);
  state twisted = lab_copy(s);
  for (int i = 0; i < POINTS; i++) { /* a turn, spread evenly: the last meets the first */
    vec3 axis = vec3_normalized(vec3_sub(twisted.x[(i + 1) % POINTS], twisted.x[i]));
    quat turn = quat_exp(vec3_scale(2 * LAB_PI * i / POINTS, axis));
    twisted.x[POINTS + i] = quat_rotate(turn, twisted.x[POINTS + i]);
  }
  lab_put_back(s, &twisted);
  lab_steps(s, 300);
  double most = 0;
  for (int i = 0; i < POINTS; i++) most = fmax(most, fabs(simulation_state(s)->x[i].z));
  simulation_free(s);
  return most;
}

/* One turn is more than sqrt(3) B / C turns where C / B is above sqrt(3). */
static void a_ring_writhes_above_michells_twist(void **unused) {
  (void)unused;
  double below = writhes(0.97 * sqrt(3)), above = writhes(1.03 * sqrt(3));
  print_message("  below %g, above %g\n", below, above);
  claim_below(below, 0.01);
  assert_true(above > 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_column_stands_up_to_its_height_and_no_further),
      cmocka_unit_test(a_curl_hangs_plane_where_it_is_heavy_and_turns_where_it_is_light),
      cmocka_unit_test(a_ring_writhes_above_michells_twist),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
