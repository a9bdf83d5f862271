/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where things come to rest: the same height on a plane, a mesh and a smooth surface of the same
 * form, raised by thickness; and each by the friction of its own pair.
 */
#include "physics/lab_contact.h"

static void add_ground(tribo_scene *scene, int form, double thickness) {
  mesh sheet = shape_sheet(20, 20, 2, 2);
  shape_move(&sheet, -1, -1, 0);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ground";
  def.surface.contact = form;
  def.surface.thickness = thickness;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
}

/* A rigid ball of 0.1 m, with thickness, falls by 1 mm. */
static double rest_on_ground(int form, double ground, double ball) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh globe = shape_globe(4, 0.1);
  shape_move(&globe, 0.013, 0.007, 0.101 + ground + ball);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "ball";
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  def.surface.thickness = ball;
  claim_ok(scenes_add(scene, def, &globe, NULL, err));
  add_ground(scene, form, ground);
  simulation *s = lab_simulation(scene);
  lab_settle(s, 1e-16, 200);
  double height = lab_centre(s, 0).z;
  simulation_free(s);
  return height;
}

/* The ball's centre is at radius and both thicknesses above the ground: to what a step may leave,
 * 1e-5 of the ball's size, on plane and mesh; a flat smooth surface is the plane, too. */
static void ball__rests_at_its_radius_and_the_thicknesses(void **unused) {
  (void)unused;
  const int forms[] = {TRIBO_CONTACT_PLANE, TRIBO_CONTACT_MESH};
  const double thickness[][2] = {{0, 0}, {0.01, 0}, {0, 0.02}, {0.005, 0.003}};
  for (int f = 0; f < 2; f++)
    for (int t = 0; t < 4; t++) {
      double height = rest_on_ground(forms[f], thickness[t][0], thickness[t][1]);
      claim_near(height, 0.1 + thickness[t][0] + thickness[t][1], 1e-5 * 0.2);
    }
}

/* A sheet of cloth on the ground: every vertex at the thickness. */
static void cloth__rests_at_the_thickness_on_all_forms_of_a_plane(void **unused) {
  (void)unused;
  const int forms[] = {TRIBO_CONTACT_PLANE, TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS};
  for (int f = 0; f < 3; f++)
    for (int thick = 0; thick < 2; thick++) {
      double thickness = thick ? 0.01 : 0;
      tribo_scene *scene = lab_scene();
      lab_time(scene, 0.01);
      mesh sheet = shape_sheet(4, 4, 0.4, 0.4);
      shape_move(&sheet, -0.213, -0.187, thickness + 0.001);
      tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
      def.name = "cloth";
      def.surface.thickness = thickness;
      claim_ok(scenes_add(scene, def, &sheet, NULL, err));
      add_ground(scene, forms[f], 0);
      simulation *s = lab_simulation(scene);
      lab_settle(s, 1e-16, 200);
      for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
        claim_near(simulation_positions(s)[v].z, thickness, 1e-5 * 0.57);
      simulation_free(s);
    }
}

/* A sheet over a ball of 0.5 m; the height of its middle, above the pole. */
static double rest_on_ball(int form) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh sheet = shape_sheet(4, 4, 0.2, 0.2), globe = shape_globe(16, 0.5);
  shape_move(&sheet, -0.1, -0.1, 0.502);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.cloth.damping_mass = 5;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  tribo_object_def ball = tribo_object_default(TRIBO_COLLIDER);
  ball.name = "ball";
  ball.surface.contact = form;
  claim_ok(scenes_add(scene, ball, &globe, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_settle(s, 1e-12, 300);
  double height = simulation_positions(s)[12].z;
  simulation_free(s);
  return height;
}

/* The globe has a vertex at the pole: mesh and sphere are there at the radius, to what a step may
 * leave (1e-5 of the cloth's size); the smooth surface runs close by, within 1e-4 of the radius. */
static void cloth__rests_at_the_same_height_on_all_forms_of_a_ball(void **unused) {
  (void)unused;
  claim_near(rest_on_ball(TRIBO_CONTACT_SPHERE), 0.5, 1e-5 * 0.28);
  claim_near(rest_on_ball(TRIBO_CONTACT_MESH), 0.5, 1e-5 * 0.28);
  claim_near(rest_on_ball(TRIBO_CONTACT_MLS), 0.5, 1e-4 * 0.5);
}

/* tan 15 degrees = 0.268: wood at 0.2 slides, rubber at 0.4 sticks, on one ramp. */
static void blocks_of_two_materials__slide_and_stick_on_one_ramp(void **unused) {
  (void)unused;
  scene_block_slide_params p = scene_block_slide_defaults();
  p.angle = 15, p.cells = 2;
  tribo_scene *scene = NULL;
  claim_ok(scene_block_slide(&p, &scene, err));
  for (int k = 0; k < 2; k++) {
    mesh brick = shape_brick(2, 2, 2, 0.2, 0.2, 0.2);
    shape_move(&brick, -0.1, k ? 0.4 : -0.6, 0);
    shape_turn(&brick, 1, 15 * LAB_PI / 180);
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = k ? "slider" : "sticker";
    def.material = k ? "wood" : "rubber";
    def.solid.young = 5e5;
    claim_ok(scenes_add(scene, def, &brick, NULL, err));
  }
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = 0.2;
  claim_ok(tribo_scene_set_pair(scene, "wood", "ramp", &friction, err));
  friction.mu = 0.4;
  claim_ok(tribo_scene_set_pair(scene, "ramp", "rubber", &friction, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, 60);
  double slider = vec3_norm(lab_velocity(s, 2)), sticker = vec3_norm(lab_velocity(s, 1));
  vec3 before = lab_centre(s, 1);
  lab_steps(s, 40);
  double gained = (vec3_norm(lab_velocity(s, 2)) - slider) / 0.4;
  double angle = 15 * LAB_PI / 180, coulomb = LAB_G * (sin(angle) - 0.2 * cos(angle));
  claim_near(gained, coulomb, 0.01 * coulomb);
  claim_below(sticker, 1e-4);
  claim_below(vec3_norm(vec3_sub(lab_centre(s, 1), before)), 1e-5);
  size_t count;
  const tribo_contact *contacts = simulation_contacts(s, &count);
  const double mus[] = {0.177, 0.4, 0.2};
  assert_true(count > 0);
  for (size_t k = 0; k < count; k++) claim_near(contacts[k].mu, mus[contacts[k].object], 0);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball__rests_at_its_radius_and_the_thicknesses),
      cmocka_unit_test(cloth__rests_at_the_thickness_on_all_forms_of_a_plane),
      cmocka_unit_test(cloth__rests_at_the_same_height_on_all_forms_of_a_ball),
      cmocka_unit_test(blocks_of_two_materials__slide_and_stick_on_one_ramp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
