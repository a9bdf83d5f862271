/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft solids by the method projective: on ramps, thrown, in cages; and what must hold to the bit.
 */
#include "core/geom/skins.h"
#include "physics/lab_projective.h"
#include "physics/lab_ramp.h"

static const double H = 0.01;

/* ---- the block on a ramp ----------------------------------------------------------------------
 */

/* 320 tets; 0 iterations: the method forwarding. */
static simulation *block_on_ramp(double mu, double young, double poisson, int iterations,
                                 int threads) {
  scene_block_slide_params p = scene_block_slide_defaults();
  p.mu = mu, p.young = young;
  tribo_scene *scene = NULL;
  claim_ok(scene_block_slide(&p, &scene, err));
  ((tribo_object_def *)tribo_scene_object(scene, 0))->solid.poisson = poisson;
  return iterations ? projective_make(scene, iterations, threads) : lab_compile(scene, threads);
}

/* Rubber, and what is ten times softer and ten times stiffer. */
static const struct { double young, poisson; } blocks[] = {{1e5, 0.3}, {1e6, 0.4}, {1e7, 0.4}};

static void threshold_on_the_ramp__is_the_tangent_within_two_percent(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++)
    for (int holds = 0; holds < 2; holds++) {
      ramp_case c = {.mu = holds ? 0.180 : 0.173, .degrees = 10, .dt = H};
      simulation *s = block_on_ramp(c.mu, blocks[k].young, blocks[k].poisson, 30, 1);
      double acceleration = ramp_acceleration(s, &c, 1, 0.3), place = ramp_place(s, &c);
      lab_steps(s, 50);
      double creep = (ramp_place(s, &c) - place) / (50 * H);
      print_message("    %.0e Pa, mu %.3f: %+.5f m/s^2, then %.1e m/s in the mean of 0.5 s\n",
                    blocks[k].young, c.mu, acceleration, creep);
      if (holds)
        claim_near(creep, 0, 2e-4);
      else
        claim_near(acceleration, ramp_coulomb(&c), 0.02 * ramp_coulomb(&c));
      simulation_free(s);
    }
}

/* With a third of the iterations too. */
static void block__slides_as_coulomb_says(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    ramp_case c = {.mu = 0.1, .degrees = 10, .dt = H};
    simulation *s = block_on_ramp(c.mu, blocks[k].young, blocks[k].poisson, 10, 1);
    double acceleration = ramp_acceleration(s, &c, 0.8, 0.4);
    claim_near(acceleration, ramp_coulomb(&c), 0.02 * ramp_coulomb(&c));
    simulation_free(s);
  }
}

/* To what the materials differ by, at strains of a hundredth. */
static void iterations__lead_to_the_result_of_forwarding(void **unused) {
  (void)unused;
  const int iterations[] = {3, 6, 12, 100};
  simulation *wanted = block_on_ramp(0.1, 1e5, 0.4, 0, 1);
  lab_steps(wanted, 20);
  double last = INFINITY;
  for (int k = 0; k < 4; k++) {
    simulation *s = block_on_ramp(0.1, 1e5, 0.4, iterations[k], 1);
    lab_steps(s, 20);
    double off = lab_mean_distance(s, wanted);
    print_message("    %3d iterations: %.2e m off in the mean\n", iterations[k], off);
    claim_below(off, last);
    last = off;
    simulation_free(s);
  }
  claim_below(last, 2e-5);
  simulation_free(wanted);
}

/* ---- thrown -----------------------------------------------------------------------------------
 */

static void add_floor(tribo_scene *scene, double mu) {
  mesh plane = shape_sheet(2, 2, 8, 8);
  for (size_t i = 0; i < plane.vertex_count; i++)
    for (int k = 0; k < 2; k++) plane.positions[3 * i + (size_t)k] -= 4;
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "floor";
  claim_ok(scenes_add(scene, def, &plane, NULL, err));
  tribo_scene_friction(scene)->mu = mu;
}

/* 0 iterations: the method forwarding. */
static simulation *thrown_ball(int iterations, int threads) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.005);
  add_floor(scene, 0.3);
  mesh ball = shape_ball(3, 1, 0.1);
  for (size_t i = 0; i < ball.vertex_count; i++) ball.positions[3 * i + 2] += 0.15;
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "ball";
  def.solid.young = 2e5;
  def.solid.poisson = 0.3;
  def.object.velocity[0] = 2, def.object.velocity[2] = -2;
  claim_ok(scenes_add(scene, def, &ball, NULL, err));
  return iterations ? projective_make(scene, iterations, threads) : lab_compile(scene, threads);
}

