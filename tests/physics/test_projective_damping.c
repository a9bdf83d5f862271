/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damping in proportion to stiffness in the method projective: what swings comes to rest as with
 * Newton's method, what turns goes on turning.
 */
#include "physics/lab_projective.h"

enum { ALONG = 16, STEPS = 240 };

/* A bar or strip that sticks out, let go. */
static simulation *let_go(tribo_kind kind, double damping, int method) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.00125);
  lab_gravity(scene, 0, 0, -1); /* it bends little: both methods have the same material then */
  tribo_scene_world(scene)->method = method;
  tribo_scene_solver(scene)->projective_iterations = 60;
  tribo_scene_solver(scene)->tolerance = 1e-8;
  bool cloth = kind == TRIBO_CLOTH;
  mesh m = cloth ? shape_sheet(ALONG, 2, 0.4, 0.05) : shape_block(ALONG / 2, 2, 2, 0.8, 0.2, 0.2);
  tribo_object_def def = tribo_object_default(kind);
  def.name = "bar";
  def.cloth.stretch = 2000;
  def.cloth.shear = 600;
  def.cloth.bend = 0.02;
  def.cloth.damping_stiffness = def.solid.damping_stiffness = damping;
  def.solid.young = 3e5;
  def.solid.poisson = 0.3;
  int32_t held[64];
  size_t count = 0;
  for (size_t i = 0; i < m.vertex_count; i++)
    if (m.positions[3 * i] < (cloth ? 0.03 : 0.01)) held[count++] = (int32_t)i;
  tribo_pin_def pin = {.vertices = held, .vertex_count = count, .params = tribo_pin_defaults()};
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
  return lab_compile(scene, 1);
}

static double low_end(const simulation *s) {
  const state *now = simulation_state(s);
  double low = 0;
  for (size_t i = 0; i < now->node_count; i++) low = fmin(low, now->x[i].z);
  return low;
}

/* How far it swings up and down in the second half of the time. */
static double swing(tribo_kind kind, double damping, int method) {
  simulation *s = let_go(kind, damping, method);
  double low = 0, high = -1;
  for (int i = 0; i < 2 * STEPS; i++) {
    lab_steps(s, 1);
    if (i < STEPS) continue;
    low = fmin(low, low_end(s));
    high = fmax(high, low_end(s));
  }
  simulation_free(s);
  return high - low;
}

/* Newton's method has the Hessian of the start of a step, which resists turning within it a little:
 * hence the short steps. */
static void what_swings__comes_to_rest_as_with_newtons_method(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    tribo_kind kind = k ? TRIBO_SOLID : TRIBO_CLOTH;
    double free = swing(kind, 0, TRIBO_METHOD_PROJECTIVE);
    const double dampings[] = {0.01, 0.03, 0.1};
    for (int j = 0; j < 3; j++) {
      double ours = swing(kind, dampings[j], TRIBO_METHOD_PROJECTIVE);
      double newton = swing(kind, dampings[j], TRIBO_METHOD_ELASTIC);
      print_message(
          "    %s, %g s: swings %.3f mm, with Newton's method %.3f mm, undamped %.3f mm\n",
          k ? "bar" : "strip", dampings[j], 1e3 * ours, 1e3 * newton, 1e3 * free);
      claim_near(ours, newton, 0.03 * free);
      claim_below(ours, 0.95 * free);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_swings__comes_to_rest_as_with_newtons_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
