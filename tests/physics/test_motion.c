/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies that nothing holds: free fall, momentum, drag, damping.
 */
#include "lab.h"

static simulation *free_bodies(double h, double damping) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  lab_gravity(scene, 0, 0, 0);
  tribo_scene_solver(scene)->tolerance = 1e-10;
  mesh block = shape_block(3, 3, 3, 0.3, 0.3, 0.3), sheet = shape_sheet(8, 8, 0.5, 0.5);
  shape_move(&sheet, 0, 0, 5); /* out of each other's way */
  tribo_object_def solid = tribo_object_default(TRIBO_SOLID);
  solid.name = "block";
  solid.object.velocity[0] = 3;
  solid.solid.damping_stiffness = damping;
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "sheet";
  cloth.object.velocity[1] = -2;
  cloth.cloth.damping_stiffness = damping;
  claim_ok(scenes_add(scene, solid, &block, NULL, err));
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  return lab_simulation(scene);
}

/* Backward Euler in free fall: v_n = v_0 + n h g and x_n = x_0 + n h v_0 + h^2 g n (n + 1) / 2. */
static void free_fall__is_the_exact_backward_euler_sum(void **unused) {
  (void)unused;
  enum { STEPS = 100 };
  double h = 0.01, g = -9.81, v0 = 4;
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  mesh block = shape_block(2, 2, 2, 0.2, 0.2, 0.2);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.object.velocity[2] = v0;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, STEPS);
  const model *m = simulation_model(s);
  double fallen = STEPS * h * v0 + h * h * g * STEPS * (STEPS + 1) / 2;
  for (int32_t i = 0; i < m->node_count; i++) {
    const state *now = simulation_state(s);
    claim_near(now->x[i].z - m->rest[i].z, fallen, 1e-12);
    claim_near(now->x[i].x - m->rest[i].x, 0, 1e-13);
    claim_near(now->v[i].z, v0 + STEPS * h * g, 1e-10);
  }
  simulation_free(s);
}

static void momentum__of_a_free_body_is_kept_to_rounding(void **unused) {
  (void)unused;
  for (int damped = 0; damped < 2; damped++) {
    simulation *s = free_bodies(0.01, damped ? 0.01 : 0);
    lab_shake(s, 0.01, 1, 7);
    vec3 before = lab_momentum(s);
    double size = 0;
    for (size_t i = 0; i < simulation_state(s)->node_count; i++)
      size += simulation_model(s)->mass[i] * vec3_norm(simulation_state(s)->v[i]);
    lab_steps(s, 20);
    claim_below(vec3_norm(vec3_sub(lab_momentum(s), before)), 1e-12 * size);
    simulation_free(s);
  }
}

/* Energy of everything but the bodies' flight as a whole. */
static double inner_energy(const simulation *s, const tribo_report *report) {
  double energy = report->kinetic_energy + report->elastic_energy;
  const model *m = simulation_model(s);
  for (size_t b = 0; b < m->body_count; b++) {
    vec3 momentum = {0, 0, 0};
    double mass = 0;
    for (int32_t k = 0; k < m->bodies[b].vertex_count; k++) {
      int32_t i = m->bodies[b].first_vertex + k;
      momentum = vec3_madd(momentum, m->mass[i], simulation_state(s)->v[i]);
      mass += m->mass[i];
    }
    energy -= vec3_norm2(momentum) / (2 * mass);
  }
  return energy;
}

static void damping__never_adds_energy_and_takes_more_than_none(void **unused) {
  (void)unused;
  double left[2];
  for (int k = 0; k < 2; k++) {
    simulation *s = free_bodies(0.002, (double[]){0, 2e-3}[k]);
    lab_shake(s, 0.004, 0.5, 11);
    tribo_report report;
    claim_ok(simulation_steps(s, 0, &report, err));
    double energy = inner_energy(s, &report);
    for (int i = 0; i < 40; i++) {
      report = lab_steps(s, 1);
      double now = inner_energy(s, &report);
      claim_below(now, energy * (1 + 1e-9));
      energy = now;
    }
    left[k] = energy;
    simulation_free(s);
  }
  claim_below(left[1], 0.5 * left[0]);
}

/* The centre of mass is that of the mass, not of the vertices: the block has more of them on one
 * side. What is pinned does not turn. */
