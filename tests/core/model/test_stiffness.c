/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include "core/model/closed.h"
#include "scene/compile.h"
#include "scenes/scenes.h"
#include "scenes/shapes.h"

/* A multiplier of stiffness that is linear in space: an element has the mean of its corners, which
 * is then its integral over the element, so that the energy of a uniform deformation is exactly E =
 * W int s dA   (or dV).  */

static double painted(const double *p) { return 1 + 2 * p[0] + 0.5 * p[1] + 4 * p[2]; }

static tribo_scene *with(tribo_object_def def, mesh *shape, bool brush) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  double *values = calloc(shape->vertex_count, sizeof *values);
  for (size_t v = 0; v < shape->vertex_count; v++) values[v] = painted(shape->positions + 3 * v);
  if (brush) def.vertex_stiffness = values;
  claim_ok(scenes_add(scene, def, shape, NULL, err));
  free(values);
  return scene;
}

/* Stretched along x by a hundredth. */
static double energy_of(tribo_scene *scene) {
  compiled c;
  claim_ok(compile_scene(scene, &c, err));
  tribo_scene_free(scene);
  size_t nodes = (size_t)c.m.node_count;
  vec3 *x = malloc(nodes * sizeof *x);
  double *work = malloc((c.m.largest_set + 1) * sizeof *work), sum = 0;
  for (size_t i = 0; i < nodes; i++) {
    x[i] = c.m.rest[i];
    x[i].x *= 1.01;
  }
  tasks one = {1};
  for (size_t k = 0; k < c.m.elastic_count; k++)
    sum += elements_energy(&c.m.elastics[k].term, &one, x, work);
  free(x);
  free(work);
  model_free(&c.m);
  return sum;
}

static void cloth__has_the_energy_of_the_mean_of_what_is_painted(void **unused) {
  (void)unused;
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  double energy[2];
  for (int brush = 0; brush < 2; brush++) {
    mesh sheet = shape_sheet(4, 3, 1, 2); /* from the origin to (1, 2, 0) */
    double low = INFINITY, high = -INFINITY;
    for (size_t v = 0; v < sheet.vertex_count; v++) {
      low = fmin(low, sheet.positions[3 * v]);
      high = fmax(high, sheet.positions[3 * v]);
    }
    claim_near(high - low, 1, 1e-12);
    for (size_t v = 0; v < sheet.vertex_count; v++) sheet.positions[3 * v] -= low;
    low = INFINITY;
    for (size_t v = 0; v < sheet.vertex_count; v++) low = fmin(low, sheet.positions[3 * v + 1]);
    for (size_t v = 0; v < sheet.vertex_count; v++) sheet.positions[3 * v + 1] -= low;
    double height = sheet.positions[2];
    for (size_t v = 0; v < sheet.vertex_count; v++) sheet.positions[3 * v + 2] -= height;
    energy[brush] = energy_of(with(def, &sheet, brush));
  }
  /* mean of 1 + 2x + y/2 over (0,1) x (0,2) is 2.5 */
  assert_true(energy[0] > 0);
  claim_near(energy[1] / energy[0], 2.5, 1e-12);
}

static void solid__has_the_energy_of_the_mean_of_what_is_painted(void **unused) {
  (void)unused;
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  double energy[2], middle[3] = {0};
  for (int brush = 0; brush < 2; brush++) {
    mesh block = shape_block(2, 3, 2, 0.5, 0.3, 0.2);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < block.vertex_count; v++)
      for (int a = 0; a < 3; a++) {
        low[a] = fmin(low[a], block.positions[3 * v + (size_t)a]);
        high[a] = fmax(high[a], block.positions[3 * v + (size_t)a]);
      }
    for (int a = 0; a < 3; a++) middle[a] = (low[a] + high[a]) / 2;
    energy[brush] = energy_of(with(def, &block, brush));
  }
  assert_true(energy[0] > 0);
  claim_near(energy[1] / energy[0], painted(middle), 1e-12);
}

