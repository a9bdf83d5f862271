/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friction of cloth on cloth with the method projective: a sheet on another that is pinned
 * everywhere and descends towards +x by 10 degrees. Along the slope the upper one has the
 * acceleration g (sin - mu cos), with mu what the law says of the two.
 */
#include "physics/lab_painted.h"
#include "physics/lab_projective.h"

static const double H = 0.005, DEGREES = 10, THICKNESS = 0.01;

/* Angles of structures are from downhill; 9 stands for none. */
enum { NONE = 9 };

typedef struct rub {
  tribo_friction_params law;
  double upper, lower; /* structures, radians */
  double upper_grip, lower_grip;
  double speed; /* of the upper sheet at the start, downhill */
  bool crossed; /* the upper sheet has its edges askew to those of the lower one */
} rub;

static rub rub_defaults(double mu) {
  rub r = {.law = tribo_friction_defaults(),
           .upper = NONE,
           .lower = NONE,
           .upper_grip = 1,
           .lower_grip = 1};
  r.law.mu = mu;
  return r;
}

static double *constant(size_t count, double value) {
  double *all = malloc(count * sizeof *all);
  assert_non_null(all);
  for (size_t i = 0; i < count; i++) all[i] = value;
  return all;
}

/* At z = 0 of the slope's frame or a thickness above it. */
static void add_sheet(tribo_scene *scene, const rub *r, bool upper) {
  double slope = DEGREES * LAB_PI / 180, size = upper ? 0.3 : 1;
  int cells = upper ? 4 : 9;
  mesh sheet = shape_sheet(cells, cells, size, size);
  shape_move(&sheet, -0.5 * size, -0.5 * size, 0);
  if (upper && r->crossed) shape_turn(&sheet, 2, 0.3);
  shape_move(&sheet, 0, 0, upper ? THICKNESS : 0);
  shape_turn(&sheet, 1, slope);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = upper ? "upper" : "lower";
  def.surface.thickness = THICKNESS;
  size_t count = sheet.vertex_count;
  int32_t *all = malloc(count * sizeof *all);
  assert_non_null(all);
  for (size_t i = 0; i < count; i++) all[i] = (int32_t)i;
  tribo_pin_def pin = {.vertices = all, .vertex_count = count};
  if (!upper) def.pins = &pin, def.pin_count = 1;
  lab_floor floor = {.slope = slope};
  double angle = upper ? r->upper : r->lower;
  double *structure = lab_combed(count, lab_floor_direction(&floor, angle));
  double *grip = constant(count, upper ? r->upper_grip : r->lower_grip);
  if (angle != NONE) def.vertex_structure = structure;
  def.vertex_friction = grip;
  vec3 v = vec3_scale(r->speed, lab_downhill(DEGREES));
  if (upper) memcpy(def.object.velocity, &v, sizeof v);
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  free(structure);
  free(grip);
  free(all);
}

static simulation *rub_make(const rub *r, int threads) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  add_sheet(scene, r, true);
  add_sheet(scene, r, false);
  claim_ok(tribo_scene_set_pair(scene, "upper", "lower", &r->law, err));
  return projective_make(scene, 20, threads);
}

static double rub_velocity(const rub *r, int steps) {
  simulation *s = rub_make(r, 1);
  tribo_report report = lab_steps(s, steps);
  assert_true(report.contacts > 20);
  double v = vec3_dot(lab_velocity(s, 0), lab_downhill(DEGREES));
  simulation_free(s);
  return v;
}

static double coulomb(double mu) {
  double angle = DEGREES * LAB_PI / 180;
  return LAB_G * (sin(angle) - mu * cos(angle));
}

enum { STEPS = 60 };

static void claim_slides(const rub *r, double mu) {
  double v = rub_velocity(r, STEPS);
  claim_near(v, r->speed + STEPS * H * coulomb(mu), 2e-3 * STEPS * H * coulomb(0));
}

static void claim_holds(const rub *r) {
  double v = rub_velocity(r, STEPS);
  claim_near(v, 0, 1e-6);
}

static void plain_cloth__slides_as_coulomb_says(void **unused) {
  (void)unused;
  double tangent = tan(DEGREES * LAB_PI / 180);
  for (int crossed = 0; crossed < 2; crossed++) {
    rub low = rub_defaults(0.1), below = rub_defaults(0.99 * tangent),
        above = rub_defaults(1.01 * tangent);
    low.crossed = below.crossed = above.crossed = crossed;
    claim_slides(&low, 0.1);
    claim_slides(&below, 0.99 * tangent);
    claim_holds(&above);
  }
}