typedef struct flight {
  double pressed, back; /* the lowest and then the highest height of the centre, m */
  double lowest;        /* of all nodes, m */
  vec3 at, v;           /* of the centre at the end */
  double growth;        /* of the energy in a step, in parts of what there was */
} flight;

/* 0.3 s: the first jump. */
static flight fly(int iterations) {
  simulation *s = thrown_ball(iterations, 1);
  flight f = {.pressed = INFINITY, .lowest = INFINITY};
  lab_watch watch = lab_watch_start(s);
  double energy = watch.energy;
  for (int step = 0; step < 60; step++) {
    lab_watch_steps(s, 1, &watch);
    double height = lab_centre(s, 0).z;
    f.pressed = fmin(f.pressed, height);
    if (step > 25) f.back = fmax(f.back, height);
    for (size_t i = 0; i < simulation_state(s)->node_count; i++)
      f.lowest = fmin(f.lowest, simulation_state(s)->x[i].z);
  }
  f.at = lab_centre(s, 0), f.v = lab_velocity(s, 0);
  f.growth = watch.growth / energy;
  print_message(
      "    %2d iterations: pressed to %.4f m, back to %.4f m; in the end at %.4f m with "
      "%.4f m/s; lowest node %.0e m, energy %+.0e a step\n",
      iterations, f.pressed, f.back, f.at.x, f.v.x, f.lowest, f.growth);
  simulation_free(s);
  return f;
}

/* Flattened, set turning, off again: as with forwarding, but for the materials at a strain of a
 * quarter. */
static void thrown_ball__jumps_off_as_with_forwarding(void **unused) {
  (void)unused;
  flight wanted = fly(0);
  const int iterations[] = {30, 10};
  for (int k = 0; k < 2; k++) {
    flight f = fly(iterations[k]);
    claim_near(f.pressed, wanted.pressed, 0.05 * wanted.pressed);
    claim_near(f.back, wanted.back, 0.05 * wanted.back);
    claim_near(f.at.x, wanted.at.x, 0.05 * wanted.at.x);
    claim_near(f.v.x, wanted.v.x, 0.05 * wanted.v.x);
    assert_true(f.lowest > -1e-4);
    claim_below(f.growth, 0.001);
  }
}

/* ---- alone ------------------------------------------------------------------------------------
 */

static simulation *free_block(int iterations, double poisson) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  lab_gravity(scene, 0, 0, 0);
  mesh block = shape_block(3, 3, 3, 0.3, 0.3, 0.3);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.solid.young = 1e4;
  def.solid.poisson = poisson;
  def.solid.damping_mass = poisson > 0.3 ? 5 : 0;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  return projective_make(scene, iterations, 1);
}

/* However few the iterations. */
static void momentum__of_a_free_block_is_kept_to_rounding(void **unused) {
  (void)unused;
  for (int iterations = 1; iterations < 20; iterations += 6) {
    simulation *s = free_block(iterations, 0.3);
    lab_shake(s, 0.02, 1, 7);
    vec3 before = lab_momentum(s);
    lab_steps(s, 50);
    claim_below(vec3_norm(vec3_sub(lab_momentum(s), before)), 1e-12 * lab_mass(s));
    simulation_free(s);
  }
}

static int inverted_tets(const simulation *s) {
  const energy_term *term = &simulation_model(s)->elastics[0].term;
  const vec3 *x = simulation_state(s)->x;
  int count = 0;
  for (size_t e = 0; e < term->set->count; e++) {
    const int32_t *v = term->set->vertices + 4 * e;
    mat3 edges = mat3_from_columns(vec3_sub(x[v[1]], x[v[0]]), vec3_sub(x[v[2]], x[v[0]]),
                                   vec3_sub(x[v[3]], x[v[0]]));
    count += mat3_det(&edges) <= 0;
  }
  return count;
}

/* A scrambled block finds its shape again. */
static void inverted_tets__recover(void **unused) {
  (void)unused;
  const double poissons[] = {0.35, 0.45, 0.49};
  for (int k = 0; k < 3; k++) {
    simulation *s = free_block(30, poissons[k]);
    lab_shake(s, 0.1, 0, 11);
    int before = inverted_tets(s);
    assert_true(before > 40);
    lab_steps(s, 150);
    print_message("    Poisson %.2f: of 162 tets %d were inverted, %d are\n", poissons[k], before,
                  inverted_tets(s));
    assert_int_equal(inverted_tets(s), 0);
    simulation_free(s);
  }
}

/* ---- cages ------------------------------------------------------------------------------------
 */

