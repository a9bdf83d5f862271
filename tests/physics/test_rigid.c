/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigid bodies that nothing touches: flight, spin, tumbling.
 */
#include "lab.h"

#include "core/model/closed.h"
#include "kinds/build.h"
#include "model/rigid.h"

static const double PI = 3.14159265358979323846;

static simulation *fly(const tribo_object_def *defs, size_t count, double h, double gravity,
                       int threads) {
  tribo_world_params world = tribo_world_defaults();
  memcpy(world.gravity, (double[]){0, 0, gravity}, sizeof world.gravity);
  tribo_time_params time = tribo_time_defaults();
  model m;
  claim_ok(model_build(defs, count, &world, &time, &m, err));
  simulation_options options = {.method = TRIBO_METHOD_ELASTIC,
                                .solver = tribo_solver_defaults(),
                                .step_seconds = h,
                                .threads = threads};
  simulation *s = NULL;
  claim_ok(simulation_create(&m, &options, &s, err));
  return s;
}

/* A T of two boxes: moments 1 : 1.65 : 2.56, the middle one about the stem. */
static closed *make_handle(void) {
  closed *c = closed_new();
  closed_add_box(c, vec3_make(-0.15, -0.02, -0.02), vec3_make(0.15, 0.02, 0.02));
  closed_add_box(c, vec3_make(-0.02, 0.02, -0.02), vec3_make(0.02, 0.2, 0.02));
  return c;
}

static vec3 spin_of(const simulation *s, size_t k) {
  const model_rigid *r = &simulation_model(s)->rigids[k];
  return vec3_scale(1 / r->length, simulation_state(s)->v[r->node + 1]);
}

static vec3 momentum_of(const simulation *s, size_t k) {
  return rigid_momentum(&simulation_model(s)->rigids[k], simulation_state(s)->turns[k],
                        spin_of(s, k));
}

static double energy_of(const simulation *s, size_t k) {
  return rigid_spin_energy(&simulation_model(s)->rigids[k], simulation_state(s)->turns[k],
                           spin_of(s, k));
}

/* The spin along the body's own axes. */
static vec3 own_spin(const simulation *s, size_t k) {
  return quat_unrotate(simulation_state(s)->turns[k], spin_of(s, k));
}

/* Turns the body so that its principal axes spin like this at the start. */
static void set_own_spin(simulation *s, vec3 own) {
  const model_rigid *r = &simulation_model(s)->rigids[0];
  state start = lab_copy(s);
  start.v[r->node + 1] = vec3_scale(r->length, quat_rotate(start.turns[0], own));
  lab_put_back(s, &start);
}

static void start__has_the_vertices_and_velocities_that_were_given(void **unused) {
  (void)unused;
  closed *handle = make_handle();
  closed_move(handle, quat_exp(vec3_make(1, 2, 3)), vec3_make(4, 5, 6));
  tribo_object_def def = closed_object(handle, "handle");
  memcpy(def.object.velocity, (double[]){1, -2, 3}, sizeof def.object.velocity);
  memcpy(def.object.spin, (double[]){0.5, 6, -7}, sizeof def.object.spin);
  simulation *s = fly(&def, 1, 0.01, 0, 1);
  const model *m = simulation_model(s);
  assert_int_equal(m->node_count, 2);
  assert_int_equal(m->vertex_count, 16);
  vec3 centre = simulation_state(s)->x[0];
  for (int i = 0; i < 16; i++) {
    vec3 p = vec3_from(handle->positions + 3 * i);
    vec3 v = vec3_add(vec3_make(1, -2, 3), vec3_cross(vec3_make(0.5, 6, -7), vec3_sub(p, centre)));
    claim_below(vec3_max_abs(vec3_sub(simulation_positions(s)[i], p)), 1e-14);
    claim_below(vec3_max_abs(vec3_sub(simulation_velocities(s)[i], v)), 1e-13);
  }
  tribo_report report = lab_steps(s, 0);
  double energy = 0.5 * m->rigids[0].mass * 14 + energy_of(s, 0);
  claim_near(report.kinetic_energy, energy, 1e-13 * energy);
  simulation_free(s);
  free(handle);
}

