/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cloth by Projective Dynamics with dry frictional contact (Ly et al. 2020).
 */
#include "physics/lab_capstan.h"
#include "physics/lab_projective.h"

static const double H = 0.01; /* the step of the scene cloth_slide */

/* ---- the sheet on a ramp, section 5.2 ---------------------------------------------------------
 */

/* One point above a ramp, by the same steps: it falls, lands where its way ends at the ramp, and is
 * held back by as much as the landing presses. Away from the ramp, and down along it. */
typedef struct point {
  double height, rise, way, speed;
} point;

static void move_point(double mu, double angle, point *p) {
  double rise = p->rise - H * LAB_G * cos(angle), speed = p->speed + H * LAB_G * sin(angle);
  double least = -p->height / H, pressed = fmax(0, least - rise);
  p->rise = rise + pressed;
  p->speed = copysign(fmax(0, fabs(speed) - mu * pressed), speed);
  p->height += H * p->rise;
  p->way += H * p->speed;
}

/* All vertices, after every step of a second, against the point; with one iteration a step. */
static void falling_sheet__is_the_analytic_motion_after_one_iteration(void **unused) {
  (void)unused;
  const double mus[] = {0, 0.1, 0.3}, angle = 10 * LAB_PI / 180;
  vec3 down = lab_downhill(10), up = vec3_make(sin(angle), 0, cos(angle));
  for (int k = 0; k < 3; k++) {
    point p = {.height = 0.05};
    simulation *s = projective_slide(mus[k], 0.05, 12, 1);
    for (int step = 0; step < 100; step++) {
      move_point(mus[k], angle, &p);
      tribo_report report = lab_steps(s, 1);
      claim_below(report.friction_residual, 1e-11); /* Alart and Curnier's */
      for (int32_t i = 0; i < simulation_model(s)->node_count; i++) {
        vec3 moved = vec3_sub(simulation_state(s)->x[i], simulation_model(s)->rest[i]);
        claim_near(vec3_dot(moved, down), p.way, 1e-12);
        claim_near(vec3_dot(moved, up), p.height - 0.05, 1e-12);
      }
    }
    simulation_free(s);
  }
}

/* The continuous motion of the paper's figure 5: free fall, then g (sin - mu cos). */
static void falling_sheet__comes_to_the_motion_of_the_formula(void **unused) {
  (void)unused;
  double angle = 10 * LAB_PI / 180, mu = 0.1, gap = 0.05;
  simulation *s = projective_slide(mu, gap, 6, 30);
  vec3 start = lab_centre(s, 0);
  lab_steps(s, 200);
  double landed = sqrt(2 * gap / (LAB_G * cos(angle))), left = 2 - landed;
  /* the landing takes mu times the speed of the fall from the slide */
  double speed = LAB_G * sin(angle) * landed - mu * LAB_G * cos(angle) * landed;
  double a = LAB_G * (sin(angle) - mu * cos(angle));
  double way = 0.5 * LAB_G * sin(angle) * landed * landed + speed * left + 0.5 * a * left * left;
  double found = vec3_dot(vec3_sub(lab_centre(s, 0), start), lab_downhill(10));
  claim_near(found, way, 0.01 * way); /* h/t of backward Euler */
  simulation_free(s);
}

static double slide_speed(double mu) {
  simulation *s = projective_slide(mu, 0, 20, 30);
  lab_steps(s, 100);
  double speed = vec3_dot(lab_velocity(s, 0), lab_downhill(10));
  simulation_free(s);
  return speed;
}

static void threshold_on_the_ramp__is_the_tangent_within_a_thousandth(void **unused) {
  (void)unused;
  double tangent = tan(10 * LAB_PI / 180);
  double expected = LAB_G * cos(10 * LAB_PI / 180) * 0.001 * tangent; /* after 1 s */
  claim_near(slide_speed(0.999 * tangent), expected, 1e-6 * expected);
  claim_near(slide_speed(1.001 * tangent), 0, 1e-12);
}

/* ---- Euler's rope -----------------------------------------------------------------------------
 */

/* Soft cloth, and that of the scene. */
static void threshold_on_the_cylinder__is_that_of_the_formula_within_two_percent(void **unused) {
  (void)unused;
  const double formula = capstan_formula(1.6 / LAB_PI, 1.6, 0.8);
  const double stretches[] = {2000, 20000}, depths[] = {2e-4, 3e-4};
  for (int k = 0; k < 2; k++) {
    capstan c = {.cells = 16, .width = 0.25, .sides = 16, .iterations = 30};
    c.stretch = stretches[k];
    state held = capstan_rest(&c, 1, NULL);
    capstan_course low = capstan_run(&c, &held, 0.98 * formula);
    capstan_course high = capstan_run(&c, &held, 1.02 * formula);
    print_message("    %.0f N/m: %.2f mm at 2%% below, %.3f mm at 2%% above\n", c.stretch,
                  1e3 * low.way, 1e3 * high.way);
    assert_true(capstan_slips(&low));
    assert_false(capstan_slips(&high));
    claim_below(high.way, 3e-4);
    claim_below(low.penetration, depths[k]);
    state_free(&held);
  }
}

