/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts of rigid bodies are solved on those that bear or would be inside: the answer is one of
 * all contacts, and those that are far away cost nothing.
 */
#include "claims.h"
#include "contact/contact_export.h"
#include "contact/contact_rigid.h"
#include "core/contact/scatter.h"

typedef struct solved {
  double residual; /* of all contacts, by the measure that no solver has */
  double apart;    /* of velocities from those of the impulses, m/s */
  size_t largest;
} solved;

static solved solve(scatter *s) {
  size_t count = s->set.count, nodes = s->p.node_count;
  arena memory = {0};
  double *torque = scatter_array(count, sizeof *torque);
  vec3 *change = scatter_array(nodes, sizeof *change), *again = scatter_array(nodes, sizeof *again);
  contact_solve_options options = {.tolerance = 1e-10, .tasks = {1}};
  contact_solve_report report;
  for (size_t i = 0; i < count; i++) s->given[i] = s->impulse[i] = (vec3){0, 0, 0};
  claim_ok(contact_rigid_solve(&s->p, &options, &memory, s->impulse, torque, change, &report, err));
  assert_true(report.converged);
  contact_stored all;
  claim_ok(contact_export_problem(&s->p, &all, err));
  solved out = {.residual = contact_problem_residual(&all.problem, s->impulse, NULL),
                .largest = report.largest};
  friction_respond(&s->p, s->impulse, again);
  for (size_t n = 0; n < nodes; n++)
    out.apart = fmax(out.apart, vec3_norm(vec3_sub(change[n], again[n])));
  contact_stored_free(&all);
  arena_free(&memory);
  free(torque);
  free(change);
  free(again);
  return out;
}

/* Things on the ground and on one another: a motion upwards, faster the higher, opens everything.
 */
static scatter *heap(int nodes, int contacts, uint64_t *seed) {
  scatter *s = scatter_make((size_t)nodes, (size_t)contacts);
  mat3 one = mat3_identity();
  for (int i = 0; i < nodes; i++) {
    s->inverse_mass[i] = mat3_scale(claim_between(seed, 0.5, 2), &one);
    s->velocity[i] = (vec3){claim_between(seed, -1, 1), claim_between(seed, -1, 1), -0.3};
  }
  for (int i = 0; i < contacts; i++) {
    vec3 n =
        vec3_normalized((vec3){claim_between(seed, -0.4, 0.4), claim_between(seed, -0.4, 0.4), 1});
    int32_t upper = (int32_t)(claim_random(seed) * nodes) % nodes;
    int32_t lower = (int32_t)(claim_random(seed) * upper);
    scatter_contact(s, n, claim_between(seed, 0, 6), 0.3, 0);
    if (upper > 0) scatter_entry(s, lower, -1);
    scatter_entry(s, upper, 1);
  }
  return s;
}

static void answer__is_one_of_all_contacts(void **unused) {
  (void)unused;
  uint64_t seed = 17;
  for (int k = 0; k < 30; k++) {
    scatter *s = heap(4 + k, 3 + 2 * k, &seed);
    /* from clearly inside to just outside: many come in only when others push them */
    for (size_t i = 0; i < s->set.count; i++) s->room[i] = claim_between(&seed, -0.5, 0.5);
    solved got = solve(s);
    claim_below(got.residual, 2e-10);
    claim_below(got.apart, 1e-12);
    scatter_free(s);
  }
}

static void far_contacts__are_not_solved(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  scatter *s = heap(6, 40, &seed);
  for (size_t i = 0; i < s->set.count; i++) s->room[i] = i % 8 == 0 ? -0.1 : 100;
  solved got = solve(s);
  claim_below(got.residual, 2e-10);
  assert_true(got.largest > 0 && got.largest <= 5);
  for (size_t i = 0; i < s->set.count; i++)
    if (i % 8) claim_near(s->impulse[i].x, 0, 0);
  scatter_free(s);
}

static void contacts_that_open__bear_nothing(void **unused) {
  (void)unused;
  uint64_t seed = 9;
  scatter *s = heap(5, 12, &seed);
  for (size_t i = 0; i < s->set.count; i++) s->room[i] = 1 + (double)i;
  solved got = solve(s);
  assert_int_equal(got.largest, 0);
  assert_true(got.residual == 0);
  scatter_free(s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(answer__is_one_of_all_contacts),
      cmocka_unit_test(far_contacts__are_not_solved),
      cmocka_unit_test(contacts_that_open__bear_nothing),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
