/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solids that touch cloth, each other and themselves with the method projective.
 */
#include "physics/lab_crossing.h"
#include "physics/lab_projective.h"

static const double H = 0.005, THICKNESS = 0.01;

static void add_block(tribo_scene *scene, const char *name, double low, double side, double young,
                      bool held) {
  mesh block = shape_block(3, 3, 2, side, side, 0.1);
  shape_move(&block, -side / 2, -side / 2, low);
  int32_t base[16];
  for (int i = 0; i < 16; i++) base[i] = i;
  tribo_pin_def pin = {.vertices = base, .vertex_count = 16};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = name;
  def.solid.young = young;
  def.solid.poisson = 0.3;
  def.surface.thickness = THICKNESS;
  if (held) def.pins = &pin, def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
}

static void add_cloth(tribo_scene *scene, double height) {
  mesh sheet = shape_sheet(14, 14, 0.7, 0.7);
  shape_move(&sheet, -0.35, -0.35, height);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.cloth.stretch = 500;
  def.surface.thickness = THICKNESS;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
}

/* ---- cloth ------------------------------------------------------------------------------------
 */

/* Wider than the block: it hangs over its edges and corners. */
static void cloth__is_held_by_a_soft_block(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  add_block(scene, "block", 0, 0.3, 1e5, true);
  add_cloth(scene, 0.15);
  tribo_scene_friction(scene)->mu = 0.5;
  simulation *s = projective_make(scene, 20, 1);
  int contacts = 0;
  for (int step = 0; step < 80; step++) {
    contacts = lab_steps(s, 1).contacts;
    if (step % 2 == 1) assert_int_equal(crossing_count(s), 0);
  }
  assert_true(contacts > 20);
  double middle = simulation_state(s)->x[simulation_model(s)->bodies[1].first_node + 112].z;
  print_message("    the middle of the cloth at %.4f m above a block of 0.1 m\n", middle);
  assert_true(middle > 0.1 && middle < 0.12);
  simulation_free(s);
}

/* Impulses are equal and opposite: a block flies into a cloth. */
static void momentum__of_block_and_cloth_is_kept_to_rounding(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  lab_gravity(scene, 0, 0, 0);
  add_block(scene, "block", 0, 0.3, 1e5, false);
  add_cloth(scene, 0.12);
  tribo_scene_friction(scene)->mu = 0.5;
  ((tribo_object_def *)tribo_scene_object(scene, 0))->object.velocity[2] = 1;
  ((tribo_object_def *)tribo_scene_object(scene, 0))->object.velocity[0] = 0.4;
  simulation *s = projective_make(scene, 10, 1);
  vec3 before = lab_momentum(s);
  lab_steps(s, 40);
  assert_true(lab_velocity(s, 1).z > 0.5 && lab_velocity(s, 1).x > 0.05);
  assert_int_equal(crossing_count(s), 0);
  claim_below(vec3_norm(vec3_sub(lab_momentum(s), before)), 1e-11 * vec3_norm(before));
  simulation_free(s);
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* On a larger one that is held, with gravity that leans by ten degrees. */
static simulation *block_on_block(double mu, int threads) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  double angle = 10 * LAB_PI / 180;
  lab_gravity(scene, LAB_G * sin(angle), 0, -LAB_G * cos(angle));
  add_block(scene, "lower", 0, 0.6, 1e6, true);
  add_block(scene, "upper", 0.1 + THICKNESS, 0.2, 1e5, false);
  tribo_scene_friction(scene)->mu = mu;
  return projective_make(scene, 30, threads);
}

static void block_on_block__slides_and_holds_by_friction(void **unused) {
  (void)unused;
  const double mus[] = {0.1, 0.19};
  for (int k = 0; k < 2; k++) {
    simulation *s = block_on_block(mus[k], 1);
    lab_steps(s, 40);
    double before = lab_velocity(s, 1).x, angle = 10 * LAB_PI / 180;
    lab_steps(s, 40);
    double acceleration = (lab_velocity(s, 1).x - before) / (40 * H);
    double wanted = LAB_G * (sin(angle) - mus[k] * cos(angle));
    print_message("    mu %.2f: %+.4f m/s^2, formula %+.4f; %.1e m/s, centre at %.4f m\n", mus[k],
                  acceleration, wanted, lab_velocity(s, 1).x, lab_centre(s, 1).z);
    if (wanted > 0)
      claim_near(acceleration, wanted, 0.05 * wanted);
    else
      claim_near(lab_velocity(s, 1).x, 0, 0.01);
    assert_int_equal(crossing_count(s), 0);
    simulation_free(s);
  }
}

/* A tube whose lower half is held, too soft to stand: the roof comes down onto the floor, inside.
 */
static void tube__closes_without_passing_through_itself(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  mesh tube = shape_tube(24, 1, 2, 0.08, 0.1, 0.1);
  shape_turn(&tube, 0, 0.5 * LAB_PI);
  int32_t held[144];
  size_t count = 0;
  for (size_t i = 0; i < tube.vertex_count; i++)
    if (tube.positions[3 * i + 2] < -0.01) held[count++] = (int32_t)i;
  tribo_pin_def pin = {.vertices = held, .vertex_count = count};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "tube";
  def.solid.young = 4e3;
  def.solid.poisson = 0.3;
  def.solid.damping_mass = 2;
  def.surface.thickness = THICKNESS;
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &tube, NULL, err));
  simulation *s = projective_make(scene, 20, 1);
  int contacts = 0;
  for (int step = 0; step < 100; step++) {
    contacts += lab_steps(s, 1).contacts;
    if (step % 5 == 4) assert_int_equal(crossing_count(s), 0);
  }
  double roof = INFINITY;
  for (size_t i = 0; i < simulation_state(s)->node_count; i++)
    if (simulation_model(s)->rest[i].z > 0.079) roof = fmin(roof, simulation_state(s)->x[i].z);
  print_message("    %d contacts; the roof is at %.3f m, the floor at -0.080 m\n", contacts, roof);
  assert_true(contacts > 50);
  assert_true(roof > -0.08 && roof < -0.04);
  simulation_free(s);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = block_on_block(0.15, 1), *two = block_on_block(0.15, 2);
  tribo_report report = lab_steps(one, 20);
  assert_true(report.contacts > 10);
  lab_steps(two, 20);
  lab_same_bits(one, two);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__is_held_by_a_soft_block),
      cmocka_unit_test(momentum__of_block_and_cloth_is_kept_to_rounding),
      cmocka_unit_test(block_on_block__slides_and_holds_by_friction),
      cmocka_unit_test(tube__closes_without_passing_through_itself),
      cmocka_unit_test(threads__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