/* Matchstick: structures that run the same way have mu_along and mu_across, crossed ones mu, and
 * those of one cloth count in full. */
static void combed_cloths__slide_along_and_hold_across(void **unused) {
  (void)unused;
  const double quarter = LAB_PI / 2;
  rub r = rub_defaults(0.15);
  r.law.mu_along = 0.05, r.law.mu_across = 0.25;
  r.crossed = true;
  r.upper = r.lower = 0;
  claim_slides(&r, 0.05);
  r.upper = r.lower = quarter;
  claim_holds(&r);
  r.upper = 0, r.lower = quarter;
  claim_slides(&r, 0.15);
  r.upper = NONE, r.lower = 0;
  claim_slides(&r, 0.05);
  r.upper = quarter, r.lower = NONE;
  claim_holds(&r);
}

/* Multipliers of both sides. */
static void grip__counts_on_both_sides(void **unused) {
  (void)unused;
  rub r = rub_defaults(0.3);
  r.upper_grip = 0.5, r.lower_grip = 0.8;
  claim_slides(&r, 0.3 * 0.5 * 0.8);
  r.lower_grip = 1.5;
  claim_holds(&r);
}

/* At rest it holds; once it slides it does so by the lower coefficient. */
static void static_and_dynamic_friction__differ(void **unused) {
  (void)unused;
  rub r = rub_defaults(0.3);
  r.law.mu_dynamic = 0.1;
  r.law.stribeck_velocity = 0;
  claim_holds(&r);
  r.speed = 0.1;
  claim_slides(&r, 0.1);
}

/* What holds the upper sheet is listed: together it is its weight. */
static void contacts__of_cloth_with_cloth_are_listed(void **unused) {
  (void)unused;
  rub r = rub_defaults(0.3);
  simulation *s = rub_make(&r, 1);
  tribo_report report = lab_steps(s, 20);
  size_t count;
  const tribo_contact *all = simulation_contacts(s, &count);
  assert_int_equal(count, report.cloth_contacts);
  assert_int_equal(count, report.contacts);
  vec3 force = {0, 0, 0}, up = {sin(DEGREES * LAB_PI / 180), 0, cos(DEGREES * LAB_PI / 180)};
  for (size_t i = 0; i < count; i++) {
    /* edges of the lower sheet may have found those of the upper one */
    bool upper = all[i].object == 0;
    assert_string_equal(all[i].surface, upper ? "lower" : "upper");
    force = vec3_madd(force, upper ? 1 : -1, vec3_from(all[i].force));
    claim_near(fabs(vec3_dot(vec3_from(all[i].normal), up)), 1, 1e-9);
    claim_near(all[i].gap, 0, 1e-9);
    claim_below(vec3_norm(vec3_from(all[i].slip)), 1e-6);
    claim_near(all[i].mu, 0.3, 1e-15); /* weights sum to 1 within rounding */
    /* a thickness below the upper sheet, or above the lower one */
    claim_near(vec3_dot(vec3_from(all[i].position), up), upper ? 0 : THICKNESS, 1e-9);
    assert_true(all[i].vertex >= 0 && all[i].vertex < (upper ? 25 : 100));
  }
  double mass = 0;
  for (int32_t i = 0; i < 25; i++) mass += simulation_model(s)->mass[i];
  claim_near(force.z, mass * LAB_G, 1e-4 * mass * LAB_G);
  claim_below(hypot(force.x, force.y), 1e-4 * mass * LAB_G);
  claim_below(report.cloth_depth, 1e-9);
  simulation_free(s);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  rub r = rub_defaults(0.15);
  r.law.mu_along = 0.05, r.law.mu_across = 0.25, r.law.mu_dynamic = 0.1;
  r.upper = 0.3, r.lower = 0.6, r.speed = 0.1;
  simulation *one = rub_make(&r, 1), *two = rub_make(&r, 2);
  lab_steps(one, STEPS);
  lab_steps(two, STEPS);
  lab_same_bits(one, two);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_cloth__slides_as_coulomb_says),
      cmocka_unit_test(combed_cloths__slide_along_and_hold_across),
      cmocka_unit_test(grip__counts_on_both_sides),
      cmocka_unit_test(static_and_dynamic_friction__differ),
      cmocka_unit_test(contacts__of_cloth_with_cloth_are_listed),
      cmocka_unit_test(threads__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