/* The cloth on the cylinder after 0.2 s, by the method forwarding or by so many iterations. */
static simulation *draped(int iterations) {
  scene_cloth_cylinder_params p = scene_cloth_cylinder_defaults();
  p.mu = 0.145, p.cells = 8, p.stretch = 2000;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_cylinder(&p, &scene, err));
  simulation *s = iterations ? projective_make(scene, iterations, 1) : lab_compile(scene, 1);
  lab_steps(s, 20);
  return s;
}

/* To what the materials differ by: strains are of some thousandths here. */
static void iterations__lead_to_the_result_of_forwarding(void **unused) {
  (void)unused;
  const int iterations[] = {5, 10, 30, 100};
  simulation *wanted = draped(0);
  double last = INFINITY;
  for (int k = 0; k < 4; k++) {
    simulation *s = draped(iterations[k]);
    double off = lab_mean_distance(s, wanted);
    print_message("    %3d iterations: %.2e m off in the mean\n", iterations[k], off);
    claim_below(off, 0.6 * last);
    last = off;
    simulation_free(s);
  }
  claim_below(last, 2e-5);
  simulation_free(wanted);
}

/* ---- obstacles that move ----------------------------------------------------------------------
 */

/* A sheet on a sphere that turns about the vertical: with friction it turns along, and without it
 * stays behind, and slides down sooner or later. Mean angular velocity about z of the vertices
 * above a height. */
static double turning(double mu, double lowest) {
  simulation *s = projective_make(projective_square(mu, 12), 20, 1);
  lab_steps(s, 400); /* 2 s */
  const state *now = simulation_state(s);
  double moment = 0, momentum = 0;
  for (size_t i = 0; i < now->node_count; i++) {
    vec3 x = now->x[i], v = now->v[i];
    if (x.z < lowest) continue;
    momentum += x.x * v.y - x.y * v.x;
    moment += x.x * x.x + x.y * x.y;
  }
  simulation_free(s);
  return momentum / moment;
}

static void turning_sphere__takes_the_cloth_along_by_friction_alone(void **unused) {
  (void)unused;
  claim_near(turning(0, -INFINITY), 0, 0.02);
  claim_near(turning(2, 0.2), LAB_PI, 0.1 * LAB_PI);
}

/* ---- directions -------------------------------------------------------------------------------
 */

/* Cloth combed across the slope, which is steeper than along lets it rest on, and not so steep as
 * across: it slides sideways in no case, holds when the grooves run across the slope, slides when
 * they run down. */
static double combed_speed(double x, double y) {
  tribo_scene *scene = NULL;
  scene_cloth_slide_params p = scene_cloth_slide_defaults();
  claim_ok(scene_cloth_slide(&p, &scene, err));
  tribo_scene *combed = lab_scene();
  lab_time(combed, H);
  const tribo_object_def *cloth = tribo_scene_object(scene, 0),
                         *ramp = tribo_scene_object(scene, 1);
  tribo_object_def with = *cloth;
  double *structure = malloc(3 * cloth->vertex_count * sizeof *structure);
  for (size_t i = 0; i < cloth->vertex_count; i++)
    memcpy(structure + 3 * i, (double[]){x, y, 0}, 3 * sizeof *structure);
  with.vertex_structure = structure;
  claim_ok(tribo_scene_add(combed, &with, NULL, err));
  claim_ok(tribo_scene_add(combed, ramp, NULL, err));
  free(structure);
  tribo_friction_params mu = tribo_friction_defaults();
  mu.mu = 0.2, mu.mu_along = 0.1, mu.mu_across = 0.3;
  claim_ok(tribo_scene_set_pair(combed, "cloth", "ramp", &mu, err));
  tribo_scene_free(scene);
  simulation *s = projective_make(combed, 10, 1);
  lab_steps(s, 100);
  double speed = vec3_dot(lab_velocity(s, 0), lab_downhill(10));
  simulation_free(s);
  return speed;
}

static void combed_cloth__slides_along_its_structure_and_holds_across(void **unused) {
  (void)unused;
  double angle = 10 * LAB_PI / 180;
  double expected = LAB_G * (sin(angle) - 0.1 * cos(angle));
  claim_near(combed_speed(1, 0), expected, 1e-9);
  claim_near(combed_speed(0, 1), 0, 1e-12);
}

/* Far too stiff for 30 iterations: its contacts make it tremble, and by masses alone they bring
 * some energy of their own. It must not feed on it from step to step: when every step went on from
 * the last one's velocities, it had 400 times the energy of its fall after 0.7 s. */
static void stiff_cloth__trembles_and_does_not_blow_up(void **unused) {
  (void)unused;
  scene_squares_params p = scene_squares_defaults();
  p.mu = 0.5, p.cells = 40, p.thickness = 0.01, p.density = 0.13, p.stretch = 20000, p.dt = 0.0104;
  p.spin = 0;
  tribo_scene *scene = NULL;
  claim_ok(scene_squares(&p, &scene, err));
  simulation *s = projective_make(scene, 30, 2);
  tribo_report report = lab_steps(s, 1);
  double had = lab_energy(s, &report), most = 0;
  for (int k = 0; k < 90; k++) {
    report = lab_steps(s, 1);
    most = fmax(most, lab_energy(s, &report));
  }
  print_message("    %.3g J of %.3g\n", most, had);
  claim_below(most, 4 * had);
  simulation_free(s);
}

