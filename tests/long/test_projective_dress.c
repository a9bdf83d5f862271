/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dress and a gown of three skirts at mid size, through the first turn of the dance.
 */
#include "physics/lab_dress.h"

static worn mid_dress(double mu) {
  scene_dress_params p = scene_dress_defaults();
  p.mu = mu, p.size = 0.025, p.dt = 0.004, p.seconds = 2;
  return wear(p);
}

/* The cloth keeps 7 mm from the skin, in the gown 9 mm; a depth of half of that is still outside of
 * her. */
static void a_dress_stays_where_it_was_put_on_through_a_turn_at_0_6(void **unused) {
  (void)unused;
  worn w = mid_dress(0.6);
  while (w.step < 375) {
    dance_step(&w);
    if (w.step % 5 == 0) assert_int_equal(crossing_count(w.s), 0);
    if (w.step % 75 != 0) continue;
    worn_print(&w);
    claim_below(worn_strayed(&w, WORN_STRAPS), 0.03);
    claim_below(worn_strayed(&w, WORN_BODICE), 0.06);
    claim_below(0.005, worn_clearance(&w, 7));
  }
  claim_below(w.deepest, 1e-3);
  take_off(&w);
}

static void a_dress_slides_through_a_turn_without_friction(void **unused) {
  (void)unused;
  worn w = mid_dress(0);
  double straps = 0, bodice = 0;
  while (w.step < 375) {
    dance_step(&w);
    if (w.step % 5 == 0) assert_int_equal(crossing_count(w.s), 0);
    if (w.step % 75 != 0) continue;
    worn_print(&w);
    straps = fmax(straps, worn_strayed(&w, WORN_STRAPS));
    bodice = fmax(bodice, worn_strayed(&w, WORN_BODICE));
    claim_below(0.004, worn_clearance(&w, 7));
  }
  claim_below(0.04, straps); /* with friction they are 15 and 44 mm off at most */
  claim_below(0.08, bodice);
  claim_below(w.deepest, 3.5e-3);
  take_off(&w);
}

/* At every frame, which has two steps. */
static void no_skirt_of_a_gown_passes_another_while_she_turns(void **unused) {
  (void)unused;
  worn w = wear(worn_gown(0.035, 0.006, 0.005));
  while (w.step < 200) {
    dance_step(&w);
    if (w.step % 2 == 0) assert_int_equal(crossing_count(w.s), 0);
    if (w.step % 50 == 0) worn_print(&w);
  }
  claim_below(w.deepest, 4.5e-3);
  take_off(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dress_stays_where_it_was_put_on_through_a_turn_at_0_6),
      cmocka_unit_test(a_dress_slides_through_a_turn_without_friction),
      cmocka_unit_test(no_skirt_of_a_gown_passes_another_while_she_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
