/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three sheets of cloth on a sphere, with the method projective, until they lie still.
 */
#include "physics/lab_crossing.h"
#include "physics/lab_projective.h"

/* How far a vertex gets off its way in a step, at most: h times the change of its velocity. */
static double jump(const state *before, const simulation *s, double dt) {
  double most = 0;
  for (size_t i = 0; i < before->node_count; i++)
    most = fmax(most, dt * vec3_norm(vec3_sub(simulation_state(s)->v[i], before->v[i])));
  return most;
}

/* At every frame of 2.5 s. */
static void three_sheets_on_a_sphere__settle_without_popping_and_none_passes(void **unused) {
  (void)unused;
  const double dt = 0.005;
  simulation *s = projective_stack(14, 0.015, 20, 1);
  double calm = 0;
  tribo_report report = {0};
  for (int step = 0; step < 500; step++) {
    state before = lab_copy(s);
    report = lab_steps(s, 1);
    if (step >= 400) calm = fmax(calm, jump(&before, s, dt));
    state_free(&before);
    if (step % 2 == 1) assert_int_equal(crossing_count(s), 0);
  }
  print_message("    from 2 s on: at most %.2f mm off the way in a step; %.2e J\n", 1e3 * calm,
                report.kinetic_energy);
  claim_below(calm, 0.1 * 0.015); /* of the thickness */
  claim_below(report.kinetic_energy, 0.02 * 4.5 * LAB_G * 0.01);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_sheets_on_a_sphere__settle_without_popping_and_none_passes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
