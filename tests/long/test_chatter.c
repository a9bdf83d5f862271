/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stool that slides down a ramp on its legs (Larionov, Fan and Pai 2021, Fig. 8): its elasticity
 * shifts the pressure between front and hind legs, and legs stick and slip in turns.
 */
#include "claims.h" /* first: its parameters are called state */

#include "scenes/scenes_contact.h"
#include "tribo/sim.h"

enum { LEGS = 4 }; /* hind left, front left, hind right, front right */

typedef struct leg_report {
  double push; /* sum of the normal impulses, N s */
  double slip; /* of its fastest vertex that pushes, m/s */
} leg_report;

typedef struct stool_report {
  double centre[3], velocity[3]; /* means over the vertices */
  leg_report legs[LEGS];
} stool_report;

static stool_report look(const tribo_sim *sim) {
  stool_report r = {0};
  size_t vertices = tribo_sim_vertex_count(sim, 0), count;
  const double *x = tribo_sim_positions(sim, 0), *v = tribo_sim_velocities(sim, 0);
  for (size_t i = 0; i < 3 * vertices; i++) {
    r.centre[i % 3] += x[i] / (double)vertices;
    r.velocity[i % 3] += v[i] / (double)vertices;
  }
  const tribo_contact *contacts = tribo_sim_contacts(sim, &count);
  for (const tribo_contact *c = contacts; c < contacts + count; c++) {
    leg_report *leg = &r.legs[(c->position[0] > r.centre[0]) + 2 * (c->position[1] > r.centre[1])];
    double push = 0, slip = 0;
    for (int a = 0; a < 3; a++) {
      push += c->impulse[a] * c->normal[a];
      slip += c->slip[a] * c->slip[a];
    }
    if (push <= 0) continue;
    leg->push += push;
    leg->slip = fmax(leg->slip, sqrt(slip));
  }
  return r;
}

/* While the stool moves at more than 0.02 m/s, how often a hind leg comes to a stop and lets go
 * again; afterwards, that it stands. */
static void the_hind_legs_of_a_sliding_stool_stick_and_slip_in_turns(void **state) {
  (void)state;
  const char *const words[] = {"cells=8", "speed=0.3"};
  tribo_scene *scene = NULL;
  tribo_sim *sim = NULL;
  claim_ok(scenes_make_with("stool_chatter", words, 2, &scene, err));
  claim_ok(tribo_sim_create(scene, NULL, &sim, err));
  tribo_scene_free(scene);
  int let_go[LEGS] = {0}, stuck_steps[LEGS] = {0};
  bool stuck[LEGS] = {false};
  double deepest = 0;
  stool_report now = look(sim);
  while (tribo_sim_time(sim) < 2.5) {
    tribo_report report;
    claim_ok(tribo_sim_step(sim, &report, err));
    claim_solved(report);
    deepest = fmax(deepest, report.max_penetration);
    now = look(sim);
    for (int k = 0; k < LEGS && now.velocity[0] > 0.02; k++) {
      bool sticks = now.legs[k].push > 0 && now.legs[k].slip < 1e-4;
      stuck_steps[k] += sticks;
      let_go[k] += stuck[k] && !sticks;
      stuck[k] = sticks;
    }
  }
  for (int k = 0; k < LEGS; k++)
    print_message("    leg %d: let go %d times, stuck for %.2f s\n", k, let_go[k],
                  0.0003 * stuck_steps[k]);
  print_message("    %.1e m deep\n", deepest);
  assert_true(let_go[0] >= 3 && let_go[2] >= 3);
  claim_near(now.velocity[0], 0, 0.02); /* it stands, and sways */
  claim_below(deepest, 1e-4 * 0.46);
  tribo_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(the_hind_legs_of_a_sliding_stool_stick_and_slip_in_turns),
  };
  return cmocka_run_group_tests_name("chatter", claims, NULL, NULL);
}
