/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method `barrier` against what it promises: nothing crosses, friction is Coulomb's, momentum
 * and energy are kept, and the same state goes on to the same bits.
 */
#include "physics/lab_ramp.h"
#include "scenes/scenes_parts.h"

static simulation *simulate(tribo_scene *scene, int threads) {
  simulation *s = NULL;
  tribo_scene_world(scene)->method = TRIBO_METHOD_BARRIER;
  claim_ok(compile_simulation(scene, threads, NULL, &s, err));
  tribo_scene_free(scene);
  return s;
}

static tribo_object_def cloth_named(const char *name, double thickness) {
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = name;
  def.surface.thickness = thickness;
  return def;
}

static tribo_object_def collider_named(const char *name) {
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = name;
  return def;
}

/* Steps one frame at a time: no crossing at any. Returns the largest energy gain of the judge. */
static void claim_nothing_crosses(simulation *s, int frames, int substeps) {
  for (int f = 0; f < frames; f++) {
    tribo_report report;
    claim_ok(simulation_steps(s, substeps, &report, err));
    assert_int_equal(report.crossings, 0);
    assert_int_equal(report.rough & TRIBO_ROUGH_ENERGY, 0);
  }
}

static tribo_scene *frames_scene(int substeps) {
  tribo_scene *scene = lab_scene();
  tribo_scene_time(scene)->substeps = substeps;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  return scene;
}

/* ---- friction ---------------------------------------------------------------------------------
 */

static simulation *on_ramp(double mu, int cells, double dt) {
  tribo_scene *scene = NULL;
  scene_cloth_slide_params p = scene_cloth_slide_defaults();
  p.mu = mu, p.cells = cells, p.dt = dt;
  claim_ok(scene_cloth_slide(&p, &scene, err));
  return simulate(scene, 1);
}

/* tan 10 degrees = 0.17633 lies between. The cloth starts on the ramp itself, without a gap. */
static void cloth__slides_at_0_176_and_sticks_at_0_177_on_10_degrees(void **unused) {
  (void)unused;
  const double dts[] = {0.02, 0.01};
  for (int k = 0; k < 2; k++) {
    ramp_case slides = {true, 4, 0.176, 10, dts[k]}, holds = {true, 4, 0.177, 10, dts[k]};
    simulation *s = on_ramp(0.176, 4, dts[k]);
    lab_steps(s, (int)(0.5 / dts[k]));
    double before = ramp_speed(s, &slides);
    lab_steps(s, (int)(0.5 / dts[k]));
    double found = (ramp_speed(s, &slides) - before) / 0.5;
    claim_near(found, ramp_coulomb(&slides), 0.005 * ramp_coulomb(&slides));
    simulation_free(s);
    s = on_ramp(0.177, 4, dts[k]);
    lab_steps(s, (int)(0.5 / dts[k]));
    double place = ramp_place(s, &holds);
    lab_steps(s, (int)(0.5 / dts[k]));
    claim_near(ramp_place(s, &holds), place, 1e-9);
    simulation_free(s);
  }
}

/* On a floor that is combed along x: friction is that of the ellipse which dissipates most. */
static void oblique_slide__obeys_the_ellipse_of_a_painted_floor(void **unused) {
  (void)unused;
  const double along = 0.1, across = 0.4, dt = 0.004;
  tribo_scene *scene = lab_scene();
  lab_time(scene, dt);
  tribo_friction_params *mu = tribo_scene_friction(scene);
  mu->mu = 0.25, mu->mu_along = along, mu->mu_across = across;
  mesh sheet = shape_sheet(2, 2, 0.2, 0.2), floor = shape_sheet(2, 2, 8, 8);
  double comb[27];
  for (int k = 0; k < 27; k++) comb[k] = k % 3 == 0;
  shape_move(&floor, -4, -4, 0);
  tribo_object_def def = cloth_named("sheet", 0), ground = collider_named("floor");
  def.object.velocity[0] = def.object.velocity[1] = 2;
  ground.vertex_structure = comb;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  claim_ok(scenes_add(scene, ground, &floor, NULL, err));
  simulation *s = simulate(scene, 1);
  tribo_report report;
  claim_ok(simulation_steps(s, 20, &report, err));
  vec3 before = lab_velocity(s, 0);
  claim_ok(simulation_steps(s, 10, &report, err));
  vec3 after = lab_velocity(s, 0), mean = vec3_scale(0.5, vec3_add(before, after));
  double size = hypot(along * mean.x, across * mean.y);
  vec3 law = {-LAB_G * along * along * mean.x / size, -LAB_G * across * across * mean.y / size, 0};
  vec3 found = vec3_scale(1 / (10 * dt), vec3_sub(after, before));
  claim_near(found.x, law.x, 0.01 * vec3_norm(law));
  claim_near(found.y, law.y, 0.01 * vec3_norm(law));
  simulation_free(s);
}

