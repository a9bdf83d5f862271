/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigid bodies on rigid bodies: what should stand stands, to far less than a step may leave.
 */
#include "physics/lab_contact.h"

/* How far any vertex is from where it started. */
static double moved(const simulation *s, const vec3 *start) {
  double worst = 0;
  for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
    worst = fmax(worst, vec3_norm(vec3_sub(simulation_positions(s)[v], start[v])));
  return worst;
}

/* The stack after some seconds: how far a vertex went, in parts of a block. */
static double drift_of(const scene_stack_params *p, double seconds) {
  tribo_scene *scene = NULL;
  claim_ok(scene_stack(p, &scene, err));
  simulation *s = lab_compile(scene, 1);
  size_t bytes = (size_t)simulation_model(s)->vertex_count * sizeof(vec3);
  vec3 *start = malloc(bytes);
  assert_non_null(start);
  memcpy(start, simulation_positions(s), bytes);
  double deepest = 0;
  for (int k = 0; k < (int)(seconds / p->dt + 0.5); k++)
    deepest = fmax(deepest, lab_steps(s, 1).max_penetration);
  double worst = moved(s, start) / p->size;
  print_message("%2.0f blocks, %g cells, %s, shift %g turn %g taper %g: moved by %.3g of a block\n",
                p->blocks, p->cells, p->box > 0 ? "box" : "mesh", p->shift, p->turn, p->taper,
                worst);
  claim_below(deepest, 1e-5 * p->size);
  free(start);
  simulation_free(s);
  return worst;
}

/* Flush, corner on corner: the sides of the neighbour are as near as the face below. */
static void stack_of_three__stays_still(void **unused) {
  (void)unused;
  for (int box = 0; box < 2; box++)
    for (int cells = 1; cells < 4; cells++) {
      scene_stack_params p = scene_stack_defaults();
      p.blocks = 3, p.box = box, p.cells = cells;
      claim_below(drift_of(&p, 1), 1e-6);
    }
}

static void stack_of_ten__stays_still_for_ten_seconds(void **unused) {
  (void)unused;
  scene_stack_params p = scene_stack_defaults();
  claim_below(drift_of(&p, 10), 1e-6);
}

/* Every second block a quarter aside; and each turned against the one below, so that at 45 degrees
 * no corner is over a face, only edges cross. */
static void blocks_laid_aside_and_across__stay_still(void **unused) {
  (void)unused;
  scene_stack_params p = scene_stack_defaults();
  p.shift = 0.05;
  claim_below(drift_of(&p, 2), 1e-6);
  p.shift = 0, p.cells = 1, p.turn = 45;
  claim_below(drift_of(&p, 2), 1e-6);
  p.turn = 10;
  claim_below(drift_of(&p, 2), 1e-6);
}

/* Corners of the lower block touch, or of the upper one: both must be felt. */
static void pyramid__stands_on_its_base_and_on_its_tip(void **unused) {
  (void)unused;
  scene_stack_params p = scene_stack_defaults();
  p.blocks = 6, p.cells = 1, p.taper = -0.02;
  claim_below(drift_of(&p, 2), 1e-6);
  p.taper = 0.02;
  claim_below(drift_of(&p, 2), 1e-6);
}

/* More than half of the second block hangs over: it tips. */
static void block_beyond_its_balance__falls(void **unused) {
  (void)unused;
  scene_stack_params p = scene_stack_defaults();
  p.blocks = 2, p.shift = 0.12;
  assert_true(drift_of(&p, 1) > 0.5);
  p.shift = 0.08;
  claim_below(drift_of(&p, 1), 1e-6);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(stack_of_three__stays_still),
      cmocka_unit_test(stack_of_ten__stays_still_for_ten_seconds),
      cmocka_unit_test(blocks_laid_aside_and_across__stay_still),
      cmocka_unit_test(pyramid__stands_on_its_base_and_on_its_tip),
      cmocka_unit_test(block_beyond_its_balance__falls),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
