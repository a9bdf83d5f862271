/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step when it is hard: inverted elements, nearly incompressible flesh, pins that leap, a
 * solver that gives up; and that the result does not hang on threads or on the linear solver.
 */
#include "forwarding/newton.h"
#include "kinds/build.h"
#include "physics/lab.h"
#include "step/step.h"

static simulation *cube(int resolution, int material, double poisson) {
  tribo_scene *scene = lab_scene();
  lab_gravity(scene, 0, 0, 0);
  lab_time(scene, 0.01);
  mesh block = shape_block(resolution, resolution, resolution, 1, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "cube";
  def.solid.model = material;
  def.solid.poisson = poisson;
  def.solid.damping_stiffness = 0.01;
  def.solid.damping_mass = 2; /* stops the spin that the unfolding leaves */
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  return lab_simulation(scene);
}

static double smallest_volume_ratio(const simulation *s) {
  const model *m = simulation_model(s);
  const element_set *tets = m->elastics[0].term.set;
  double smallest = INFINITY;
  for (size_t e = 0; e < tets->count; e++) {
    vec3 x[2][4];
    double volume[2];
    for (int k = 0; k < 2; k++) {
      for (int a = 0; a < 4; a++) {
        int32_t v = tets->vertices[4 * e + (size_t)a];
        x[k][a] = k ? simulation_state(s)->x[v] : m->rest[v];
      }
      volume[k] = vec3_dot(vec3_sub(x[k][1], x[k][0]),
                           vec3_cross(vec3_sub(x[k][2], x[k][0]), vec3_sub(x[k][3], x[k][0])));
    }
    smallest = fmin(smallest, volume[1] / volume[0]);
  }
  return smallest;
}

static void inverted_elements__recover(void **unused) {
  (void)unused;
  for (int material = 0; material < 2; material++)
    for (int k = 0; k < 2; k++) {
      simulation *s = cube(3, material, k ? 0.49 : 0.3);
      lab_shake(s, 0.25, 0, 3);
      assert_true(smallest_volume_ratio(s) < -0.5);
      lab_steps(s, 200);
      claim_near(smallest_volume_ratio(s), 1, 1e-2);
      simulation_free(s);
    }
}

/* Stretched to twice its length by a stiff lattice of pins, a body of Poisson's ratio 0.49 keeps
 * its volume to a few percent and everything stays finite. */
static void nearly_incompressible_flesh__keeps_its_volume(void **unused) {
  (void)unused;
  enum { N = 4, SIDE = N + 1 };
  for (int material = 0; material < 2; material++) {
    tribo_scene *scene = lab_scene();
    lab_gravity(scene, 0, 0, 0);
    lab_time(scene, 0.05);
    mesh block = shape_block(2 * N, N, N, 2, 1, 1);
    int32_t ends[2 * SIDE * SIDE];
    double targets[2 * 3 * 2 * SIDE * SIDE];
    size_t count = 0;
    for (size_t v = 0; v < block.vertex_count; v++)
      if (block.positions[3 * v] < 1e-9 || block.positions[3 * v] > 2 - 1e-9)
        ends[count++] = (int32_t)v;
    assert_int_equal(count, 2 * SIDE * SIDE);
    for (size_t sample = 0; sample < 2; sample++)
      for (size_t i = 0; i < count; i++) {
        double *to = targets + 3 * (sample * count + i);
        memcpy(to, block.positions + 3 * ends[i], 3 * sizeof *to);
        if (sample == 1) to[0] *= 1.5;
      }
    tribo_pin_def pin = {.vertices = ends,
                         .vertex_count = count,
                         .targets = targets,
                         .target_count = 2,
                         .target_start = 1,
                         .target_interval = 20,
                         .params = tribo_pin_defaults()};
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = "flesh";
    def.solid.model = material;
    def.solid.poisson = 0.49;
    def.solid.damping_stiffness = 0.02;
    def.pins = &pin;
    def.pin_count = 1;
    claim_ok(scenes_add(scene, def, &block, NULL, err));
    simulation *s = lab_simulation(scene);
    lab_steps(s, 40);
    const model *m = simulation_model(s);
    const element_set *tets = m->elastics[0].term.set;
    double rest = 0, now = 0;
    for (size_t e = 0; e < tets->count; e++) {
      const int32_t *v = tets->vertices + 4 * e;
      const vec3 *x = simulation_state(s)->x, *r = m->rest;
      now += vec3_dot(vec3_sub(x[v[1]], x[v[0]]),
                      vec3_cross(vec3_sub(x[v[2]], x[v[0]]), vec3_sub(x[v[3]], x[v[0]])));
      rest += vec3_dot(vec3_sub(r[v[1]], r[v[0]]),
                       vec3_cross(vec3_sub(r[v[2]], r[v[0]]), vec3_sub(r[v[3]], r[v[0]])));
    }
    print_message("material %d: stretched by half, volume %.4f of rest\n", material, now / rest);
    claim_near(now / rest, 1, 0.05);
    simulation_free(s);
  }
}

/* A cube whose top leaps by ten times its size within one step. */
static tribo_scene *leaping_cube(void) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.04);
  mesh block = shape_block(3, 3, 3, 0.1, 0.1, 0.1);
  int32_t top[16];
  double targets[2 * 3 * 16];
  for (int i = 0; i < 16; i++) {
    top[i] = 48 + i;
    for (int c = 0; c < 3; c++) {
      targets[3 * i + c] = block.positions[3 * top[i] + c];
      targets[48 + 3 * i + c] = targets[3 * i + c] + (c == 0 ? 1.0 : 0);
    }
  }
  tribo_pin_def pin = {.vertices = top,
                       .vertex_count = 16,
                       .targets = targets,
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = 1,
                       .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "cube";
  def.solid.young = 1e6;
  def.solid.poisson = 0.49;
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  return scene;
}