/* What is painted the same all over is a parameter. */
static simulation *hanging(double times, double by_parameter) {
  tribo_scene *scene = NULL;
  claim_ok(scene_hanging_cloth(6, &scene, err));
  tribo_object_def def = *tribo_scene_object(scene, 0);
  double values[64];
  for (size_t v = 0; v < def.vertex_count; v++) values[v] = times;
  def.name = "again";
  def.cloth.stretch *= by_parameter;
  def.cloth.shear *= by_parameter;
  def.cloth.bend *= by_parameter;
  def.vertex_stiffness = times == 1 ? NULL : values;
  tribo_scene *other = NULL;
  claim_ok(tribo_scene_create(&other, err));
  claim_ok(tribo_scene_add(other, &def, NULL, err));
  tribo_scene_free(scene);
  simulation *s = NULL;
  claim_ok(compile_simulation(other, 1, NULL, &s, err));
  tribo_scene_free(other);
  return s;
}

static void uniform_paint__moves_as_the_parameter_does_to_the_bit(void **unused) {
  (void)unused;
  simulation *a = hanging(4, 1), *b = hanging(1, 4), *soft = hanging(1, 1);
  tribo_report report;
  for (int i = 0; i < 4; i++) {
    claim_ok(simulation_steps(a, 1, &report, err));
    claim_ok(simulation_steps(b, 1, &report, err));
    claim_ok(simulation_steps(soft, 1, &report, err));
  }
  assert_true(state_hash(simulation_state(a)) == state_hash(simulation_state(b)));
  assert_false(state_hash(simulation_state(a)) == state_hash(simulation_state(soft)));
  simulation_free(a);
  simulation_free(b);
  simulation_free(soft);
}

/* In a lattice the nodes around the surface, and those far from it, take what is painted nearby. */
static double lattice_energy(double times, bool brush) {
  closed *brick = closed_box(0.3, 0.2, 0.4);
  tribo_object_def def = closed_object(brick, "jelly");
  def.kind = TRIBO_SOLID;
  double values[8];
  for (int v = 0; v < 8; v++) values[v] = times;
  if (brush)
    def.vertex_stiffness = values;
  else
    def.solid.young *= times;
  tribo_fill_params params = tribo_fill_defaults();
  params.from = TRIBO_TETS_LATTICE;
  params.cells = 6;
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add_filled(scene, &def, &params, NULL, err));
  free(brick);
  return energy_of(scene);
}

static void lattice__takes_over_what_is_painted_on_its_surface(void **unused) {
  (void)unused;
  double parameter = lattice_energy(3, false);
  claim_near(lattice_energy(3, true) / parameter, 1, 1e-12);
  claim_near(lattice_energy(6, true) / parameter, 2, 1e-12);
}

static void paint__that_makes_no_sense_is_refused_by_vertex(void **unused) {
  (void)unused;
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  closed *box = closed_box(1, 1, 1);
  double values[8] = {1, 1, 1, -1, 1, 1, 1, 1};
  tribo_object_def def = closed_object(box, "box");
  def.vertex_stiffness = values;
  def.kind = TRIBO_CLOTH;
  memcpy(def.cloth.warp_axis, (double[]){1, 2, 3}, sizeof def.cloth.warp_axis);
  claim_fails(tribo_scene_add(scene, &def, NULL, err), TRIBO_BAD_INPUT,
              "vertex_stiffness of vertex 3 is -1");
  values[3] = 1;
  values[7] = NAN;
  claim_fails(tribo_scene_add(scene, &def, NULL, err), TRIBO_BAD_INPUT, "vertex 7 is nan");
  values[7] = 0; /* cloth without stiffness in places is fine */
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  def.name = "other";
  def.kind = TRIBO_COLLIDER;
  claim_fails(tribo_scene_add(scene, &def, NULL, err), TRIBO_BAD_INPUT, "for cloth and solids");
  tribo_scene_free(scene);
  free(box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__has_the_energy_of_the_mean_of_what_is_painted),
      cmocka_unit_test(solid__has_the_energy_of_the_mean_of_what_is_painted),
      cmocka_unit_test(uniform_paint__moves_as_the_parameter_does_to_the_bit),
      cmocka_unit_test(lattice__takes_over_what_is_painted_on_its_surface),
      cmocka_unit_test(paint__that_makes_no_sense_is_refused_by_vertex),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
