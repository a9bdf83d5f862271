/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "core/model/closed.h"
#include "tribo/sim.h"

/* A collider far away and, after it, a brick that spins about z as it falls. */
static tribo_sim *make_sim(closed *brick) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  closed *wall = closed_box(1, 1, 1);
  closed_move(wall, quat_identity(), vec3_make(90, 0, 0));
  tribo_object_def behind = closed_object(wall, "wall"), spins = closed_object(brick, "brick");
  behind.kind = TRIBO_COLLIDER;
  spins.object.spin[2] = 2;
  claim_ok(tribo_scene_add(scene, &behind, NULL, err));
  claim_ok(tribo_scene_add(scene, &spins, NULL, err));
  tribo_scene_time(scene)->fps = 10;
  tribo_scene_time(scene)->substeps = 1;
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, NULL, &sim, err));
  tribo_scene_free(scene);
  free(wall);
  return sim;
}

static void objects__are_the_simulated_ones_with_their_vertices_in_the_world(void **state) {
  (void)state;
  closed *brick = closed_box(0.1, 0.2, 0.3);
  closed_move(brick, quat_identity(), vec3_make(1, 2, 3));
  tribo_sim *sim = make_sim(brick);
  assert_int_equal(tribo_sim_object_count(sim), 1);
  assert_string_equal(tribo_sim_object_name(sim, 0), "brick");
  assert_int_equal(tribo_sim_vertex_count(sim, 0), 8);
  assert_null(tribo_sim_positions(sim, 1));
  assert_null(tribo_sim_velocities(sim, 1));
  for (int i = 0; i < 24; i++)
    claim_near(tribo_sim_positions(sim, 0)[i], brick->positions[i], 1e-15);

  /* A step of 0.1 s: fallen by h^2 g, turned by 0.2 about the middle at (1, 2). */
  tribo_report report;
  uint64_t hash = tribo_sim_hash(sim);
  claim_ok(tribo_sim_frame(sim, &report, err));
  assert_true(tribo_sim_hash(sim) != hash);
  for (int i = 0; i < 8; i++) {
    const double *was = brick->positions + 3 * i, *is = tribo_sim_positions(sim, 0) + 3 * i;
    const double *v = tribo_sim_velocities(sim, 0) + 3 * i;
    double x = was[0] - 1, y = was[1] - 2;
    claim_near(is[0], 1 + cos(0.2) * x - sin(0.2) * y, 1e-14);
    claim_near(is[1], 2 + sin(0.2) * x + cos(0.2) * y, 1e-14);
    claim_near(is[2], was[2] - 0.0981, 1e-14);
    claim_near(v[0], -2 * (is[1] - 2), 1e-13);
    claim_near(v[1], 2 * (is[0] - 1), 1e-13);
    claim_near(v[2], -0.981, 1e-13);
  }
  /* 6 kg; moment m (a^2 + b^2) / 12. */
  claim_near(report.kinetic_energy, 0.5 * 6 * 0.981 * 0.981 + 0.5 * 6 * 0.05 / 12 * 4, 1e-12);
  tribo_sim_free(sim);
  free(brick);
}

static void contacts__are_none_in_free_flight(void **state) {
  (void)state;
  closed *brick = closed_box(0.1, 0.2, 0.3);
  tribo_sim *sim = make_sim(brick);
  claim_ok(tribo_sim_frame(sim, NULL, err));
  size_t count = 7;
  tribo_sim_contacts(sim, &count);
  assert_int_equal(count, 0);
  tribo_sim_contacts(sim, NULL);
  tribo_sim_free(sim);
  free(brick);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects__are_the_simulated_ones_with_their_vertices_in_the_world),
      cmocka_unit_test(contacts__are_none_in_free_flight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