static void stalled_step__is_cut_and_gets_through(void **unused) {
  (void)unused;
  tribo_scene *scene = leaping_cube();
  tribo_scene_solver(scene)->iterations = 4;
  simulation *s = lab_simulation(scene);
  tribo_report report = lab_steps(s, 1);
  print_message("%d cuts, %d steps, %d iterations\n", report.cuts, report.steps,
                report.newton_iterations);
  assert_true(report.cuts > 0);
  assert_int_equal(report.steps, report.cuts + 1);
  claim_below(report.residual, 1e-6);
  simulation_free(s);
}

static void failed_step__leaves_the_state_whole_and_says_why(void **unused) {
  (void)unused;
  tribo_scene *scene = leaping_cube();
  tribo_scene_solver(scene)->iterations = 2;
  tribo_scene_solver(scene)->cuts = 1;
  simulation *s = lab_simulation(scene);
  uint64_t before = state_hash(simulation_state(s));
  tribo_report report;
  claim_fails(simulation_steps(s, 3, &report, err), TRIBO_NOT_CONVERGED, "on_failure");
  assert_false(report.converged);
  assert_true(state_hash(simulation_state(s)) == before);
  simulation_free(s);
}

static void failed_step__goes_on_when_asked_and_owns_up(void **unused) {
  (void)unused;
  tribo_scene *scene = leaping_cube();
  tribo_scene_solver(scene)->iterations = 2;
  tribo_scene_solver(scene)->cuts = 1;
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  simulation *s = lab_simulation(scene);
  tribo_report report;
  claim_ok(simulation_steps(s, 3, &report, err));
  assert_false(report.converged);
  assert_true(report.residual > 1e-6);
  for (size_t i = 0; i < simulation_state(s)->node_count; i++)
    assert_true(vec3_finite(simulation_state(s)->x[i]));
  simulation_free(s);
}

/* A cloth 2 mm above a floor, whose first corner a pin takes 3 mm below within a step. */
static tribo_scene *cloth_pinned_below_a_floor(double stiffness) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  tribo_scene_solver(scene)->cuts = 0;
  mesh sheet = shape_sheet(4, 4, 0.2, 0.2), ground = shape_sheet(1, 1, 1, 1);
  shape_move(&sheet, 0, 0, 0.002);
  shape_move(&ground, -0.5, -0.5, 0);
  const double *corner = sheet.positions;
  double targets[] = {corner[0], corner[1], 0.002, corner[0], corner[1], -0.003};
  int32_t first = 0;
  tribo_pin_def pin = {.vertices = &first,
                       .vertex_count = 1,
                       .targets = targets,
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = 1,
                       .params = tribo_pin_defaults()};
  pin.params.stiffness = stiffness;
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def floor = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "cloth", cloth.pins = &pin, cloth.pin_count = 1;
  floor.name = "floor";
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  claim_ok(scenes_add(scene, floor, &ground, NULL, err));
  return scene;
}

static void hard_pin_that_goes_into_a_collider__is_named(void **unused) {
  (void)unused;
  simulation *s = lab_simulation(cloth_pinned_below_a_floor(0));
  tribo_report report;
  claim_fails(simulation_steps(s, 1, &report, err), TRIBO_NOT_CONVERGED,
              "vertex 0 of 'cloth' is pinned 0.003 m inside 'floor'");
  simulation_free(s);
  s = lab_simulation(cloth_pinned_below_a_floor(1000)); /* as the message advises */
  lab_steps(s, 3);
  claim_below(-simulation_state(s)->x[0].z, 1e-6);
  simulation_free(s);
}

