/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies at rest against closed formulas: beam, catenary, springs; and that a turned world gives
 * the turned result.
 */
#include "lab.h"

/* Sag of the middle of the free end's face. */
static double cantilever_sag(int resolution, double young, double poisson, double gravity) {
  tribo_scene *scene = NULL;
  claim_ok(scene_cantilever(resolution, &scene, err));
  tribo_object_def *bar = (tribo_object_def *)tribo_scene_object(scene, 0);
  bar->solid.young = young;
  bar->solid.poisson = poisson;
  bar->solid.damping_stiffness = 0;
  lab_gravity(scene, 0, 0, -gravity);
  lab_time(scene, 100); /* so long a step is as good as a static solve */
  tribo_scene_solver(scene)->tolerance = 1e-9;
  simulation *s = lab_simulation(scene);
  lab_steps(s, 3);
  const model *m = simulation_model(s);
  double sag = 0;
  int count = 0;
  for (int32_t i = 0; i < m->node_count; i++)
    if (m->rest[i].x > 1 - 1e-9) {
      sag += m->rest[i].z - simulation_state(s)->x[i].z;
      count++;
    }
  simulation_free(s);
  return sag / count;
}

/* A uniform load w on a cantilever of length L: w L^4 / (8 E I), and w L^2 / (2 k G A) for shear
 * (Timoshenko, k = 5/6 for a rectangle; without Poisson's effect, which the clamp would hinder).
 * Linear tets are too stiff in bending, and the error falls with the square of the mesh width; so
 * it must fall under refinement, and the value extrapolated from the two finest meshes must be the
 * beam's. */
static void cantilever__converges_to_beam_theory(void **unused) {
  (void)unused;
  double young = 1e6, gravity = 0.02, side = 0.1;
  double load = 1000 * gravity * side * side, inertia = pow(side, 4) / 12;
  for (int k = 0; k < 2; k++) {
    double poisson = k ? 0.3 : 0, shear = young / (2 * (1 + poisson)), sag[3];
    double beam = load / (8 * young * inertia) + load / (2 * 5.0 / 6.0 * shear * side * side);
    for (int i = 0; i < 3; i++) sag[i] = cantilever_sag(2 << i, young, poisson, gravity);
    double limit = sag[2] + (sag[2] - sag[1]) / 3;
    print_message("Poisson %.1f: tip %.4f %.4f %.4f of beam theory, extrapolated %.4f\n", poisson,
                  sag[0] / beam, sag[1] / beam, sag[2] / beam, limit / beam);
    for (int i = 0; i < 2; i++) assert_true(fabs(sag[i + 1] - beam) < 0.5 * fabs(sag[i] - beam));
    /* At 0.3 the meshes are not fine enough for the extrapolation: it is 2.6% short. */
    if (poisson == 0) claim_near(limit / beam, 1, 0.02);
  }
}

/* A rope of length l between two points a span d apart hangs as z = a cosh(x / a) with
 * 2 a sinh(d / 2a) = l. */
static double catenary_parameter(double length, double span) {
  double low = span / 50, high = 50 * span;
  for (int i = 0; i < 200; i++) {
    double a = sqrt(low * high);
    if (2 * a * sinh(span / (2 * a)) > length)
      low = a;
    else
      high = a;
  }
  return low;
}