/* ---- without contact --------------------------------------------------------------------------
 */

static simulation *free_sheet(int iterations) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  lab_gravity(scene, 0, 0, 0);
  mesh sheet = shape_sheet(8, 8, 0.5, 0.5);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.object.velocity[1] = -2;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  return projective_make(scene, iterations, 1);
}

/* However few the iterations. */
static void momentum__of_a_free_sheet_is_kept_to_rounding(void **unused) {
  (void)unused;
  for (int iterations = 1; iterations < 20; iterations += 6) {
    simulation *s = free_sheet(iterations);
    lab_shake(s, 0.01, 1, 7);
    vec3 before = lab_momentum(s);
    lab_steps(s, 50);
    claim_below(vec3_norm(vec3_sub(lab_momentum(s), before)), 1e-12 * lab_mass(s) * 2);
    simulation_free(s);
  }
}

/* A cloth that hangs from two corners, held hard or softly, and a led one. */
static simulation *pinned(double stiffness, double speed, int method) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  tribo_scene_world(scene)->method = method;
  mesh sheet = shape_sheet(6, 6, 0.5, 0.5);
  const int32_t corners[] = {0, 6};
  double targets[2][2][3];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 2; i++)
      memcpy(targets[k][i], (double[]){0.5 * i + (k ? 10 * speed : 0), 0, 0}, sizeof targets[k][i]);
  tribo_pin_def pin = {.vertices = corners,
                       .vertex_count = 2,
                       .targets = &targets[0][0][0],
                       .target_count = 2,
                       .target_start = 1,
                       .target_interval = 10 / H,
                       .params = {.stiffness = stiffness}};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.damping_mass = 2;
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  return lab_compile(scene, 1);
}

static void pinned_vertices__are_where_their_targets_are(void **unused) {
  (void)unused;
  simulation *s = pinned(0, 0.3, TRIBO_METHOD_PROJECTIVE);
  lab_steps(s, 100);
  const state *now = simulation_state(s);
  claim_near(now->x[0].x, 0.3, 1e-12);
  claim_near(now->x[6].x, 0.8, 1e-12);
  claim_near(now->v[6].x, 0.3, 1e-9);
  simulation_free(s);
}

/* Where Newton's method leaves them: the spring bears half of the cloth each. */
static void soft_pins__give_way_as_their_springs_do(void **unused) {
  (void)unused;
  double down[2];
  for (int k = 0; k < 2; k++) {
    simulation *s = pinned(20, 0, k ? TRIBO_METHOD_PROJECTIVE : TRIBO_METHOD_ELASTIC);
    lab_steps(s, 1000);
    down[k] = -simulation_state(s)->x[0].z;
    claim_near(down[k], 0.5 * lab_mass(s) * LAB_G / 20, 1e-3 * down[k]);
    simulation_free(s);
  }
  claim_near(down[0], down[1], 1e-3 * down[0]);
}

/* ---- bits -------------------------------------------------------------------------------------
 */

/* With enough vertices for every part of an iteration to be shared. */
static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = projective_make(projective_square(0.3, 100), 8, 1);
  simulation *two = projective_make(projective_square(0.3, 100), 8, 2);
  tribo_report report = lab_steps(one, 30);
  assert_true(report.contacts > 20);
  lab_steps(two, 30);
  lab_same_bits(one, two);
  simulation_free(one);
  simulation_free(two);
}

static void state_put_back__goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  simulation *through = projective_make(projective_square(0.3, 16), 8, 1);
  simulation *resumed = projective_make(projective_square(0.3, 16), 8, 1);
  lab_steps(through, 40);
  lab_goes_on_to_the_same_bits(through, resumed, 10);
  simulation_free(through);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(falling_sheet__is_the_analytic_motion_after_one_iteration),
      cmocka_unit_test(falling_sheet__comes_to_the_motion_of_the_formula),
      cmocka_unit_test(threshold_on_the_ramp__is_the_tangent_within_a_thousandth),
      cmocka_unit_test(threshold_on_the_cylinder__is_that_of_the_formula_within_two_percent),
      cmocka_unit_test(iterations__lead_to_the_result_of_forwarding),
      cmocka_unit_test(turning_sphere__takes_the_cloth_along_by_friction_alone),
      cmocka_unit_test(combed_cloth__slides_along_its_structure_and_holds_across),
      cmocka_unit_test(stiff_cloth__trembles_and_does_not_blow_up),
      cmocka_unit_test(momentum__of_a_free_sheet_is_kept_to_rounding),
      cmocka_unit_test(pinned_vertices__are_where_their_targets_are),
      cmocka_unit_test(soft_pins__give_way_as_their_springs_do),
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(state_put_back__goes_on_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
