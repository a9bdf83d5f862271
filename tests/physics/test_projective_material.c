/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The materials of the method projective beside those of Newton's method: a strip that hangs from
 * its upper edge, and one that sticks out from its clamped end. docs/projective.md has the numbers.
 */
#include "physics/lab_projective.h"

enum { ALONG = 32, ACROSS = 2 };

typedef struct strip {
  double stretch, bend, gravity;
  bool hangs; /* from one edge along its length; otherwise it is clamped at two rows and droops */
} strip;

/* Where the middle of its free end is, at rest. */
static vec3 end_of(const strip *p, int method) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  lab_gravity(scene, p->hangs ? p->gravity : 0, 0, p->hangs ? 0 : -p->gravity);
  tribo_scene_world(scene)->method = method;
  mesh sheet = shape_sheet(ALONG, ACROSS, 0.8, 0.1);
  int32_t held[2 * (ACROSS + 1)];
  size_t count = 0;
  for (int j = 0; j <= ACROSS; j++)
    for (int i = 0; i < (p->hangs ? 1 : 2); i++) held[count++] = j * (ALONG + 1) + i;
  tribo_pin_def pin = {.vertices = held, .vertex_count = count};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "strip";
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.bend = p->bend;
  def.cloth.damping_mass = 6;
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  simulation *s = lab_compile(scene, 1);
  for (int k = 0; k < 40; k++)
    if (lab_steps(s, 50).kinetic_energy < 1e-12) break;
  vec3 end = simulation_state(s)->x[ACROSS / 2 * (ALONG + 1) + ALONG];
  simulation_free(s);
  return end;
}

/* A strip of weight W has stretched by W L / (2 k): by small parts of its length the two methods
 * agree, and Green's strain makes the other one stiffer by 3/2 of its strain. */
static void hanging_strip__stretches_as_with_newtons_method_at_small_strain(void **unused) {
  (void)unused;
  const double strains[] = {0.001, 0.01, 0.1};
  for (int k = 0; k < 3; k++) {
    double weight = 0.2 * 9.81 * 0.8; /* a metre of width */
    strip p = {.stretch = weight / strains[k], .bend = 1e-6, .gravity = 9.81, .hangs = true};
    double ours = end_of(&p, TRIBO_METHOD_PROJECTIVE).x - 0.8;
    double newton = end_of(&p, TRIBO_METHOD_ELASTIC).x - 0.8;
    double formula = 0.5 * strains[k] * 0.8;
    print_message("    strain %.3f: %.5f m, Newton's %.5f m, formula %.5f m: %+.2f%%\n", strains[k],
                  ours, newton, formula, 100 * (ours / newton - 1));
    claim_near(ours, formula, 0.01 * formula);
    claim_near(ours, newton, 1.5 * strains[k] * newton);
  }
}

static void cantilever__droops_as_with_newtons_method(void **unused) {
  (void)unused;
  const double bends[] = {0.1, 0.01};
  for (int k = 0; k < 2; k++) {
    strip p = {.stretch = 1000, .bend = bends[k], .gravity = 0.981};
    double ours = -end_of(&p, TRIBO_METHOD_PROJECTIVE).z;
    double newton = -end_of(&p, TRIBO_METHOD_ELASTIC).z;
    print_message("    bend %.3f: %.4f m, Newton's %.4f m: %+.2f%%\n", bends[k], ours, newton,
                  100 * (ours / newton - 1));
    claim_near(ours, newton, 0.01 * newton);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hanging_strip__stretches_as_with_newtons_method_at_small_strain),
      cmocka_unit_test(cantilever__droops_as_with_newtons_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
