/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A closed cover of cotton without a filling falls on a floor at quality good: it lies on itself,
 * and has many contacts that a step of few iterations cannot settle.
 */
#include "core/geom/skins.h"
#include "physics/lab.h"
#include "tribo/sim.h"

static tribo_sim *cover(int across, int high) {
  tribo_scene *scene = lab_scene();
  mesh sheet = shape_sheet(4, 4, 4, 4);
  shape_move(&sheet, -2, -2, 0);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "floor";
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  arena memory = {0};
  skin box = skin_bar(across, across, high, vec3_make(0.35, 0.35, 0.1), &memory);
  double c = cos(0.2), d = sin(0.2);
  for (size_t i = 0; i < box.vertex_count; i++) {
    vec3 *x = &box.vertices[i];
    vec3 tilted = vec3_make(x->x, c * x->y - d * x->z, d * x->y + c * x->z);
    *x = vec3_add(tilted, vec3_make(0, 0, 0.5));
  }
  def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cover";
  def.positions = &box.vertices->x;
  def.vertex_count = box.vertex_count;
  def.triangles = box.triangles;
  def.triangle_count = box.triangle_count;
  def.cloth.density = 0.13; /* cotton of plugin_blender/logic/presets.py */
  def.cloth.stretch = 8e3;
  def.cloth.shear = 50;
  def.cloth.bend = 8e-6;
  def.cloth.damping_mass = 3;
  def.object.drag = 1.2;
  def.surface.mu = 0.5;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  claim_ok(tribo_scene_set(scene, "quality", "good", err));
  tribo_sim *sim;
  claim_ok(tribo_sim_create(scene, &(tribo_sim_options){.threads = 1}, &sim, err));
  tribo_scene_free(scene);
  arena_free(&memory);
  return sim;
}

static void collapsing_cover__does_not_pass_through_itself(void **unused) {
  (void)unused;
  tribo_sim *sim = cover(15, 15);
  double held_back = 0;
  int contacts = 0;
  tribo_report report;
  for (int frame = 1; frame < 24; frame++) {
    claim_ok(tribo_sim_frame(sim, &report, err));
    assert_int_equal(report.crossings, 0);
    held_back += report.held_back;
    contacts = report.cloth_contacts > contacts ? report.cloth_contacts : contacts;
  }
  print_message("    %d contacts with itself, %.1e J held back, %.1e J of motion\n", contacts,
                held_back, report.kinetic_energy);
  assert_true(contacts > 10);
  tribo_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collapsing_cover__does_not_pass_through_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
