/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A coarse dress, and a coarse gown of three skirts, on a dancer, with the method projective.
 */
#include "physics/lab_dress.h"

static scene_dress_params coarse_dress(double mu) {
  scene_dress_params p = scene_dress_defaults();
  p.mu = mu, p.size = 0.045, p.dt = 0.005, p.seconds = 1, p.iterations = 20;
  return p;
}

/* The cloth keeps 7 mm from the skin: its own thickness and that of the body. The straps stretch by
 * a third under the weight of the skirt, of Table 1's 4 N/m, and that is what the bodice sinks. */
static void a_dress_stays_where_it_was_put_on_at_0_6(void **unused) {
  (void)unused;
  worn w = wear(coarse_dress(0.6));
  while (w.step < 180) {
    dance_step(&w);
    if (w.step % 60 != 0) continue;
    worn_print(&w);
    claim_below(worn_strayed(&w, WORN_STRAPS), 0.02);
    claim_below(worn_strayed(&w, WORN_BODICE), 0.045);
    claim_below(0.006, worn_clearance(&w, 5));
  }
  claim_below(w.deepest, 1.5e-3);
  take_off(&w);
}

/* What is deep in the 7 mm, where a strap hangs over the edges of the shoulder, is what 20
 * iterations leave: with 200 it is gone. */
static void a_dress_keeps_its_distance_when_it_is_solved(void **unused) {
  (void)unused;
  scene_dress_params p = coarse_dress(0.6);
  p.iterations = 200;
  worn w = wear(p);
  while (w.step < 36) dance_step(&w);
  claim_below(w.deepest, 1e-4);
  take_off(&w);
}

static void a_dress_slides_without_friction(void **unused) {
  (void)unused;
  worn w = wear(coarse_dress(0));
  while (w.step < 160) dance_step(&w);
  worn_print(&w);
  claim_below(0.05, worn_strayed(&w, WORN_STRAPS));
  claim_below(0.06, worn_strayed(&w, WORN_BODICE));
  claim_below(0.005, worn_clearance(&w, 5));
  claim_below(w.deepest, 2e-3);
  take_off(&w);
}

/* Skirts fall on each other, and the dance begins at 0.3 s. Counted at every second step. */
static void no_skirt_of_a_gown_passes_another(void **unused) {
  (void)unused;
  worn w = wear(worn_gown(0.05, 0.008, 0.005));
  while (w.step < 76) {
    dance_step(&w);
    if (w.step % 2 == 0) assert_int_equal(crossing_count(w.s), 0);
  }
  claim_below(w.deepest, 5.5e-3); /* half of the 11 mm that the cloth keeps: outside of her */
  take_off(&w);
}

/* Until the skirt touches itself, which forwarding does not mind. */
static void the_dress_moves_as_with_forwarding(void **unused) {
  (void)unused;
  scene_dress_params p = coarse_dress(0.6);
  p.size = 0.07, p.iterations = 50;
  worn fast = wear(p);
  p.projective = 0;
  worn exact = wear(p);
  for (int k = 0; k < 20; k++) {
    dance_step(&fast);
    dance_step(&exact);
  }
  const vec3 *x = simulation_positions(fast.s), *y = simulation_positions(exact.s);
  int32_t count = simulation_model(fast.s)->node_count;
  double off = 0, way = 0;
  for (int32_t i = 0; i < count; i++) {
    off += vec3_norm(vec3_sub(x[i], y[i])) / count;
    way += vec3_norm(vec3_sub(y[i], exact.start[i])) / count;
  }
  print_message("    %d vertices, 0.1 s: %.3f mm apart in the mean, on a way of %.1f mm\n", count,
                1e3 * off, 1e3 * way);
  claim_below(off, 0.02 * way);
  take_off(&fast);
  take_off(&exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dress_stays_where_it_was_put_on_at_0_6),
      cmocka_unit_test(a_dress_keeps_its_distance_when_it_is_solved),
      cmocka_unit_test(a_dress_slides_without_friction),
      cmocka_unit_test(no_skirt_of_a_gown_passes_another),
      cmocka_unit_test(the_dress_moves_as_with_forwarding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
