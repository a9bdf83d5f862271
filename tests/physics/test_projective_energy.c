/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stiff cloth on obstacles that rest, in steps as long and with iterations as few as one likes: it
 * has no more energy at the end of a step than at its start.
 */
#include "physics/lab_projective.h"

/* Cotton of plugin_blender/logic/presets.py, without the damping and the air that would hide what
 * contacts do. */
static tribo_object_def cotton(void) {
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "towel";
  def.cloth.density = 0.13;
  def.cloth.stretch = 8e3;
  def.cloth.shear = 50;
  def.cloth.bend = 8e-6;
  return def;
}

typedef struct laid {
  const char *name;
  double radius; /* of a rail of 12 sides along y; 0: half of it over the edge of a box */
} laid;

static const laid RAIL = {"rail", 0.03}, WIRE = {"wire", 0.004}, EDGE = {"edge", 0};

enum { CELLS = 16, FRAMES = 20 };
static const double ABOVE = 0.05, SIZE = 1;

static mesh obstacle(const laid *l) {
  if (l->radius > 0) {
    mesh rail = shape_cylinder(12, l->radius, 2);
    shape_turn(&rail, 0, 0.5 * LAB_PI);
    return rail;
  }
  mesh block = shape_block(1, 1, 1, 1, 2, 0.5), skin = shape_skin(&block);
  mesh_free(&block);
  shape_move(&skin, -0.8, -1, -0.5);
  return skin;
}

static simulation *lay(const laid *l, int substeps, int iterations) {
  tribo_scene *scene = lab_scene();
  tribo_scene_time(scene)->fps = 24;
  tribo_scene_time(scene)->substeps = substeps;
  tribo_scene_friction(scene)->mu = 0.5;
  mesh sheet = shape_sheet(CELLS, CELLS, SIZE, SIZE), under = obstacle(l);
  shape_move(&sheet, -SIZE / 2, -SIZE / 2, l->radius + ABOVE);
  claim_ok(scenes_add(scene, cotton(), &sheet, NULL, err));
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = l->name;
  claim_ok(scenes_add(scene, def, &under, NULL, err));
  return projective_make(scene, iterations, 1);
}

static double highest(const simulation *s) {
  double z = -INFINITY;
  for (size_t i = 0; i < simulation_state(s)->node_count; i++)
    z = fmax(z, simulation_state(s)->x[i].z);
  return z;
}

/* Energies are those of the other methods' membrane, which differs from the fast one's in the third
 * order of the strain: they may grow by half a hundredth of mass times gravity times size in a
 * step. */
static void claim_gains_nothing(const laid *l, int substeps, int iterations) {
  simulation *s = lay(l, substeps, iterations);
  double scale = lab_mass(s) * LAB_G * SIZE, top = highest(s), rise = 0;
  lab_watch w = lab_watch_start(s);
  for (int k = 0; k < FRAMES * substeps; k++) {
    lab_watch_steps(s, 1, &w);
    rise = fmax(rise, highest(s) - top);
  }
  print_message("    %s, %2d substeps, %3d iterations: %+.1e in a step, %+.3f m\n", l->name,
                substeps, iterations, w.growth / scale, rise);
  claim_below(w.growth, 0.005 * scale);
  claim_below(rise, 0.1 * SIZE);
  simulation_free(s);
}

static void claim_never_gains(const laid *l) {
  const int substeps[] = {1, 2, 4, 8, 16}, iterations[] = {3, 10, 30, 100};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 4; k++)
      if (substeps[i] * iterations[k] <= 480) claim_gains_nothing(l, substeps[i], iterations[k]);
}

static void towel_over_a_rail__gains_no_energy(void **unused) {
  (void)unused;
  claim_never_gains(&RAIL);
}

static void towel_over_a_wire__gains_no_energy(void **unused) {
  (void)unused;
  claim_never_gains(&WIRE);
}

static void sheet_over_an_edge__gains_no_energy(void **unused) {
  (void)unused;
  claim_never_gains(&EDGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(towel_over_a_rail__gains_no_energy),
                                     cmocka_unit_test(towel_over_a_wire__gains_no_energy),
                                     cmocka_unit_test(sheet_over_an_edge__gains_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
