/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind rod: what is refused, what is mended, what a pin holds.
 */
#include "physics/lab_rod.h"

static lab_line straight(size_t points) {
  lab_line l = lab_line_make(points, false);
  for (size_t i = 0; i < points; i++) l.positions[3 * i] = 0.1 * (double)i;
  return l;
}

static void claim_refused(const tribo_object_def *rod, const char *why) {
  tribo_scene *scene = lab_scene();
  claim_fails(tribo_scene_add(scene, rod, NULL, err), TRIBO_BAD_INPUT, why);
  assert_int_equal(tribo_scene_object_count(scene), 0);
  tribo_scene_free(scene);
}

static void what_is_no_strand_is_refused(void **unused) {
  (void)unused;
  lab_line l = straight(5);
  tribo_object_def rod = lab_rod(&l, "rod");
  l.segments[7] = 1;
  claim_refused(&rod, "object 'rod': vertex 1 has more than two segments");
  l.segments[7] = 3;
  claim_refused(&rod, "segment 3 uses vertex 3 twice");
  rod.segment_count = 3;
  claim_refused(&rod, "vertex 4 belongs to no segment");
  rod.segment_count = 0;
  claim_refused(&rod, "it has no segments");
  lab_line_free(&l);
}

static void points_all_in_one_place_are_refused(void **unused) {
  (void)unused;
  lab_line l = lab_line_make(4, false);
  tribo_object_def rod = lab_rod(&l, "rod");
  claim_refused(&rod, "all its points are in one place");
  lab_line_free(&l);
}

/* Points 2 and 3 in one place: the segment between becomes a hundredth of the mean, in the
 * direction of the next, what follows moves on, and a note says so. It can be simulated. */
static void segments_without_length_are_drawn_out_and_told(void **unused) {
  (void)unused;
  lab_line l = straight(6);
  for (size_t i = 3; i < 6; i++) l.positions[3 * i] -= 0.1;
  tribo_object_def rod = lab_rod(&l, "rod");
  tribo_scene *scene = lab_scene();
  size_t index;
  claim_ok(tribo_scene_add(scene, &rod, &index, err));
  const double *x = tribo_scene_object(scene, index)->positions;
  double least = 0.01 * 0.4 / 5;
  claim_near(x[3 * 2], 0.2, 0);
  claim_near(x[3 * 3], 0.2 + least, 1e-15);
  claim_near(x[3 * 4] - x[3 * 3], 0.1, 1e-15);
  assert_non_null(strstr(tribo_scene_note(scene, index), "1 segment of 1 strand"));
  lab_line_free(&l);
  simulation *s = lab_simulation(scene);
  lab_steps(s, 5);
  simulation_free(s);
}

static void sound_strands_are_left_to_the_bit(void **unused) {
  (void)unused;
  lab_line l = straight(6);
  tribo_object_def rod = lab_rod(&l, "rod");
  tribo_scene *scene = lab_scene();
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  assert_memory_equal(tribo_scene_object(scene, 0)->positions, l.positions, 18 * sizeof(double));
  assert_null(tribo_scene_note(scene, 0));
  lab_line_free(&l);
  tribo_scene_free(scene);
}

/* m = density pi r^2 L; a cone from r to r/2 in 100 segments has 7/12 of that. */
static void mass_follows_radius_and_taper(void **unused) {
  (void)unused;
  lab_line l = straight(101);
  tribo_object_def rod = lab_rod(&l, "rod");
  double whole = 1000 * LAB_PI * 0.005 * 0.005 * 10;
  claim_near(tribo_object_mass(&rod), whole, 1e-12);
  rod.rod.taper = 0.5;
  claim_near(tribo_object_mass(&rod), whole * 7 / 12, 1e-4 * whole);
  lab_line_free(&l);
}

/* ---- pins ---- */

enum { POINTS = 8 };

/* An L: two points below, then along x. Its foot, three points, is turned about z by targets. */
static simulation *cranked(double radians, bool rigid) {
  lab_line l = straight(POINTS);
  l.positions[0] = l.positions[3] = l.positions[6] = 0;
  l.positions[2] = -0.1;
  l.positions[3] = 0, l.positions[5] = 0;
  for (size_t i = 2; i < POINTS; i++) l.positions[3 * i] = 0.1 * (double)(i - 1);
  tribo_object_def rod = lab_rod(&l, "rod");
  int32_t held[3] = {0, 1, 2};
  double targets[2][3][3];
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++) {
      vec3 p = vec3_from(l.positions + 3 * i);
      vec3 turned = quat_rotate(quat_exp(vec3_make(s * radians, 0, 0)), p);
      if (!rigid && i == 0) turned = p;
      memcpy(targets[s][i], &turned, sizeof turned);
    }
  tribo_pin_def pin = {.vertices = held,
                       .vertex_count = 3,
                       .targets = &targets[0][0][0],
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = 1};
  rod.pins = &pin;
  rod.pin_count = 1;
  tribo_scene *scene = lab_scene();
  tribo_scene_world(scene)->method = TRIBO_METHOD_ELASTIC;
  lab_gravity(scene, 0, 0, 0);
  lab_time(scene, 1);
  claim_ok(tribo_scene_add(scene, &rod, NULL, err));
  lab_line_free(&l);
  return lab_simulation(scene);
}

/* The angle by which the last segment's director has turned about x. */
static double twist_at_the_end(const simulation *s, const vec3 *first) {
  vec3 now = simulation_state(s)->x[2 * POINTS - 2], before = *first;
  double sine = now.z * before.y - now.y * before.z, cosine = now.y * before.y + now.z * before.z;
  return atan2(sine, cosine);
}

/* The crank turns the segment along x about itself, and with it all the rod. */
static void a_crank_that_turns_as_one_turns_the_rod(void **unused) {
  (void)unused;
  simulation *s = cranked(0.6, true);
  vec3 first = simulation_state(s)->x[2 * POINTS - 2];
  lab_steps(s, 40);
  claim_near(twist_at_the_end(s, &first), 0.6, 1e-6);
  simulation_free(s);
}

/* Where the crank stays behind, what is along x has no way to tell that it turns. */
static void a_line_that_keeps_its_direction_does_not_turn(void **unused) {
  (void)unused;
  simulation *s = cranked(0.6, false);
  vec3 first = simulation_state(s)->x[2 * POINTS - 2];
  lab_steps(s, 40);
  claim_near(twist_at_the_end(s, &first), 0, 1e-6);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_strand_is_refused),
      cmocka_unit_test(points_all_in_one_place_are_refused),
      cmocka_unit_test(segments_without_length_are_drawn_out_and_told),
      cmocka_unit_test(sound_strands_are_left_to_the_bit),
      cmocka_unit_test(mass_follows_radius_and_taper),
      cmocka_unit_test(a_crank_that_turns_as_one_turns_the_rod),
      cmocka_unit_test(a_line_that_keeps_its_direction_does_not_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