/* Newton run one iteration at a time: the energy must fall every time until it has converged. */
static void newton__goes_down_with_every_iteration(void **unused) {
  (void)unused;
  tribo_scene *scene = leaping_cube();
  model m;
  claim_ok(model_build(scene->objects.data, 1, &scene->world, &scene->time, &m, err));
  arena memory = {0};
  tasks t = tasks_create(1);
  objective o;
  newton n;
  linsys_options linear = {.tasks = t};
  claim_ok(objective_create(&m, &t, &memory, &o, err));
  claim_ok(newton_create(&o, &linear, &memory, &n, err));
  vec3 *x = ARENA_ARRAY(&memory, vec3, m.node_count);
  memcpy(x, m.rest, (size_t)m.node_count * sizeof *x);
  objective_begin(&o, m.rest, m.start_velocity, NULL, 0.04, 0.04);
  for (size_t i = 0; i < m.pins[0].vertex_count; i++)
    x[m.pins[0].vertices[i]] = model_pin_target(&m.pins[0], i, 0.04);
  constrained_options one = {.tolerance = 1e-6, .iterations = 1};
  constrained_report report = {.outcome = CONSTRAINED_UNFINISHED};
  double energy = objective_energy(&o, x);
  int iterations = 0;
  while (report.outcome == CONSTRAINED_UNFINISHED && iterations < 200) {
    claim_ok(newton_minimize(&n, &one, NULL, x, &report, err));
    double now = objective_energy(&o, x);
    claim_below(now, energy);
    energy = now;
    iterations++;
  }
  print_message("%d iterations\n", iterations);
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  newton_free(&n);
  arena_free(&memory);
  model_free(&m);
  tribo_scene_free(scene);
}

static simulation *wind_with(const char *linear, int threads) {
  tribo_scene *scene = NULL;
  claim_ok(scene_wind(8, &scene, err));
  claim_ok(tribo_scene_set(scene, "solver.linear", linear, err));
  tribo_scene_solver(scene)->tolerance = 1e-9;
  tribo_scene_solver(scene)->cg_tolerance = 1e-11;
  simulation *s = NULL;
  tribo_error why;
  tribo_status status = compile_simulation(scene, threads, NULL, &s, &why);
  tribo_scene_free(scene);
  if (status == TRIBO_UNAVAILABLE) print_message("%s left out: %s\n", linear, why.message);
  assert_true(status == TRIBO_OK || status == TRIBO_UNAVAILABLE);
  return s;
}

static void linear_solvers__lead_to_the_same_step(void **unused) {
  (void)unused;
  simulation *direct = wind_with("cholmod", 0);
  lab_steps(direct, 2);
  static const char *const others[] = {"cg", "pardiso", "auto"};
  for (int k = 0; k < 3; k++) {
    simulation *other = wind_with(others[k], 0);
    if (!other) continue;
    lab_steps(other, 2);
    double worst = 0, fastest = 0;
    for (size_t i = 0; i < simulation_state(direct)->node_count; i++) {
      vec3 v = simulation_state(direct)->v[i];
      fastest = fmax(fastest, vec3_max_abs(v));
      worst = fmax(worst, vec3_max_abs(vec3_sub(v, simulation_state(other)->v[i])));
    }
    claim_below(worst, 1e-5 * fastest);
    simulation_free(other);
  }
  simulation_free(direct);
}

static void threads__do_not_change_a_bit(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"cholmod", "cg"};
  for (int k = 0; k < 2; k++) {
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
      simulation *s = wind_with(solvers[k], threads);
      bool deterministic;
      simulation_linear_solver(s, &deterministic);
      assert_true(deterministic);
      lab_steps(s, 2);
      if (threads == 1) hash = state_hash(simulation_state(s));
      assert_true(state_hash(simulation_state(s)) == hash);
      simulation_free(s);
    }
  }
}

/* What a checkpoint holds is all that the next step depends on, also where the linear solver learns
 * as it goes. */
static void restored_state__goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  simulation *s[2];
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = NULL;
    claim_ok(scene_swinging_cube(14, &scene, err));
    ((tribo_object_def *)tribo_scene_object(scene, 0))->solid.young = 1e6; /* cg gives up here */
    s[k] = lab_simulation(scene);
    assert_string_equal(simulation_linear_solver(s[k], NULL), "mixed");
  }
  lab_steps(s[0], 2);
  state saved = lab_copy(s[0]);
  lab_put_back(s[1], &saved);
  tribo_report through = lab_steps(s[0], 2), resumed = lab_steps(s[1], 2);
  assert_true(through.linear_iterations > 0);
  assert_int_equal(through.linear_iterations, resumed.linear_iterations);
  assert_true(state_hash(simulation_state(s[0])) == state_hash(simulation_state(s[1])));
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
}

static void everything_pinned__just_follows(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  mesh sheet = shape_sheet(1, 1, 1, 1);
  int32_t all[4] = {0, 1, 2, 3};
  tribo_pin_def pin = {.vertices = all, .vertex_count = 4, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, 5);
  assert_memory_equal(simulation_state(s)->x, simulation_model(s)->rest, 4 * sizeof(vec3));
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverted_elements__recover),
      cmocka_unit_test(nearly_incompressible_flesh__keeps_its_volume),
      cmocka_unit_test(stalled_step__is_cut_and_gets_through),
      cmocka_unit_test(failed_step__leaves_the_state_whole_and_says_why),
      cmocka_unit_test(failed_step__goes_on_when_asked_and_owns_up),
      cmocka_unit_test(hard_pin_that_goes_into_a_collider__is_named),
      cmocka_unit_test(newton__goes_down_with_every_iteration),
      cmocka_unit_test(linear_solvers__lead_to_the_same_step),
      cmocka_unit_test(threads__do_not_change_a_bit),
      cmocka_unit_test(restored_state__goes_on_to_the_same_bits),
      cmocka_unit_test(everything_pinned__just_follows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
