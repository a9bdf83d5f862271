/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step's friction problem as a contact problem: the same velocities as without the matrix, and
 * the same answer.
 */
#include "claims.h"
#include "contact/contact_export.h"
#include "core/contact/scatter.h"
#include "coulomb/contact_solver.h"
#include "forwarding/staggered.h"

static void exported_problem__gives_the_velocities_of_the_step(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int k = 0; k < 20; k++) {
    scatter *s = scatter_random(3 + k, 2 + 2 * k, 0.4, &seed);
    contact_stored out;
    claim_ok(contact_export_problem(&s->p, &out, err));
    claim_ok(contact_problem_check(&out.problem, err));
    claim_below(contact_problem_asymmetry(&out.problem.w), 1e-15);
    vec3 *v = scatter_array(s->p.node_count, sizeof *v),
         *u = scatter_array(s->set.count, sizeof *u);
    for (size_t i = 0; i < s->set.count; i++)
      s->impulse[i] = (vec3){claim_between(&seed, 0, 1), claim_between(&seed, -1, 1),
                             claim_between(&seed, -1, 1)};
    scatter_velocities(s, v);
    contact_problem_residual(&out.problem, s->impulse, u);
    for (size_t i = 0; i < s->set.count; i++)
      claim_below(vec3_norm(vec3_sub(u[i], scatter_slip(s, i, v))), 1e-12);
    free(v);
    free(u);
    contact_stored_free(&out);
    scatter_free(s);
  }
}

static void exported_problem__has_the_answer_of_the_step(void **unused) {
  (void)unused;
  uint64_t seed = 41;
  int compared = 0;
  for (int k = 0; k < 20; k++) {
    scatter *s = scatter_random(4 + k, 3 + k, 0.2, &seed);
    contact_stored out;
    claim_ok(contact_export_problem(&s->p, &out, err));
    arena memory = {0};
    friction_report step;
    staggered_options options = {.tolerance = 1e-12, .iterations = 2000};
    vec3 *change = scatter_array(s->p.node_count, sizeof *change);
    claim_ok(staggered_solve(&s->p, &options, &memory, s->impulse, change, &step, err));
    if (step.converged) {
      compared++;
      /* Between pinned nodes an impulse moves nothing, and the step leaves it as it is. */
      for (size_t i = 0; i < s->set.count; i++)
        if (out.problem.w.blocks[out.pattern.diagonal[i]].m[0][0] == 0)
          s->impulse[i] = (vec3){0, 0, 0};
      claim_below(contact_problem_residual(&out.problem, s->impulse, NULL), 1e-9);
    }
    contact_solve_options whole = {.tolerance = 1e-10, .tasks = {1}};
    contact_solve_report report;
    claim_ok(contact_solve(&out.problem, &contact_auto, &whole, out.r, &report, err));
    assert_true(report.converged);
    free(change);
    arena_free(&memory);
    contact_stored_free(&out);
    scatter_free(s);
  }
  assert_true(compared >= 10);
}

static void no_contacts__export_as_none(void **unused) {
  (void)unused;
  scatter *none = scatter_make(1, 0);
  contact_stored out;
  claim_ok(contact_export_problem(&none->p, &out, err));
  assert_int_equal(contact_problem_count(&out.problem), 0);
  contact_stored_free(&out);
  scatter_free(none);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(exported_problem__gives_the_velocities_of_the_step),
      cmocka_unit_test(exported_problem__has_the_answer_of_the_step),
      cmocka_unit_test(no_contacts__export_as_none),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
