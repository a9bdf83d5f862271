/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rods without contact against closed answers.
 */
#include "physics/lab_rod.h"

/* A rod of length 1 along x beyond its clamp, which holds the first segment; G = q L^3 / B. */
static simulation *cantilever(double g, size_t segments) {
  lab_line l = lab_line_make(segments + 2, false);
  for (size_t i = 0; i < l.points; i++) l.positions[3 * i] = ((double)i - 1) / (double)segments;
  tribo_object_def rod = lab_rod(&l, "rod");
  rod.rod.radius = 0.002;
  rod.rod.young = 1;
  rod.rod.young = lab_weight(&rod.rod) / (g * lab_bending(&rod.rod));
  int32_t held[2] = {0, 1};
  tribo_pin_def pin = {.vertices = held, .vertex_count = 2};
  rod.pins = &pin;
  rod.pin_count = 1;
  tribo_scene *scene = lab_scene();
  tribo_scene_world(scene)->method = TRIBO_METHOD_ELASTIC;
  tribo_scene_solver(scene)->tolerance = 1e-10;
  lab_time(scene, 1);
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
  return lab_simulation(scene);
}

static double drop_over_reach(double g, size_t segments) {
  simulation *s = cantilever(g, segments);
  lab_steps(s, 200);
  const vec3 *x = simulation_state(s)->x, *v = simulation_state(s)->v;
  claim_near(vec3_norm(v[segments + 1]), 0, 1e-9);
  double found = -x[segments + 1].z / x[segments + 1].x;
  simulation_free(s);
  return found;
}

/* The answers known from elsewhere, too: what they are compared with is not this file's mistake. */
static void the_elastica_is_integrated_right(void **unused) {
  (void)unused;
  claim_near(lab_hanging(0.1), 0.01250, 1e-5);
  claim_near(lab_hanging(10), 1.06680, 1e-5);
  claim_near(lab_hanging(1000), 21.3354, 1e-4);
}

/* From hardly bent to nearly vertical; where G is large it turns within a hundredth of its length,
 * which 80 segments just see. */
static void a_cantilever_hangs_as_the_elastica_does(void **unused) {
  (void)unused;
  static const struct {
    double g, within;
  } at[] = {{0.1, 5e-4}, {1, 5e-4}, {10, 5e-4}, {100, 3e-3}, {1000, 1.5e-2}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double expected = lab_hanging(at[i].g);
    claim_near(drop_over_reach(at[i].g, 80), expected, at[i].within * expected);
  }
}

/* Halving the segments quarters the error. */
static void a_cantilever_converges_with_the_square_of_its_segments(void **unused) {
  (void)unused;
  double expected = lab_hanging(1), before = 0;
  for (size_t n = 10; n <= 40; n *= 2) {
    double off = fabs(drop_over_reach(1, n) - expected);
    if (n > 10) claim_near(before / off, 4, 0.4);
    before = off;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elastica_is_integrated_right),
      cmocka_unit_test(a_cantilever_converges_with_the_square_of_its_segments),
      cmocka_unit_test(a_cantilever_hangs_as_the_elastica_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
