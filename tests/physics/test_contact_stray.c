/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A smooth surface that lies off its mesh: of a rail as Blender caps it, and of wires and slim
 * rails that are smooth by wish, which threw cloth.
 */
#include "physics/lab_contact.h"

/* Along x, with polygons for caps. */
static mesh rail_shape(double radius, double length, int sides, int rings) {
  mesh m = {0};
  size_t triangles = (size_t)(2 * sides * rings + 2 * (sides - 2));
  m.vertex_count = (size_t)(sides * (rings + 1));
  m.positions = calloc(3 * m.vertex_count, sizeof *m.positions);
  m.triangles = calloc(3 * triangles, sizeof *m.triangles);
  for (int j = 0; j <= rings; j++)
    for (int i = 0; i < sides; i++) {
      double a = 2 * LAB_PI * i / sides, *p = m.positions + 3 * (j * sides + i);
      p[0] = length * ((double)j / rings - 0.5), p[1] = radius * cos(a), p[2] = radius * sin(a);
    }
  int32_t *to = m.triangles;
  for (int j = 0; j < rings; j++)
    for (int i = 0; i < sides; i++) {
      int32_t a = j * sides + i, b = j * sides + (i + 1) % sides;
      memcpy(to, (int32_t[]){a, b, b + sides, a, b + sides, a + sides}, 6 * sizeof *to);
      to += 6;
    }
  for (int i = 1; i + 1 < sides; i++) {
    int32_t high = rings * sides;
    memcpy(to, (int32_t[]){0, i + 1, i, high, high + i, high + i + 1}, 6 * sizeof *to);
    to += 6;
  }
  m.triangle_count = triangles;
  return m;
}

static simulation *towel_over(double radius, int sides, int rings, int contact, double height) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh towel = shape_sheet(30, 30, 0.6, 0.6), rail = rail_shape(radius, 2, sides, rings);
  shape_move(&towel, -0.31, -0.3, radius + height);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "towel";
  claim_ok(scenes_add(scene, def, &towel, NULL, err));
  def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "rail";
  def.surface.contact = contact;
  claim_ok(scenes_add(scene, def, &rail, NULL, err));
  return lab_compile(scene, 1);
}

/* What hangs over it keeps its middle on it. */
static void towel__stays_on_a_rail_cut_along_its_length(void **unused) {
  (void)unused;
  static const int sides[] = {16, 32};
  for (int k = 0; k < 2; k++) {
    simulation *s = towel_over(0.03, sides[k], 41, TRIBO_CONTACT_AUTO, 0.002);
    for (int i = 0; i < 20; i++) {
      tribo_report report;
      claim_ok(simulation_steps(s, 1, &report, err));
    }
    double highest = -1;
    for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
      highest = fmax(highest, simulation_positions(s)[v].z);
    assert_true(highest > 0.028); /* it would have fallen by 0.2 m */
    simulation_free(s);
  }
}

/* It is outside of the mesh, and gets no more energy than it has fallen. */
static void smooth_by_wish__throws_nothing(void **unused) {
  (void)unused;
  static const double radius[] = {0.002, 0.03};
  for (int k = 0; k < 2; k++) {
    simulation *s = towel_over(radius[k], 12, k == 0 ? 1 : 41, TRIBO_CONTACT_MLS, 0.002);
    double start = lab_height_energy(s);
    for (int i = 0; i < 5; i++) {
      tribo_report report;
      claim_ok(simulation_steps(s, 1, &report, err));
      double fallen = start - lab_height_energy(s);
      claim_below(report.kinetic_energy, fallen + 1e-4);
    }
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(towel__stays_on_a_rail_cut_along_its_length),
      cmocka_unit_test(smooth_by_wish__throws_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
