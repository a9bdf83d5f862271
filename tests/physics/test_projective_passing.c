/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No cloth passes cloth in the method projective (projective/projective_passing.h): folds that are
 * as small as the mesh, any speed, and what is tangled from the start.
 */
#include "physics/lab_crossing.h"
#include "physics/lab_projective.h"

/* Of the presets of plugin_blender/logic/presets.py, cotton: stiff, so that few iterations do not
 * settle it. */
static tribo_object_def cotton(const char *name, double thickness) {
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = name;
  def.cloth.density = 0.13;
  def.cloth.stretch = 8e3;
  def.cloth.shear = 50;
  def.cloth.bend = 8e-6;
  def.cloth.damping_mass = 3;
  def.surface.thickness = thickness;
  return def;
}

/* Nothing is flat: of triangles in one plane the count cannot tell whether they meet. */
static void ruffle(mesh *m) {
  for (size_t i = 0; i < m->vertex_count; i++) {
    double *x = m->positions + 3 * i, a = x[0], b = x[1], c = x[2];
    x[0] += 0.004 * sin(13 * b + 17 * c);
    x[1] += 0.004 * sin(11 * c + 19 * a);
    x[2] += 0.004 * sin(12 * a + 7 * b);
  }
}

static void add_floor(tribo_scene *scene) {
  mesh plane = shape_sheet(1, 1, 6, 6);
  shape_move(&plane, -3, -3, 0);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "floor";
  claim_ok(scenes_add(scene, def, &plane, NULL, err));
}

/* Fewer steps than the quality `good` would take. */
static void claim_never_crosses(tribo_scene *scene, int steps, int every) {
  simulation *s = projective_make(scene, 30, 1);
  for (int k = 0; k < steps; k++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_true(isfinite(report.kinetic_energy));
    if (k % every == every - 1) assert_int_equal(crossing_count(s), 0);
  }
  simulation_free(s);
}

/* A closed cover without a filling falls on the floor and collapses. */
static void cover__collapses_without_passing_itself(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / (24 * 12));
  mesh block = shape_block(6, 6, 6, 0.7, 0.7, 0.2), cover = shape_skin(&block);
  mesh_free(&block);
  ruffle(&cover);
  shape_turn(&cover, 0, 0.1);
  shape_move(&cover, -0.35, -0.35, 0.3);
  claim_ok(scenes_add(scene, cotton("cover", 0.005), &cover, NULL, err));
  add_floor(scene);
  claim_never_crosses(scene, 24 * 12, 4);
}

/* A sheet that stands on its edge falls into folds. */
static void sheet_on_its_edge__folds_without_passing_itself(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / (24 * 12));
  mesh sheet = shape_sheet(20, 12, 1, 0.6);
  ruffle(&sheet);
  shape_turn(&sheet, 1, -0.5 * LAB_PI);
  shape_move(&sheet, 0, -0.3, 0.05);
  claim_ok(scenes_add(scene, cotton("sheet", 0.005), &sheet, NULL, err));
  add_floor(scene);
  claim_never_crosses(scene, 24 * 12, 4);
}

/* Two sheets meet at hundreds of thicknesses a step. */
static void any_speed__is_stopped(void **unused) {
  (void)unused;
  for (double speed = 50; speed <= 800; speed *= 4) {
    tribo_scene *scene = lab_scene();
    lab_time(scene, 0.005);
    lab_gravity(scene, 0, 0, 0);
    for (int k = 0; k < 2; k++) {
      mesh sheet = shape_sheet(10, 10, 0.5, 0.5);
      ruffle(&sheet);
      shape_turn(&sheet, 0, 0.1 * k);
      shape_move(&sheet, 0.013 * k, 0.02 * k, 0.3 * k);
      tribo_object_def def = cotton(k ? "upper" : "lower", 0.005);
      def.object.velocity[2] = k ? -speed : 0;
      claim_ok(scenes_add(scene, def, &sheet, NULL, err));
    }
    simulation *s = projective_make(scene, 20, 1);
    vec3 before = lab_momentum(s);
    for (int k = 0; k < 6; k++) {
      tribo_report report;
      claim_ok(simulation_steps(s, 1, &report, err));
      assert_int_equal(crossing_count(s), 0);
    }
    assert_true(lab_centre(s, 1).z > lab_centre(s, 0).z);
    /* cotton is damped in proportion to its mass, at 3 a second */
    claim_below(vec3_norm(lab_momentum(s)), vec3_norm(before));
    assert_true(vec3_norm(lab_momentum(s)) > exp(-4 * 0.03) * vec3_norm(before));
    simulation_free(s);
  }
}

/* Two sheets that start through each other are not held there: the upper one falls on, beside what
 * it crosses, and both come down. */
static void tangled_start__is_left_alone(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / (24 * 12));
  for (int k = 0; k < 2; k++) {
    mesh sheet = shape_sheet(6, 6, 0.3, 0.3);
    ruffle(&sheet);
    if (k) shape_turn(&sheet, 0, 0.5 * LAB_PI);
    shape_move(&sheet, -0.15, k ? 0.013 : -0.15, k ? 0.41 : 0.5);
    claim_ok(scenes_add(scene, cotton(k ? "upright" : "level", 0.004), &sheet, NULL, err));
  }
  add_floor(scene);
  simulation *s = projective_make(scene, 30, 1);
  assert_true(crossing_count(s) > 0);
  for (int k = 0; k < 24 * 12; k++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
  }
  claim_below(lab_centre(s, 0).z, 0.1);
  claim_below(lab_centre(s, 1).z, 0.2);
  simulation_free(s);
}

static simulation *crumpled(int threads) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / (24 * 12));
  mesh block = shape_block(5, 5, 2, 0.3, 0.3, 0.1), cover = shape_skin(&block);
  mesh_free(&block);
  shape_move(&cover, -0.15, -0.15, 0.02);
  claim_ok(scenes_add(scene, cotton("cover", 0.005), &cover, NULL, err));
  add_floor(scene);
  return projective_make(scene, 30, threads);
}

static void threads_and_resuming__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = crumpled(1), *two = crumpled(2);
  for (int k = 0; k < 60; k++) {
    tribo_report report;
    claim_ok(simulation_steps(one, 1, &report, err));
    claim_ok(simulation_steps(two, 1, &report, err));
  }
  lab_same_bits(one, two);
  lab_goes_on_to_the_same_bits(one, crumpled(1), 5);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cover__collapses_without_passing_itself),
      cmocka_unit_test(sheet_on_its_edge__folds_without_passing_itself),
      cmocka_unit_test(any_speed__is_stopped),
      cmocka_unit_test(tangled_start__is_left_alone),
      cmocka_unit_test(threads_and_resuming__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