/* A box in a lattice that does not fit it, on a floor; gravity leans by ten degrees. */
static simulation *caged_box(double mu, double stiffness, void *memory) {
  skin box = skin_bar(4, 4, 2, vec3_make(0.1, 0.1, 0.05), memory);
  for (size_t i = 0; i < box.vertex_count; i++) box.vertices[i].z += 0.05;
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "box";
  def.positions = &box.vertices->x;
  def.vertex_count = box.vertex_count;
  def.triangles = box.triangles;
  def.triangle_count = box.triangle_count;
  def.solid.young = 2e5;
  def.solid.poisson = 0.3;
  tribo_fill_params fill = tribo_fill_defaults();
  fill.from = TRIBO_TETS_LATTICE;
  fill.cells = 3;
  tribo_tets made;
  claim_ok(tribo_fill_tets(&def, &fill, &made, err));
  def.cage = made.nodes;
  def.cage_count = made.node_count;
  def.tets = made.tets;
  def.tet_count = made.tet_count;
  const int32_t corners[] = {0, 4, 20, 24};
  tribo_pin_def pin = {.vertices = corners, .vertex_count = 4, .params = {.stiffness = stiffness}};
  def.pins = &pin;
  def.pin_count = stiffness > 0;
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  double angle = 10 * LAB_PI / 180;
  if (!(stiffness > 0)) add_floor(scene, mu);
  lab_gravity(scene, LAB_G * sin(angle), 0, -LAB_G * cos(angle));
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  tribo_tets_free(&made);
  return projective_make(scene, 30, 1);
}

static void caged_box__slides_and_holds_as_coulomb_says(void **memory) {
  const double mus[] = {0.1, 0.173, 0.18};
  for (int k = 0; k < 3; k++) {
    simulation *s = caged_box(mus[k], 0, *memory);
    lab_steps(s, 50);
    double before = lab_velocity(s, 0).x;
    tribo_report report = lab_steps(s, 50);
    assert_true(report.contacts > 12); /* of 25 vertices on 16 nodes */
    double acceleration = (lab_velocity(s, 0).x - before) / (50 * H), angle = 10 * LAB_PI / 180;
    double wanted = LAB_G * (sin(angle) - mus[k] * cos(angle));
    if (wanted > 0)
      claim_near(acceleration, wanted, 0.02 * wanted);
    else
      claim_near(lab_velocity(s, 0).x, 0, 1e-4);
    simulation_free(s);
  }
}

/* Its springs, one a vertex and node, bear the weight together. */
static void caged_box__hangs_on_soft_pins(void **memory) {
  simulation *s = caged_box(0, 300, *memory);
  for (int k = 0; k < 60; k++) {
    lab_steps(s, 5);
    state slowed = lab_copy(s);
    memset(slowed.v, 0, slowed.node_count * sizeof *slowed.v);
    lab_put_back(s, &slowed);
  }
  const vec3 *now = simulation_positions(s);
  vec3 sag = {0, 0, 0};
  const int32_t corners[] = {0, 4, 20, 24};
  for (int k = 0; k < 4; k++) {
    vec3 rest = {corners[k] % 5 ? 0.1 : -0.1, corners[k] > 4 ? 0.1 : -0.1, 0};
    sag = vec3_madd(sag, 0.25, vec3_sub(now[corners[k]], rest));
  }
  double wanted = lab_mass(s) * LAB_G / (4 * 300);
  print_message("    sags by %.4f m, formula %.4f m\n", vec3_norm(sag), wanted);
  claim_near(vec3_norm(sag), wanted, 0.05 * wanted);
  simulation_free(s);
}

/* ---- bits -------------------------------------------------------------------------------------
 */

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = thrown_ball(8, 1), *two = thrown_ball(8, 2);
  tribo_report report = lab_steps(one, 8);
  assert_true(report.contacts > 3);
  lab_steps(one, 12);
  lab_steps(two, 20);
  lab_same_bits(one, two);
  simulation_free(one);
  simulation_free(two);
}

/* What was learnt of the skin in the one is asked for anew in the other. */
static void state_put_back__goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  simulation *through = thrown_ball(8, 1), *resumed = thrown_ball(8, 1);
  lab_steps(through, 8);
  lab_goes_on_to_the_same_bits(through, resumed, 10);
  simulation_free(through);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threshold_on_the_ramp__is_the_tangent_within_two_percent),
      cmocka_unit_test(block__slides_as_coulomb_says),
      cmocka_unit_test(iterations__lead_to_the_result_of_forwarding),
      cmocka_unit_test(thrown_ball__jumps_off_as_with_forwarding),
      cmocka_unit_test(momentum__of_a_free_block_is_kept_to_rounding),
      cmocka_unit_test(inverted_tets__recover),
      cmocka_unit_test_setup_teardown(caged_box__slides_and_holds_as_coulomb_says, open_arena,
                                      close_arena),
      cmocka_unit_test_setup_teardown(caged_box__hangs_on_soft_pins, open_arena, close_arena),
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(state_put_back__goes_on_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
