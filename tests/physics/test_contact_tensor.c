/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friction tensors of a pair (document 002, Appendix A) as they move things: against the same cone
 * by the Matchstick keys, and from either side of the pair.
 */
#include "physics/lab_painted.h"

/* A rigid box on a ramp of 30 degrees, combed by 40 degrees off the way down, set off sideways. */
static simulation *slider(const char *a, const char *b, const tribo_friction_params *friction) {
  const lab_floor floor = {.slope = LAB_PI / 6, .low = -2, .high = 6, .half = 3};
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh ramp = lab_floor_mesh(&floor), body = lab_slider_mesh(&floor, TRIBO_RIGID, 1, 0.2, 0, 0);
  double *lines = lab_combed(ramp.vertex_count, lab_floor_direction(&floor, 40));
  tribo_object_def under = tribo_object_default(TRIBO_COLLIDER);
  tribo_object_def over = tribo_object_default(TRIBO_RIGID);
  under.name = "ramp", over.name = "slider";
  under.vertex_structure = lines;
  over.object.velocity[1] = 0.3;
  claim_ok(scenes_add(scene, under, &ramp, NULL, err));
  claim_ok(scenes_add(scene, over, &body, NULL, err));
  free(lines);
  claim_ok(tribo_scene_set_pair(scene, a, b, friction, err));
  return lab_simulation(scene);
}

static vec3 after(simulation *s, int steps) {
  vec3 from = lab_centre(s, 0);
  lab_steps(s, steps);
  vec3 way = vec3_sub(lab_centre(s, 0), from);
  simulation_free(s);
  return way;
}

static void tensor_of_one_surface__moves_a_block_as_its_ellipse_does(void **unused) {
  (void)unused;
  tribo_friction_params keys = tribo_friction_defaults(), tensor = keys, other = keys;
  keys.mu = 0.5, keys.mu_along = 0.1, keys.mu_across = 0.5;
  tensor.mu = other.mu = 0.5;
  tensor.tensor_b[0] = other.tensor_a[0] = 0.2;
  tensor.tensor_b[1] = other.tensor_a[1] = 1;
  vec3 by_keys = after(slider("slider", "ramp", &keys), 60);
  vec3 by_tensor = after(slider("slider", "ramp", &tensor), 60);
  vec3 by_other = after(slider("ramp", "slider", &other), 60);
  assert_true(fabs(by_keys.y) > 0.05); /* led aside */
  claim_below(vec3_norm(vec3_sub(by_tensor, by_keys)), 1e-7);
  claim_below(vec3_norm(vec3_sub(by_other, by_tensor)), 1e-12);
}

/* What is off the diagonal turns the axes: a tensor whose axes lie at 45 degrees to the structure
 * moves a block as one along them does on a structure turned by as much. */
static void shear_of_a_tensor__turns_its_axes(void **unused) {
  (void)unused;
  tribo_friction_params straight = tribo_friction_defaults(), sheared = straight;
  straight.mu = sheared.mu = 1;
  straight.tensor_b[0] = 0.1, straight.tensor_b[1] = 0.5;
  sheared.tensor_b[0] = sheared.tensor_b[1] = 0.3, sheared.tensor_b[2] = -0.2;
  vec3 a = after(slider("slider", "ramp", &straight), 40);
  vec3 b = after(slider("slider", "ramp", &sheared), 40);
  assert_true(vec3_norm(vec3_sub(a, b)) > 0.05); /* it does make a difference */
  friction_law one = law_make(&straight), two = law_make(&sheared);
  vec3 up = {0, 0, 1}, along = {1, 0, 0}, turned = {sqrt(0.5), sqrt(0.5), 0}, none = {0, 0, 0};
  friction_cone c = law_cone(&one, up, none, turned, 0), d = law_cone(&two, up, none, along, 0);
  claim_near(c.mu_t, d.mu_t, 1e-15);
  claim_near(c.mu_b, d.mu_b, 1e-15);
  claim_near(fabs(vec3_dot(c.t, d.t)), 1, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensor_of_one_surface__moves_a_block_as_its_ellipse_does),
      cmocka_unit_test(shear_of_a_tensor__turns_its_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