/* A sheet between a floor and a heavy plate, all tilted by the gravity: pulled at 0.9 of what
 * friction can hold. */
static void pinched_sheet__does_not_creep(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.04);
  tribo_scene_friction(scene)->mu = 0.5;
  double angle = atan(0.9 * 0.5);
  lab_gravity(scene, LAB_G * sin(angle), 0, -LAB_G * cos(angle));
  mesh sheet = shape_sheet(4, 4, 0.3, 0.3), floor = shape_sheet(1, 1, 4, 4);
  mesh block = shape_block(1, 1, 1, 0.4, 0.4, 0.05), plate = shape_skin(&block);
  mesh_free(&block);
  shape_move(&sheet, -0.15, -0.15, 0.003);
  shape_move(&plate, -0.2, -0.2, 0.006);
  shape_move(&floor, -2, -2, 0);
  tribo_object_def rigid = tribo_object_default(TRIBO_RIGID);
  rigid.name = "plate";
  claim_ok(scenes_add(scene, cloth_named("sheet", 0.001), &sheet, NULL, err));
  claim_ok(scenes_add(scene, rigid, &plate, NULL, err));
  claim_ok(scenes_add(scene, collider_named("floor"), &floor, NULL, err));
  simulation *s = simulate(scene, 1);
  tribo_report report;
  claim_ok(simulation_steps(s, 50, &report, err));
  vec3 cloth = lab_centre(s, 0), top = lab_centre(s, 1);
  claim_ok(simulation_steps(s, 50, &report, err));
  claim_near(lab_centre(s, 0).x, cloth.x, 2e-7); /* in 2 s; 1e-6 m in 10 s */
  claim_near(lab_centre(s, 1).x, top.x, 2e-7);
  simulation_free(s);
}

/* The same scene in units a thousand times as small: lengths times 1000, and the mass unit such
 * that forces are in the same numbers times 1000. */
static simulation *in_units(double metre) {
  tribo_scene *scene = frames_scene(1);
  lab_gravity(scene, 0, 0, -9.81 * metre);
  mesh sheet = shape_sheet(6, 6, 0.5 * metre, 0.5 * metre);
  mesh floor = shape_sheet(1, 1, 4 * metre, 4 * metre);
  shape_turn(&sheet, 0, 0.4);
  shape_move(&sheet, 0, 0, 0.01 * metre);
  shape_move(&floor, -2 * metre, -2 * metre, 0);
  tribo_object_def def = cloth_named("sheet", 0.001 * metre);
  def.cloth.density /= metre * metre; /* the mass stays; forces grow by the length */
  def.cloth.bend *= metre * metre;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  claim_ok(scenes_add(scene, collider_named("floor"), &floor, NULL, err));
  return simulate(scene, 1);
}

static void motion__is_the_same_in_metres_and_in_centimetres(void **unused) {
  (void)unused;
  simulation *small = in_units(1), *large = in_units(100);
  for (int f = 0; f < 4; f++) {
    tribo_report report;
    claim_ok(simulation_steps(small, 1, &report, err));
    claim_ok(simulation_steps(large, 1, &report, err));
    const state *a = simulation_state(small), *b = simulation_state(large);
    for (size_t i = 0; i < a->node_count; i++)
      claim_below(vec3_norm(vec3_sub(a->x[i], vec3_scale(1e-2, b->x[i]))), 1e-5);
  }
  simulation_free(small);
  simulation_free(large);
}

/* ---- nothing crosses --------------------------------------------------------------------------
 */

