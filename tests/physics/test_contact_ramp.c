/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Block and cloth on a ramp against Coulomb's law. tests/long/test_ramp.c has all resolutions, time
 * steps and angles; here are those that are quick.
 */
#include "physics/lab_ramp.h"
#include "scenes/scenes_parts.h"

/* tan 10 degrees = 0.17633 lies between. */
static void cloth__slides_at_0_176_and_sticks_at_0_177_on_10_degrees(void **unused) {
  (void)unused;
  const int cells[] = {4, 8};
  const double dts[] = {0.02, 0.01};
  for (int k = 0; k < 2; k++) {
    ramp_claim_slides(&(ramp_case){true, cells[k], 0.176, 10, dts[k]});
    ramp_claim_sticks(&(ramp_case){true, cells[k], 0.177, 10, dts[k]});
  }
}

static void block__slides_at_0_176_and_sticks_at_0_177_on_10_degrees(void **unused) {
  (void)unused;
  const int cells[] = {2, 3};
  const double dts[] = {0.01, 0.02};
  for (int k = 0; k < 2; k++) {
    ramp_claim_slides(&(ramp_case){false, cells[k], 0.176, 10, dts[k]});
    ramp_claim_sticks(&(ramp_case){false, cells[k], 0.177, 10, dts[k]});
  }
}

/* |mu* - tan| < 0.001 */
static void threshold__is_the_tangent_of_the_angle(void **unused) {
  (void)unused;
  const double degrees[] = {5, 30};
  for (int k = 0; k < 2; k++)
    for (int cloth = 0; cloth < 2; cloth++) {
      double found = ramp_threshold((ramp_case){cloth, 2, 0, degrees[k], 0.02});
      claim_near(found, tan(degrees[k] * LAB_PI / 180), 0.001);
    }
}

/* What rests, or slides steadily, goes on with the forces it has: no step in 100 is solved at rest,
 * which is then rest to the last bit, and one in ten at most while it slides, with the way of
 * backward Euler, a h^2 n (n + 1) / 2, all the same. */
static void what_goes_on__goes_where_solving_would_lead(void **unused) {
  (void)unused;
  enum { STEPS = 100 };
  ramp_case rests = {true, 6, 0.177, 10, 0.01};
  simulation *s = ramp_start(&rests);
  lab_steps(s, 5);
  double place = ramp_place(s, &rests);
  assert_int_equal(lab_steps(s, STEPS).newton_iterations, 0);
  claim_near(ramp_place(s, &rests), place, 0);
  claim_near(ramp_speed(s, &rests), 0, 0);
  simulation_free(s);
  const double mus[] = {0.176, 0.1};
  for (int k = 0; k < 2; k++) {
    ramp_case c = {true, 6, mus[k], 10, 0.01};
    s = ramp_start(&c);
    place = ramp_place(s, &c);
    int solved = lab_steps(s, STEPS).newton_iterations;
    assert_true(solved > 0 && solved <= STEPS / 10);
    double way = ramp_coulomb(&c) * c.dt * c.dt * STEPS * (STEPS + 1) / 2;
    claim_near(ramp_place(s, &c) - place, way, 1e-6 * way);
    simulation_free(s);
  }
}

/* Within 1%, from no friction at all to nearly sticking. */
static void sliding__accelerates_by_coulombs_formula(void **unused) {
  (void)unused;
  const double mus[] = {0, 0.1, 0.3};
  for (int k = 0; k < 3; k++)
    for (int cloth = 0; cloth < 2; cloth++)
      ramp_claim_slides(&(ramp_case){cloth, 2, mus[k], 20, 0.01});
}

/* Below 1e-6 m a second, over 1,000 steps. */
static void what_sticks__does_not_creep(void **unused) {
  (void)unused;
  for (int cloth = 0; cloth < 2; cloth++) {
    ramp_case c = {cloth, cloth ? 6 : 2, 0.4, 10, 0.01};
    simulation *s = ramp_start(&c);
    lab_settle(s, 1e-16, 400);
    claim_below(ramp_creep(s, c.dt), 1e-6);
    simulation_free(s);
  }
}

/* A rigid box that touches with more vertices than it has freedoms, in steps so short that rounding
 * of a gap is a force worth mention. */
static void rigid_box__slides_by_coulombs_formula_in_short_steps(void **unused) {
  (void)unused;
  const double dts[] = {0.01, 0.001, 0.0002};
  for (int k = 0; k < 3; k++) {
    ramp_case c = {false, 2, 0.3, 30, dts[k]};
    tribo_scene *scene;
    claim_ok(scenes_start(c.dt, 1, &scene, err));
    mesh block = shape_block(2, 2, 1, 0.2, 0.2, 0.05), box = shape_skin(&block);
    mesh_free(&block);
    shape_turn(&box, 1, c.degrees * LAB_PI / 180);
    tribo_object_def def = tribo_object_default(TRIBO_RIGID);
    def.name = "box";
    claim_ok(scenes_add(scene, def, &box, NULL, err));
    claim_ok(scenes_add_ramp(scene, "ramp", c.degrees * LAB_PI / 180, -1, 5, 1, err));
    claim_ok(scenes_set_mu(scene, "box", "ramp", c.mu, err));
    simulation *s = lab_simulation(scene);
    lab_steps(s, 100);
    claim_near(ramp_speed(s, &c), 100 * c.dt * ramp_coulomb(&c),
               1e-3 * 100 * c.dt * ramp_coulomb(&c));
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__slides_at_0_176_and_sticks_at_0_177_on_10_degrees),
      cmocka_unit_test(block__slides_at_0_176_and_sticks_at_0_177_on_10_degrees),
      cmocka_unit_test(threshold__is_the_tangent_of_the_angle),
      cmocka_unit_test(sliding__accelerates_by_coulombs_formula),
      cmocka_unit_test(what_goes_on__goes_where_solving_would_lead),
      cmocka_unit_test(what_sticks__does_not_creep),
      cmocka_unit_test(rigid_box__slides_by_coulombs_formula_in_short_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
