/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Block and cloth on ramps: all resolutions, time steps and angles (tests/physics/lab_ramp.h).
 */
#include "physics/lab_ramp.h"

static const double DTS[] = {0.005, 0.01, 0.02};

static void body__slides_at_0_176_and_sticks_at_0_177_at_any_resolution_and_step(void **unused) {
  (void)unused;
  const int cells[2][3] = {{2, 4, 8}, {5, 10, 20}};
  for (int cloth = 0; cloth < 2; cloth++)
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) {
        ramp_claim_slides(&(ramp_case){cloth, cells[cloth][r], 0.176, 10, DTS[k]});
        ramp_claim_sticks(&(ramp_case){cloth, cells[cloth][r], 0.177, 10, DTS[k]});
      }
}

/* |mu* - tan| < 0.001 */
static void threshold__is_the_tangent_of_the_angle(void **unused) {
  (void)unused;
  const double degrees[] = {5, 10, 20, 30};
  for (int k = 0; k < 4; k++)
    for (int cloth = 0; cloth < 2; cloth++) {
      double found = ramp_threshold((ramp_case){cloth, cloth ? 10 : 4, 0, degrees[k], 0.01});
      claim_near(found, tan(degrees[k] * LAB_PI / 180), 0.001);
    }
}

static void what_sticks__does_not_creep(void **unused) {
  (void)unused;
  for (int cloth = 0; cloth < 2; cloth++) {
    ramp_case c = {cloth, cloth ? 20 : 4, 0.18, 10, 0.01};
    simulation *s = ramp_start(&c);
    lab_settle(s, 1e-16, 1000);
    claim_below(ramp_creep(s, c.dt), 1e-6);
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(body__slides_at_0_176_and_sticks_at_0_177_at_any_resolution_and_step),
      cmocka_unit_test(threshold__is_the_tangent_of_the_angle),
      cmocka_unit_test(what_sticks__does_not_creep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