/* A head with a brow, a nose and ears: a sphere with bumps. */
static mesh lumpy_head(int rings) {
  int around = 2 * rings;
  mesh m = shape_new((size_t)(around * (rings - 1) + 2), (size_t)(2 * around * (rings - 1)), 0);
  int32_t *c = m.triangles;
  for (int i = 0; i <= rings; i++)
    for (int j = 0; j < (i % rings ? around : 1); j++) {
      double a = LAB_PI * i / rings, b = 2 * LAB_PI * j / around;
      double r = 0.25 * (1 + 0.15 * sin(3 * a) * cos(4 * b) + 0.1 * cos(5 * a));
      size_t v = i == 0       ? (size_t)(around * (rings - 1))
                 : i == rings ? (size_t)(around * (rings - 1)) + 1
                              : (size_t)((i - 1) * around + j);
      m.positions[3 * v] = r * sin(a) * cos(b);
      m.positions[3 * v + 1] = r * sin(a) * sin(b);
      m.positions[3 * v + 2] = r * cos(a);
    }
  int top = around * (rings - 1), bottom = top + 1;
  for (int j = 0; j < around; j++) {
    int k = (j + 1) % around, last = around * (rings - 2);
    *c++ = top, *c++ = j, *c++ = k;
    *c++ = bottom, *c++ = last + k, *c++ = last + j;
    for (int i = 0; i + 2 < rings; i++) {
      int at = around * i;
      *c++ = at + j, *c++ = at + around + j, *c++ = at + around + k;
      *c++ = at + j, *c++ = at + around + k, *c++ = at + k;
    }
  }
  return m;
}

static void cloth__lies_on_a_lumpy_head_without_a_crossing(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(2);
  mesh sheet = shape_sheet(14, 14, 0.9, 0.9), head = lumpy_head(10);
  shape_move(&sheet, -0.45, -0.45, 0.32);
  claim_ok(scenes_add(scene, cloth_named("sheet", 0.001), &sheet, NULL, err));
  claim_ok(scenes_add(scene, collider_named("head"), &head, NULL, err));
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 14, 2);
  simulation_free(s);
}

static void cloth__falls_edge_first_on_the_floor_without_a_crossing(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(2);
  mesh sheet = shape_sheet(10, 10, 0.5, 0.5), floor = shape_sheet(1, 1, 4, 4);
  shape_turn(&sheet, 0, 1.5);
  shape_move(&sheet, 0, 0, 0.02);
  shape_move(&floor, -2, -2, 0);
  claim_ok(scenes_add(scene, cloth_named("sheet", 0.001), &sheet, NULL, err));
  claim_ok(scenes_add(scene, collider_named("floor"), &floor, NULL, err));
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 14, 2);
  simulation_free(s);
}

/* Vertices of the cloth may miss all of them: edges alone hold it. */
static void cloth__hangs_over_bars_a_spike_and_a_coarse_cube(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(2);
  mesh sheet = shape_sheet(9, 9, 0.8, 0.8);
  shape_move(&sheet, -0.4, -0.4, 0.205);
  claim_ok(scenes_add(scene, cloth_named("sheet", 0), &sheet, NULL, err));
  static const char *const names[] = {"left", "right", "cube", "spike"};
  for (int k = 0; k < 4; k++) {
    mesh block =
        k < 2 ? shape_block(1, 1, 1, 0.004, 1, 0.004) : shape_block(1, 1, 1, 0.2, 0.2, 0.2);
    mesh skin = shape_skin(&block);
    mesh_free(&block);
    shape_move(&skin, k == 0 ? -0.31 : k == 1 ? 0.27 : -0.1, k < 2 ? -0.5 : -0.1, k < 2 ? 0.19 : 0);
    if (k == 3)
      for (size_t v = 0; v < skin.vertex_count; v++)
        for (int a = 0; a < 2 && skin.positions[3 * v + 2] > 0.1; a++)
          skin.positions[3 * v + (size_t)a] *= 0.01;
    if (k == 3) shape_move(&skin, 0.22, 0.22, 0);
    claim_ok(scenes_add(scene, collider_named(names[k]), &skin, NULL, err));
  }
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 14, 2);
  simulation_free(s);
}

static void three_sheets__lie_on_a_ball_without_a_crossing(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(2);
  mesh ball = lumpy_head(8);
  static const char *const names[] = {"low", "middle", "high"};
  for (int k = 0; k < 3; k++) {
    mesh sheet = shape_sheet(8, 8, 0.6, 0.6);
    shape_move(&sheet, -0.3, -0.3, 0.3 + 0.01 * k);
    claim_ok(scenes_add(scene, cloth_named(names[k], 0.001), &sheet, NULL, err));
  }
  claim_ok(scenes_add(scene, collider_named("ball"), &ball, NULL, err));
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 12, 2);
  simulation_free(s);
}

