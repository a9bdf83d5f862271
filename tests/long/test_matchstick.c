/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes of Erleben, Macklin, Andrews and Kry 2020, section 5, that take longer.
 */
#include "physics/lab_contact.h"

static simulation *run(const char *name, const char *word, double seconds, double dt) {
  tribo_scene *scene = NULL;
  claim_ok(scenes_make_with(name, &word, 1, &scene, err));
  simulation *s = lab_compile(scene, 1);
  for (int k = 0; k < (int)(seconds / dt + 0.5); k++) {
    tribo_report report = lab_steps(s, 1);
    claim_below(report.max_penetration, 1e-4 * simulation_model(s)->size);
  }
  return s;
}

/* Of the eight blocks of a tower, those that are no longer at their height. */
static int fallen(const simulation *s) {
  int count = 0;
  for (size_t k = 0; k < 8; k++) count += fabs(lab_centre(s, k).z - (0.1 + 0.2 * (double)k)) > 0.05;
  return count;
}

/* The ball flies at the two uppermost blocks but one. */
static void tower__falls_where_blocks_grip_and_loses_its_top_where_they_slip(void **unused) {
  (void)unused;
  simulation *grips = run("tower", "angle=90", 2, 0.005);
  simulation *slips = run("tower", "angle=0", 2, 0.005);
  print_message("fallen: %d blocks, gripping; %d, slipping\n", fallen(grips), fallen(slips));
  assert_true(fallen(grips) >= 6);
  assert_int_equal(fallen(slips), 3);
  simulation_free(grips);
  simulation_free(slips);
}

static int out_of_the_funnel(const simulation *s) {
  int count = 0;
  for (size_t k = 0; k < 24; k++) count += lab_centre(s, k).z < -0.1;
  return count;
}

static void pills__jam_where_walls_are_combed_around_and_flow_where_combed_down(void **unused) {
  (void)unused;
  simulation *around = run("hopper", "down=0", 3, 0.005);
  simulation *down = run("hopper", "down=1", 3, 0.005);
  print_message("out of 24 pills: %d, combed around; %d, combed down\n", out_of_the_funnel(around),
                out_of_the_funnel(down));
  assert_true(out_of_the_funnel(around) <= 8);
  double still = 0;
  for (size_t k = 0; k < 24; k++)
    if (lab_centre(around, k).z > -0.1) still = fmax(still, vec3_norm(lab_velocity(around, k)));
  claim_below(still, 1e-3); /* what is left does not move */
  assert_int_equal(out_of_the_funnel(down), 24);
  simulation_free(around);
  simulation_free(down);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(tower__falls_where_blocks_grip_and_loses_its_top_where_they_slip),
      cmocka_unit_test(pills__jam_where_walls_are_combed_around_and_flow_where_combed_down),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
