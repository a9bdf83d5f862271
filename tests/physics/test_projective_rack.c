/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solids on wires that are thinner than their triangles, with the method projective at quality
 * good: edges and triangles hold them, not vertices alone, whether their vertices are nodes of tets
 * or hang in a cage that was filled from their surface.
 */
#include "physics/lab_projective.h"
#include "scenes/shapes_turned.h"
#include "tribo/sim.h"

enum { FRAMES = 30 };

/* On round wires it creeps, some millimetres a second. */
static const double CREEP = 1e-2;

static const double RADIUS = 0.008, WIDTH = 0.3, DEPTH = 0.1;

/* A wire along y whose top is at z = 0, x metres aside; round, or with edges of 60 degrees. */
static void add_wire(tribo_scene *scene, const char *name, int sides, double x) {
  mesh rod = shape_cylinder(sides, RADIUS, 1);
  shape_turn(&rod, 0, 0.5 * LAB_PI);
  shape_move(&rod, x, 0, -RADIUS);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = name;
  claim_ok(scenes_add(scene, def, &rod, NULL, err));
}

/* Jelly of one layer of cubes, so that all of its nodes are on its surface, in their order. */
static void add_jelly(tribo_scene *scene, bool caged) {
  mesh block = shape_block(3, 3, 1, WIDTH, WIDTH, DEPTH);
  shape_move(&block, -0.5 * WIDTH, -0.5 * WIDTH, 0.06);
  shape_turn(&block, 2, 0.2);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "jelly";
  def.solid.density = 1000;
  def.solid.young = 3e5;
  def.solid.damping_mass = 1;
  def.solid.damping_stiffness = 2e-3;
  def.surface.thickness = -1;
  if (!caged) {
    claim_ok(scenes_add(scene, def, &block, NULL, err));
    return;
  }
  mesh skin = shape_skin(&block);
  assert_int_equal(skin.vertex_count, block.vertex_count);
  def.cage = block.positions, def.cage_count = block.vertex_count;
  def.tets = block.tets, def.tet_count = block.tet_count;
  def.positions = skin.positions, def.vertex_count = skin.vertex_count;
  def.triangles = skin.triangles, def.triangle_count = skin.triangle_count;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  mesh_free(&skin);
  mesh_free(&block);
}

static tribo_sim *start(bool caged, int sides) {
  static const char *const names[] = {"first", "second", "third"};
  tribo_scene *scene = lab_scene();
  add_jelly(scene, caged);
  for (int k = 0; k < 3; k++) add_wire(scene, names[k], sides, 0.1 * (k - 1) + 0.013);
  tribo_scene_friction(scene)->mu = 0.4;
  tribo_scene_time(scene)->fps = 24;
  claim_ok(tribo_scene_set(scene, "solver.crossings", "every", err));
  claim_ok(tribo_scene_set(scene, "quality", "good", err));
  tribo_sim *sim;
  claim_ok(tribo_sim_create(scene, &(tribo_sim_options){.threads = 1}, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static double fastest(const tribo_sim *sim) {
  const double *v = tribo_sim_velocities(sim, 0);
  double most = 0;
  for (size_t i = 0; i < 32; i++) most = fmax(most, vec3_norm(vec3_from(v + 3 * i)));
  return most;
}

static void jelly__lies_on_wires_between_its_vertices(void **unused) {
  (void)unused;
  for (int k = 0; k < 4; k++) {
    tribo_sim *sim = start(k % 2, k < 2 ? 6 : 24);
    int worst = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
      tribo_report report;
      claim_ok(tribo_sim_frame(sim, &report, err));
      worst = report.crossings > worst ? report.crossings : worst;
    }
    print_message("    %s, wires of %d sides: %d crossings at worst, %.2g m/s at the end\n",
                  k % 2 ? "caged" : "tets", k < 2 ? 6 : 24, worst, fastest(sim));
    assert_int_equal(worst, 0);
    assert_true(fastest(sim) < CREEP);
    tribo_sim_free(sim);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jelly__lies_on_wires_between_its_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