/* A plunger comes down on a cloth that is pinned at two sides, and presses it through a frame. */
static void moving_collider__takes_the_cloth_along(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(1);
  mesh sheet = shape_sheet(8, 8, 0.6, 0.6), block = shape_block(1, 1, 1, 0.15, 0.1, 0.1);
  mesh plunger = shape_skin(&block);
  mesh_free(&block);
  shape_move(&sheet, -0.3, -0.3, 0);
  shape_move(&plunger, -0.07, -0.04, 0.02);
  double maps[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.25, 0, 0, 0, 1}};
  tribo_object_def def = cloth_named("sheet", 0.001), moving = collider_named("plunger");
  int32_t held[18];
  for (int k = 0; k < 9; k++) held[k] = 9 * k, held[9 + k] = 9 * k + 8;
  tribo_pin_def pin = {.vertices = held, .vertex_count = 18, .target_interval = 1};
  pin.params.stiffness = 0;
  def.pins = &pin, def.pin_count = 1;
  moving.motion =
      (tribo_motion_def){.transforms = maps[0], .sample_count = 2, .start = 1, .interval = 8};
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  claim_ok(scenes_add(scene, moving, &plunger, NULL, err));
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 10, 1);
  double lowest = 0;
  for (size_t i = 0; i < 81; i++) lowest = fmin(lowest, simulation_positions(s)[i].z);
  claim_below(lowest, -0.23);
  simulation_free(s);
}

/* A soft cube and a brick fall on a sheet on the floor. */
static void soft_and_rigid_bodies__cross_nothing_either(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(2);
  mesh sheet = shape_sheet(8, 8, 0.5, 0.5), floor = shape_sheet(1, 1, 4, 4);
  mesh jelly = shape_block(2, 2, 2, 0.15, 0.15, 0.15),
       block = shape_block(1, 1, 1, 0.1, 0.06, 0.05);
  mesh brick = shape_skin(&block);
  mesh_free(&block);
  shape_move(&sheet, -0.25, -0.25, 0.004);
  shape_move(&floor, -2, -2, 0);
  shape_turn(&brick, 0, 0.4);
  shape_move(&jelly, -0.07, -0.08, 0.03);
  shape_move(&brick, -0.04, -0.02, 0.24);
  tribo_object_def soft = tribo_object_default(TRIBO_SOLID);
  tribo_object_def rigid = tribo_object_default(TRIBO_RIGID);
  soft.name = "jelly", rigid.name = "brick";
  soft.solid.young = 2e4;
  claim_ok(scenes_add(scene, cloth_named("sheet", 0.001), &sheet, NULL, err));
  claim_ok(scenes_add(scene, soft, &jelly, NULL, err));
  claim_ok(scenes_add(scene, rigid, &brick, NULL, err));
  claim_ok(scenes_add(scene, collider_named("floor"), &floor, NULL, err));
  simulation *s = simulate(scene, 1);
  claim_nothing_crosses(s, 10, 2);
  simulation_free(s);
}

/* A sheet that starts through a cube comes apart from it, and no other edge crosses meanwhile. */
static void sheet_that_starts_through_a_cube__comes_apart(void **unused) {
  (void)unused;
  tribo_scene *scene = frames_scene(1);
  mesh sheet = shape_sheet(8, 8, 0.5, 0.5), block = shape_block(1, 1, 1, 0.2, 0.2, 0.2);
  mesh cube = shape_skin(&block);
  mesh_free(&block);
  shape_move(&sheet, -0.45, -0.25, 0.15); /* over the cube's side with a part of itself */
  shape_move(&cube, -0.1, -0.1, 0);
  claim_ok(scenes_add(scene, cloth_named("sheet", 0.001), &sheet, NULL, err));
  claim_ok(scenes_add(scene, collider_named("cube"), &cube, NULL, err));
  simulation *s = simulate(scene, 1);
  tribo_report report;
  for (int f = 0; f < 12; f++) {
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_int_equal(report.new_crossings, 0);
  }
  assert_int_equal(report.crossings, 0);
  simulation_free(s);
}

/* A pin that is led into a cube stops at it, is told of, and the rest of the cloth goes on. */
static simulation *pin_into_cube(int on_failure) {
  tribo_scene *scene = frames_scene(1);
  tribo_scene_solver(scene)->on_failure = on_failure;
  mesh sheet = shape_sheet(8, 8, 0.5, 0.5), block = shape_block(1, 1, 1, 0.2, 0.2, 0.2);
  mesh cube = shape_skin(&block);
  mesh_free(&block);
  shape_move(&sheet, -0.25, -0.25, 0.25);
  shape_move(&cube, -0.1, -0.1, 0);
  static const int32_t held[1] = {40};
  static const double targets[6] = {0, 0, 0.25, 0, 0, 0.05};
  tribo_pin_def pin = {.vertices = held,
                       .vertex_count = 1,
                       .targets = targets,
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = 5};
  tribo_object_def def = cloth_named("sheet", 0.001);
  def.pins = &pin, def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  claim_ok(scenes_add(scene, collider_named("cube"), &cube, NULL, err));
  return simulate(scene, 1);
}