/* As for every other body (test_motion.c), and a spinning one falls like one that does not. */
static void free_fall__is_the_exact_backward_euler_sum(void **unused) {
  (void)unused;
  enum { STEPS = 100 };
  double h = 0.01, g = -9.81, v0 = 4;
  closed *handle = make_handle();
  for (int spinning = 0; spinning < 2; spinning++) {
    tribo_object_def def = closed_object(handle, "handle");
    def.object.velocity[2] = v0;
    def.object.spin[0] = spinning ? 20 : 0;
    simulation *s = fly(&def, 1, h, g, 1);
    tribo_report report = lab_steps(s, STEPS);
    assert_int_equal(report.newton_iterations, 0);
    double fallen = STEPS * h * v0 + h * h * g * STEPS * (STEPS + 1) / 2;
    const state *now = simulation_state(s);
    claim_near(now->x[0].z - simulation_model(s)->rest[0].z, fallen, 1e-12);
    claim_near(now->v[0].z, v0 + STEPS * h * g, 1e-10);
    claim_below(vec3_norm(now->x[1]), 0);
    if (!spinning) /* and it has not turned by one bit */
      assert_memory_equal(&now->turns[0], &simulation_model(s)->rigids[0].turn, sizeof(quat));
    simulation_free(s);
  }
  free(handle);
}

static void tumbling__keeps_angular_momentum_to_rounding_and_energy_without_drift(void **unused) {
  (void)unused;
  closed *brick = closed_box(0.1, 0.2, 0.3);
  tribo_object_def def = closed_object(brick, "brick");
  memcpy(def.object.spin, (double[]){3, 8, 1}, sizeof def.object.spin);
  simulation *s = fly(&def, 1, 1.0 / 96, 0, 1);
  vec3 momentum = momentum_of(s, 0);
  double energy = energy_of(s, 0), worst[2] = {0, 0}, lost = 0;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < 1000; i++) {
      lab_steps(s, 1);
      lost = fmax(lost, vec3_norm(vec3_sub(momentum_of(s, 0), momentum)));
      worst[half] = fmax(worst[half], fabs(energy_of(s, 0) - energy));
    }
  claim_below(lost, 1e-12 * vec3_norm(momentum)); /* 2e-13 as measured */
  claim_below(worst[0], 1e-9 * energy);           /* 1.8e-10 as measured */
  claim_below(worst[1], 1.05 * worst[0] + 1e-13 * energy);
  simulation_free(s);
  free(brick);
}

/* The complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double elliptic_k(double k2) {
  double a = 1, b = sqrt(1 - k2);
  while (fabs(a - b) > 1e-15 * a) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return PI / (a + b);
}

/* Landau and Lifshitz, Mechanics, section 37: the spin about the middle axis has the period
 * 4 K(k) sqrt(I1 I2 I3 / ((I3 - I2) (M^2 - 2 E I1))),
 * k^2 = (I2 - I1) (2 E I3 - M^2) / ((I3 - I2) (M^2 - 2 E I1)) where M^2 > 2 E I2; where it is less,
 * 1 and 3 change places. */
static double flip_period(vec3 i, double energy, double momentum2) {
  if (momentum2 < 2 * energy * i.y) i = vec3_make(i.z, i.y, i.x);
  double rest = momentum2 - 2 * energy * i.x;
  double k2 = (i.y - i.x) * (2 * energy * i.z - momentum2) / ((i.z - i.y) * rest);
  return 4 * elliptic_k(k2) * sqrt(i.x * i.y * i.z / ((i.z - i.y) * rest));
}

static void handle_spun_about_its_middle_axis__flips_with_the_period_of_the_formula(void **unused) {
  (void)unused;
  closed *handle = make_handle();
  tribo_object_def def = closed_object(handle, "handle");
  for (int start = 0; start < 2; start++) {
    double h = 1.0 / 240, crossings[8];
    simulation *s = fly(&def, 1, h, 0, 1);
    set_own_spin(s, start ? vec3_make(0, 10, 0.05) : vec3_make(0.05, 10, 0));
    double period = flip_period(simulation_model(s)->rigids[0].inertia, energy_of(s, 0),
                                vec3_norm2(momentum_of(s, 0)));
    int found = 0;
    double before = own_spin(s, 0).y;
    for (int i = 0; found < 8; i++) {
      assert_true(i < 10000);
      lab_steps(s, 1);
      double now = own_spin(s, 0).y;
      if (now * before < 0) crossings[found++] = h * (i + before / (before - now));
      before = now;
    }
    double measured = (crossings[7] - crossings[0]) / 3.5;
    claim_near(measured, period, 1e-6 * period);
    simulation_free(s);
  }
  free(handle);
}