static void spin__turns_a_body_about_its_centre_of_mass(void **unused) {
  (void)unused;
  const vec3 spin = {0.5, -2, 3}, velocity = {1, 0, -1};
  for (int pinned = 0; pinned < 2; pinned++) {
    tribo_scene *scene = lab_scene();
    mesh block = shape_block(4, 2, 2, 0.4, 0.2, 0.2);
    for (size_t v = 0; v < block.vertex_count; v++)
      block.positions[3 * v] *= 1 + block.positions[3 * v];
    int32_t corner = 0;
    tribo_pin_def pin = {.vertices = &corner, .vertex_count = 1, .params = tribo_pin_defaults()};
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = "block";
    def.pins = pinned ? &pin : NULL;
    def.pin_count = (size_t)pinned;
    memcpy(def.object.velocity, &velocity, sizeof velocity);
    memcpy(def.object.spin, &spin, sizeof spin);
    claim_ok(scenes_add(scene, def, &block, NULL, err));
    simulation *s = lab_simulation(scene);
    const model *m = simulation_model(s);
    const state *now = simulation_state(s);
    vec3 moment = {0, 0, 0}, middle = {0, 0, 0};
    for (int32_t i = 0; i < m->node_count; i++) {
      moment = vec3_madd(moment, m->mass[i], now->x[i]);
      middle = vec3_madd(middle, 1.0 / m->node_count, now->x[i]);
    }
    vec3 centre = vec3_scale(1 / lab_mass(s), moment);
    assert_true(vec3_norm(vec3_sub(centre, middle)) > 1e-3);
    for (int32_t i = pinned; i < m->node_count; i++) {
      vec3 wanted = vec3_add(velocity, vec3_cross(spin, vec3_sub(now->x[i], centre)));
      claim_below(vec3_norm(vec3_sub(now->v[i], wanted)), 1e-14);
    }
    if (pinned) assert_true(vec3_norm(now->v[0]) == 0);
    simulation_free(s);
  }
}

/* v' = -a v: backward Euler gives v_n = v_0 / (1 + h a)^n. */
static void mass_damping__slows_a_body_at_its_rate(void **unused) {
  (void)unused;
  double h = 0.01, rate = 3;
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  lab_gravity(scene, 0, 0, 0);
  mesh sheet = shape_sheet(4, 4, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.object.velocity[0] = 2;
  def.cloth.damping_mass = rate;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, 50);
  for (size_t i = 0; i < 25; i++)
    claim_near(simulation_state(s)->v[i].x, 2 / pow(1 + h * rate, 50), 1e-9);
  simulation_free(s);
}

/* A sheet that falls flat ends at the speed where drag carries its weight:
 * rho C A v^2 / 2 = m g, so v = sqrt(2 d g / (rho C)) with d the mass per area. */
static void drag__ends_in_the_terminal_velocity(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh sheet = shape_sheet(6, 6, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.object.drag = 1.1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, 400);
  double speed = -lab_momentum(s).z / lab_mass(s);
  claim_near(speed, sqrt(2 * 0.2 * 9.81 / (1.2 * 1.1)), 1e-3 * speed);
  simulation_free(s);
}

/* Stiffness damping resists deformation, not motion: a body whose held end moves with it at a
 * steady speed keeps its shape. (The damping must see the pinned vertices move too.) */
static void stiffness_damping__does_not_drag_on_a_body_that_moves_with_its_pins(void **unused) {
  (void)unused;
  enum { STEPS = 50 };
  double h = 0.01, speed = 2, targets[2 * 3 * 4];
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  lab_gravity(scene, 0, 0, 0);
  mesh block = shape_block(4, 1, 1, 0.4, 0.1, 0.1);
  int32_t end[4] = {0, 5, 10, 15};
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 3; c++) {
      targets[3 * i + c] = block.positions[3 * end[i] + c];
      targets[12 + 3 * i + c] = targets[3 * i + c] + (c == 0 ? speed * h * STEPS : 0);
    }
  tribo_pin_def pin = {.vertices = end,
                       .vertex_count = 4,
                       .targets = targets,
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = STEPS,
                       .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.object.velocity[0] = speed;
  def.solid.damping_stiffness = 0.5;
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, STEPS);
  const model *m = simulation_model(s);
  for (int32_t i = 0; i < m->node_count; i++)
    claim_near(simulation_state(s)->x[i].x - m->rest[i].x, speed * h * STEPS, 1e-7);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall__is_the_exact_backward_euler_sum),
      cmocka_unit_test(momentum__of_a_free_body_is_kept_to_rounding),
      cmocka_unit_test(spin__turns_a_body_about_its_centre_of_mass),
      cmocka_unit_test(damping__never_adds_energy_and_takes_more_than_none),
      cmocka_unit_test(mass_damping__slows_a_body_at_its_rate),
      cmocka_unit_test(drag__ends_in_the_terminal_velocity),
      cmocka_unit_test(stiffness_damping__does_not_drag_on_a_body_that_moves_with_its_pins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