static void pin_led_into_a_cube__stops_and_the_rest_goes_on(void **unused) {
  (void)unused;
  simulation *s = pin_into_cube(TRIBO_ON_FAILURE_CONTINUE);
  double corner = 0;
  for (int f = 0; f < 5; f++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_int_equal(report.crossings, 0);
    assert_true(simulation_positions(s)[40].z > 0.2);
    if (f == 2) corner = simulation_positions(s)[0].z;
  }
  assert_true(simulation_positions(s)[0].z < corner - 0.01);
  simulation_free(s);

  s = pin_into_cube(TRIBO_ON_FAILURE_STOP);
  tribo_report report;
  claim_fails(simulation_steps(s, 5, &report, err), TRIBO_NOT_CONVERGED, "vertex 40 of 'sheet'");
  simulation_free(s);
}

/* ---- momentum, bits ---------------------------------------------------------------------------
 */

/* Two sheets that fly into each other, one above the other, without gravity. */
static tribo_scene *two_sheets(void) {
  tribo_scene *scene = frames_scene(1);
  lab_gravity(scene, 0, 0, 0);
  for (int k = 0; k < 2; k++) {
    mesh sheet = shape_sheet(5, 5, 0.5, 0.5);
    shape_turn(&sheet, 2, 0.3 * k);
    shape_move(&sheet, -0.25, -0.25, 0.02 * k);
    tribo_object_def def = cloth_named(k ? "upper" : "lower", 0.001);
    def.object.velocity[2] = k ? -1 : 0.5;
    def.object.velocity[0] = k ? 0.4 : 0;
    claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  }
  return scene;
}

static vec3 momentum(const simulation *s) {
  const model *m = simulation_model(s);
  const state *now = simulation_state(s);
  vec3 sum = {0, 0, 0};
  for (int32_t i = 0; i < m->node_count; i++) sum = vec3_madd(sum, m->mass[i], now->v[i]);
  return sum;
}

static void sheets_that_meet__keep_their_momentum(void **unused) {
  (void)unused;
  simulation *s = simulate(two_sheets(), 1);
  vec3 before = momentum(s);
  for (int f = 0; f < 6; f++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_int_equal(report.crossings, 0);
    vec3 after = momentum(s);
    claim_below(vec3_norm(vec3_sub(after, before)), 1e-9 * vec3_norm(before));
  }
  simulation_free(s);
}

static void states__are_the_same_bits_for_threads_and_after_a_resume(void **unused) {
  (void)unused;
  simulation *one = simulate(two_sheets(), 1), *two = simulate(two_sheets(), 2);
  tribo_report report;
  for (int f = 0; f < 3; f++) {
    claim_ok(simulation_steps(one, 1, &report, err));
    claim_ok(simulation_steps(two, 1, &report, err));
    lab_same_bits(one, two);
  }
  simulation *resumed = simulate(two_sheets(), 2);
  state kept = lab_copy(one);
  lab_put_back(resumed, &kept);
  for (int f = 0; f < 2; f++) {
    claim_ok(simulation_steps(one, 1, &report, err));
    claim_ok(simulation_steps(resumed, 1, &report, err));
    lab_same_bits(one, resumed);
  }
  simulation_free(one);
  simulation_free(two);
  simulation_free(resumed);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__slides_at_0_176_and_sticks_at_0_177_on_10_degrees),
      cmocka_unit_test(oblique_slide__obeys_the_ellipse_of_a_painted_floor),
      cmocka_unit_test(pinched_sheet__does_not_creep),
      cmocka_unit_test(motion__is_the_same_in_metres_and_in_centimetres),
      cmocka_unit_test(moving_collider__takes_the_cloth_along),
      cmocka_unit_test(soft_and_rigid_bodies__cross_nothing_either),
      cmocka_unit_test(cloth__lies_on_a_lumpy_head_without_a_crossing),
      cmocka_unit_test(cloth__falls_edge_first_on_the_floor_without_a_crossing),
      cmocka_unit_test(cloth__hangs_over_bars_a_spike_and_a_coarse_cube),
      cmocka_unit_test(three_sheets__lie_on_a_ball_without_a_crossing),
      cmocka_unit_test(sheet_that_starts_through_a_cube__comes_apart),
      cmocka_unit_test(pin_led_into_a_cube__stops_and_the_rest_goes_on),
      cmocka_unit_test(sheets_that_meet__keep_their_momentum),
      cmocka_unit_test(states__are_the_same_bits_for_threads_and_after_a_resume),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]); /* one claim alone */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