/* About the axes of least and greatest inertia it stays as it is. */
static void spin_about_an_outer_axis__is_stable(void **unused) {
  (void)unused;
  closed *handle = make_handle();
  tribo_object_def def = closed_object(handle, "handle");
  for (int axis = 0; axis < 3; axis += 2) {
    simulation *s = fly(&def, 1, 1.0 / 96, 0, 1);
    set_own_spin(s, axis == 0 ? vec3_make(10, 0.05, 0) : vec3_make(0, 0.05, 10));
    double least = 10;
    for (int i = 0; i < 2000; i++) {
      lab_steps(s, 1);
      vec3 own = own_spin(s, 0);
      least = fmin(least, axis == 0 ? own.x : own.z);
    }
    claim_near(least, 10, 1e-3);
    simulation_free(s);
  }
  free(handle);
}

/* A top of two equal moments precesses about L at |L|/I and spins about its own axis besides: the
 * orientation after 1000 steps, by the formula. */
static void symmetric_top__precesses_by_the_formula(void **unused) {
  (void)unused;
  enum { STEPS = 1000 };
  double h = 1.0 / 96;
  closed *plate = closed_box(0.3, 0.3, 0.05);
  tribo_object_def def = closed_object(plate, "plate");
  memcpy(def.object.spin, (double[]){1, 2, 9}, sizeof def.object.spin);
  simulation *s = fly(&def, 1, h, 0, 1);
  const model_rigid *r = &simulation_model(s)->rigids[0];
  quat start = simulation_state(s)->turns[0];
  vec3 momentum = momentum_of(s, 0), axis = {0, 0, 1};
  double own = quat_unrotate(start, momentum).z * (1 / r->inertia.z - 1 / r->inertia.x);
  lab_steps(s, STEPS);
  double seconds = STEPS * h;
  quat end = quat_multiply(quat_exp(vec3_scale(seconds / r->inertia.x, momentum)),
                           quat_multiply(start, quat_exp(vec3_scale(seconds * own, axis))));
  quat off = quat_multiply(simulation_state(s)->turns[0], quat_conjugate(end));
  claim_below(vec3_norm(quat_log(off)), 1e-10);
  simulation_free(s);
  free(plate);
}

/* Cloth, a collider, and two rigid bodies: nodes and vertices are numbered apart, the collider is
 * no body, and none disturbs the others. */