static void hanging_strip__is_a_catenary(void **unused) {
  (void)unused;
  enum { COLUMNS = 120 };
  double span = 1, depth = 0.45;
  mesh strip = shape_sheet(COLUMNS, 1, span, 0.02);
  /* Start from a parabola, far from the catenary where it matters. */
  for (size_t v = 0; v < strip.vertex_count; v++) {
    double x = strip.positions[3 * v] - span / 2;
    strip.positions[3 * v + 2] = depth * (4 * x * x / (span * span) - 1);
  }
  double length = 0;
  for (int i = 0; i < COLUMNS; i++)
    length += hypot(strip.positions[3 * i + 3] - strip.positions[3 * i],
                    strip.positions[3 * i + 5] - strip.positions[3 * i + 2]);
  int32_t ends[4] = {0, COLUMNS, COLUMNS + 1, 2 * COLUMNS + 1};
  tribo_pin_def pin = {.vertices = ends, .vertex_count = 4, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "strip";
  def.cloth.stretch = 1e5;
  def.cloth.shear = 1e4;
  def.cloth.bend = 0;
  def.pins = &pin;
  def.pin_count = 1;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.1);
  claim_ok(scenes_add(scene, def, &strip, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_settle(s, 1e-14, 3000);

  double a = catenary_parameter(length, span), worst = 0;
  const state *now = simulation_state(s);
  for (size_t i = 0; i <= COLUMNS; i++) {
    double x = now->x[i].x - span / 2;
    worst = fmax(worst, fabs(now->x[i].z - a * (cosh(x / a) - cosh(span / (2 * a)))));
  }
  double sag = a * (cosh(span / (2 * a)) - 1);
  print_message("worst distance from the catenary: %.2e of its sag\n", worst / sag);
  claim_below(worst, 2e-3 * sag);
  simulation_free(s);
}

/* A block that hangs on soft pins stretches them by m g / (n k). */
static void soft_pins__carry_the_weight(void **unused) {
  (void)unused;
  double stiffness = 50;
  mesh block = shape_block(1, 1, 1, 0.1, 0.1, 0.1);
  int32_t top[4] = {4, 5, 6, 7};
  tribo_pin_def pin = {.vertices = top, .vertex_count = 4, .params = {.stiffness = stiffness}};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.solid.young = 1e7;
  def.pins = &pin;
  def.pin_count = 1;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1);
  tribo_scene_solver(scene)->tolerance = 1e-12;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_settle(s, 1e-22, 500);
  double sag = 0;
  for (int i = 0; i < 4; i++) sag += 0.1 - simulation_state(s)->x[top[i]].z;
  claim_near(sag / 4, lab_mass(s) * 9.81 / (4 * stiffness), 1e-8);
  simulation_free(s);
}

static void turn(const mat3 *r, double *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    vec3 p = mat3_mul_vec3(r, vec3_from(points + 3 * i));
    memcpy(points + 3 * i, &p, sizeof p);
  }
}

/* A banner held at its top edge: cloth under tension, where small errors stay small. (Cloth under
 * compression buckles, and a buckle's side is decided by the last bit.) */
static tribo_status add_banner(tribo_scene *scene, tribo_error *err) {
  enum { COLUMNS = 8, ROWS = 12 };
  mesh sheet = shape_sheet(COLUMNS, ROWS, 0.4, 0.6);
  for (size_t v = 0; v < sheet.vertex_count; v++) {
    sheet.positions[3 * v + 2] = sheet.positions[3 * v + 1] + 1;
    sheet.positions[3 * v + 1] = 0;
  }
  int32_t top[COLUMNS + 1];
  for (int i = 0; i <= COLUMNS; i++) top[i] = ROWS * (COLUMNS + 1) + i;
  tribo_pin_def pin = {
      .vertices = top, .vertex_count = COLUMNS + 1, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "banner";
  def.object.drag = 1.2;
  def.cloth.stretch_weft = 700;
  def.pins = &pin;
  def.pin_count = 1;
  return scenes_add(scene, def, &sheet, NULL, err);
}

/* Gravity, wind and the cloth's threads turn along with everything else. */
static void turned_world__gives_the_turned_motion(void **unused) {
  (void)unused;
  mat3 r = {
      {{2.0 / 3, -1.0 / 3, 2.0 / 3}, {2.0 / 3, 2.0 / 3, -1.0 / 3}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}}};
  simulation *s[2];
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = NULL;
    claim_ok(scene_cantilever(2, &scene, err));
    claim_ok(add_banner(scene, err));
    ((tribo_object_def *)tribo_scene_object(scene, 0))->solid.young = 1e5;
    tribo_scene_world(scene)->wind[1] = 5;
    tribo_scene_solver(scene)->tolerance = 1e-11;
    if (k == 1) {
      turn(&r, tribo_scene_world(scene)->gravity, 1);
      turn(&r, tribo_scene_world(scene)->wind, 1);
      for (size_t o = 0; o < tribo_scene_object_count(scene); o++) {
        tribo_object_def *def = (tribo_object_def *)tribo_scene_object(scene, o);
        turn(&r, (double *)def->positions, def->vertex_count);
        turn(&r, def->cloth.warp_axis, 1);
      }
    }
    s[k] = lab_simulation(scene);
    lab_steps(s[k], 40);
  }
  double worst = 0, moved = 0;
  for (size_t i = 0; i < simulation_state(s[0])->node_count; i++) {
    vec3 turned = mat3_mul_vec3(&r, simulation_state(s[0])->x[i]);
    worst = fmax(worst, vec3_max_abs(vec3_sub(turned, simulation_state(s[1])->x[i])));
    moved =
        fmax(moved,
             vec3_max_abs(vec3_sub(simulation_state(s[0])->x[i], simulation_model(s[0])->rest[i])));
  }
  print_message("moved %.3f m, turned worlds differ by %.2e m\n", moved, worst);
  assert_true(moved > 0.1);
  claim_below(worst, 1e-8);
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever__converges_to_beam_theory),
      cmocka_unit_test(hanging_strip__is_a_catenary),
      cmocka_unit_test(soft_pins__carry_the_weight),
      cmocka_unit_test(turned_world__gives_the_turned_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