static void bodies_of_all_kinds__share_a_scene(void **unused) {
  (void)unused;
  closed *handle = make_handle(), *ball = closed_sphere(0.1, 8);
  mesh sheet = shape_sheet(4, 4, 0.5, 0.5);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "sheet";
  cloth.positions = sheet.positions;
  cloth.vertex_count = sheet.vertex_count;
  cloth.triangles = sheet.triangles;
  cloth.triangle_count = sheet.triangle_count;
  cloth.object.velocity[0] = 1;
  tribo_object_def defs[4] = {closed_object(handle, "handle"), closed_object(ball, "wall"), cloth,
                              closed_object(ball, "ball")};
  defs[1].kind = TRIBO_COLLIDER;
  defs[0].object.spin[1] = 5;
  defs[0].object.spin[2] = 1;
  simulation *s = fly(defs, 4, 0.01, -9.81, 1), *alone = fly(defs, 1, 0.01, -9.81, 1);
  const model *m = simulation_model(s);
  assert_int_equal(m->object_count, 4);
  assert_int_equal(m->body_count, 3);
  assert_int_equal(m->rigid_count, 2);
  assert_int_equal(m->bodies[1].object, 2);
  assert_int_equal(m->bodies[2].object, 3);
  assert_int_equal(m->bodies[1].first_node, 2);
  assert_int_equal(m->bodies[1].first_vertex, 16);
  assert_int_equal(m->node_count, 2 + (int)sheet.vertex_count + 2);
  assert_int_equal(m->rigids[1].node, 2 + (int)sheet.vertex_count);

  lab_steps(s, 20);
  lab_steps(alone, 20);
  assert_memory_equal(simulation_positions(s), simulation_positions(alone), 16 * sizeof(vec3));
  assert_memory_equal(&simulation_state(s)->turns[0], simulation_state(alone)->turns, sizeof(quat));
  double fallen = 1e-4 * -9.81 * 20 * 21 / 2;
  for (int32_t b = 1; b < 3; b++)
    for (int32_t i = 0; i < m->bodies[b].vertex_count; i++) {
      const tribo_object_def *def = &defs[m->bodies[b].object];
      vec3 moved = vec3_sub(simulation_positions(s)[m->bodies[b].first_vertex + i],
                            vec3_from(def->positions + 3 * i));
      vec3 wanted = {b == 1 ? 0.2 : 0, 0, fallen};
      claim_below(vec3_max_abs(vec3_sub(moved, wanted)), 1e-12);
    }
  simulation_free(s);
  simulation_free(alone);
  mesh_free(&sheet);
  free(handle);
  free(ball);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  closed *ball = closed_sphere(0.1, 60), *handle = make_handle();
  tribo_object_def defs[2] = {closed_object(ball, "ball"), closed_object(handle, "handle")};
  memcpy(defs[0].object.spin, (double[]){1, 20, 3}, sizeof defs[0].object.spin);
  memcpy(defs[1].object.spin, (double[]){1, 20, 3}, sizeof defs[1].object.spin);
  simulation *s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = fly(defs, 2, 0.01, -9.81, k + 1);
    lab_steps(s[k], 10);
  }
  size_t size = (size_t)simulation_model(s[0])->vertex_count * sizeof(vec3);
  assert_true(size > 5000 * sizeof(vec3));
  lab_same_bits(s[0], s[1]);
  assert_memory_equal(simulation_positions(s[0]), simulation_positions(s[1]), size);
  assert_memory_equal(simulation_velocities(s[0]), simulation_velocities(s[1]), size);
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
  free(ball);
  free(handle);
}

static void restored_state__goes_on_to_the_same_bits_and_keeps_its_touches(void **unused) {
  (void)unused;
  closed *handle = make_handle();
  tribo_object_def def = closed_object(handle, "handle");
  memcpy(def.object.spin, (double[]){1, 20, 3}, sizeof def.object.spin);
  simulation *s[2];
  for (int k = 0; k < 2; k++) s[k] = fly(&def, 1, 0.01, -9.81, 1);
  lab_steps(s[0], 7);
  state touched = lab_copy(s[0]);
  assert_true(state_reserve_touches(&touched, 1));
  touched.touches[touched.touch_count++] = (touch){42, {1, 2, 3}};
  lab_put_back(s[0], &touched);

  state saved = lab_copy(s[0]);
  lab_put_back(s[1], &saved);
  assert_memory_equal(simulation_positions(s[1]), simulation_positions(s[0]), 16 * sizeof(vec3));
  assert_memory_equal(simulation_velocities(s[1]), simulation_velocities(s[0]), 16 * sizeof(vec3));
  for (int k = 0; k < 2; k++) lab_steps(s[k], 7);
  assert_int_equal(simulation_state(s[1])->step, 14);
  lab_same_bits(s[0], s[1]);
  assert_memory_equal(simulation_positions(s[1]), simulation_positions(s[0]), 16 * sizeof(vec3));
  size_t contacts = 9;
  assert_null(simulation_contacts(s[1], &contacts));
  assert_int_equal(contacts, 0);
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
  free(handle);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(start__has_the_vertices_and_velocities_that_were_given),
      cmocka_unit_test(free_fall__is_the_exact_backward_euler_sum),
      cmocka_unit_test(tumbling__keeps_angular_momentum_to_rounding_and_energy_without_drift),
      cmocka_unit_test(handle_spun_about_its_middle_axis__flips_with_the_period_of_the_formula),
      cmocka_unit_test(spin_about_an_outer_axis__is_stable),
      cmocka_unit_test(symmetric_top__precesses_by_the_formula),
      cmocka_unit_test(bodies_of_all_kinds__share_a_scene),
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(restored_state__goes_on_to_the_same_bits_and_keeps_its_touches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
