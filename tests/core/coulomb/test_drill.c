/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact problems with drilling: one contact against the law itself, several against each other
 * and against a problem without, and what is refused.
 */
#include "claims.h"
#include "coulomb/contact_file.h"
#include "coulomb/contact_local.h"
#include "coulomb/contact_solver.h"

/* w = A A^T / 4, and something on its diagonal. */
static void random_block(uint64_t *seed, double most, double w[4][4]) {
  double a[4][4];
  for (int e = 0; e < 16; e++) a[e / 4][e % 4] = claim_between(seed, -1, 1);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      w[i][j] = i == j ? most * claim_random(seed) : 0;
      for (int k = 0; k < 4; k++) w[i][j] += a[i][k] * a[j][k] / 4;
    }
}

/* Take-off, stick and slip: the law with coefficients 1, measured apart from how it was solved. */
static void one_contact__obeys_the_law_exactly(void **unused) {
  (void)unused;
  uint64_t seed = 4;
  int counts[3] = {0};
  for (int trial = 0; trial < 20000; trial++) {
    double w[4][4], slip = claim_random(&seed), torque;
    random_block(&seed, 1, w);
    contact_local local = contact_local_make_drill(w);
    vec3 q = {claim_between(&seed, -1, 0.3), claim_between(&seed, -1, 1),
              claim_between(&seed, -1, 1)};
    if (trial % 3 == 0) q = vec3_make(q.x, q.y / 10, q.z / 10); /* or nothing would stick */
    double spin = claim_between(&seed, -1, 1) * (trial % 3 == 0 ? 0.1 : 1);
    vec3 r = contact_local_solve_drill(&local, q, spin, &slip, &torque);
    const double all[4] = {r.x, r.y, r.z, torque}, free[4] = {q.x, q.y, q.z, spin};
    double u[4];
    for (int i = 0; i < 4; i++) {
      u[i] = free[i];
      for (int j = 0; j < 4; j++) u[i] += w[i][j] * all[j];
    }
    contact_coefficients one = {1, 1};
    double off =
        sqrt(contact_problem_law_drill(one, 1, vec3_make(u[0], u[1], u[2]), u[3], r, torque));
    claim_below(off, 1e-11 * (1 + vec3_norm(r)));
    counts[r.x == 0 ? 0 : hypot(hypot(u[1], u[2]), u[3]) < 1e-9 ? 1 : 2]++;
  }
  for (int k = 0; k < 3; k++) assert_true(counts[k] > 100);
}

/* n contacts in a chain, each with its drilling in a row of its own. */
static void random_problem(size_t n, uint64_t seed, double mu_drill, contact_stored *out) {
  *out = (contact_stored){0};
  int32_t *cliques = calloc(4 * n, sizeof *cliques);
  int32_t *drill = ARENA_ARRAY(&out->memory, int32_t, 2 * n);
  vec3 *q = ARENA_ARRAY(&out->memory, vec3, 2 * n);
  contact_coefficients *grip = ARENA_ARRAY(&out->memory, contact_coefficients, 2 * n);
  out->r = ARENA_ARRAY(&out->memory, vec3, 2 * n);
  assert_true(cliques && drill && q && grip && out->r);
  for (size_t i = 0; i < n; i++) {
    int32_t here = (int32_t)i, next = (int32_t)((i + 1) % n), count = (int32_t)n;
    memcpy(cliques + 4 * i, (int32_t[]){here, next, count + here, count + next}, 4 * sizeof here);
    drill[i] = drill[n + i] = count + here;
    double mu = claim_between(&seed, 0.1, 0.4);
    grip[i] = (contact_coefficients){mu, claim_between(&seed, 0.1, 0.4)};
    grip[n + i] = (contact_coefficients){mu_drill, 0};
    q[i] = vec3_make(claim_between(&seed, -1, 0.3), claim_between(&seed, -1, 1),
                     claim_between(&seed, -1, 1));
    q[n + i] = vec3_make(claim_between(&seed, -3, 3), 0, 0);
  }
  bcsr_clique_set set = {cliques, n, 4};
  claim_ok(bcsr_analyze((int32_t)(2 * n), &set, 1, &out->memory, &out->pattern, err));
  mat3 *blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&out->pattern));
  assert_non_null(blocks);
  for (size_t i = 0; i < 2 * n; i++)
    for (int c = 0; c < (i < n ? 3 : 1); c++)
      blocks[out->pattern.diagonal[i]].m[c][c] = i < n ? 0.5 : 2;
  for (size_t k = 0; k < n; k++) { /* a sum of squares, without what a drilling lacks */
    mat3 a[4];
    for (int e = 0; e < 36; e++) a[e / 9].m[e % 9 / 3][e % 3] = claim_between(&seed, -0.5, 0.5);
    for (int x = 2; x < 4; x++)
      for (int e = 3; e < 9; e++) a[x].m[e / 3][e % 3] = 0;
    for (int x = 0; x < 4; x++)
      for (int y = 0; y < 4; y++) {
        int32_t at =
            bcsr_find(&out->pattern, cliques[4 * k + (size_t)x], cliques[4 * k + (size_t)y]);
        mat3 part = mat3_mul_t(&a[x], &a[y]);
        blocks[at] = mat3_add(&blocks[at], &part);
      }
  }
  free(cliques);
  out->problem = (contact_problem){{&out->pattern, blocks}, q, grip, drill};
  claim_ok(contact_problem_check(&out->problem, err));
}

static contact_solve_report solve(const contact_stored *s, const contact_solver *solver,
                                  int threads, vec3 *r, vec3 *u) {
  contact_solve_options options = {.tolerance = 1e-10, .tasks = {threads}};
  contact_solve_report report;
  memset(r, 0, contact_problem_count(&s->problem) * sizeof *r);
  claim_ok(contact_solve(&s->problem, solver, &options, r, &report, err));
  claim_near(contact_problem_residual(&s->problem, r, u), report.residual, 0);
  return report;
}

enum { CONTACTS = 12, ROWS = 2 * CONTACTS };

static void solvers_that_know_drilling__agree_on_velocities(void **unused) {
  (void)unused;
  const contact_solver *solvers[] = {&contact_gauss_seidel, &contact_prox, &contact_admm,
                                     &contact_auto};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    contact_stored s;
    random_problem(CONTACTS, seed, 0.05 * (double)seed, &s);
    vec3 r[ROWS], u[4][ROWS];
    for (size_t k = 0; k < 4; k++) {
      contact_solve_report report = solve(&s, solvers[k], 1, r, u[k]);
      if (!report.converged) print_message("%s: %g\n", solvers[k]->name, report.residual);
      assert_true(report.converged);
      for (size_t i = 0; i < ROWS; i++) claim_below(vec3_norm(vec3_sub(u[k][i], u[0][i])), 1e-7);
    }
    double torque = 0;
    for (size_t i = CONTACTS; i < ROWS; i++) torque = fmax(torque, fabs(r[i].x));
    assert_true(torque > 1e-3); /* there is something to solve */
    contact_stored_free(&s);
  }
}

static void answers__have_the_same_bits_for_any_threads(void **unused) {
  (void)unused;
  contact_stored s;
  random_problem(CONTACTS, 3, 0.2, &s);
  vec3 one[ROWS], four[ROWS], u[ROWS];
  solve(&s, &contact_auto, 1, one, u);
  solve(&s, &contact_auto, 4, four, u);
  assert_memory_equal(one, four, sizeof one);
  contact_stored_free(&s);
}

/* A torque that is hardly borne is none: the answer goes over into that of contacts alone. */
static void little_drilling__goes_over_into_none(void **unused) {
  (void)unused;
  contact_stored s;
  random_problem(CONTACTS, 5, 1e-9, &s);
  vec3 with[ROWS], without[ROWS], u[ROWS];
  solve(&s, &contact_gauss_seidel, 1, with, u);
  s.problem.drill = NULL; /* then the rows of drillings must not press either */
  for (size_t i = CONTACTS; i < ROWS; i++) ((vec3 *)s.problem.q)[i].x = 1e3;
  solve(&s, &contact_gauss_seidel, 1, without, u);
  for (size_t i = 0; i < CONTACTS; i++) claim_below(vec3_norm(vec3_sub(with[i], without[i])), 1e-6);
  contact_stored_free(&s);
}

static void what_knows_no_drilling__refuses_it(void **unused) {
  (void)unused;
  contact_stored s;
  random_problem(CONTACTS, 1, 0.1, &s);
  contact_solve_options options = {.tolerance = 1e-8, .tasks = {1}};
  contact_solve_report report;
  for (size_t k = 0; k < contact_solver_count; k++) {
    if (contact_solvers[k]->caps.drilling) continue;
    claim_fails(contact_solve(&s.problem, contact_solvers[k], &options, s.r, &report, err),
                TRIBO_BAD_INPUT, "knows no drilling friction; take 'auto'");
  }
  claim_fails(contact_file_write("drilled.hdf5", &s.problem, NULL, NULL, FCLIB_COLUMNS, err),
              TRIBO_UNAVAILABLE, "'drilled.hdf5': FCLIB files know no drilling friction");
  contact_stored_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact__obeys_the_law_exactly),
      cmocka_unit_test(solvers_that_know_drilling__agree_on_velocities),
      cmocka_unit_test(answers__have_the_same_bits_for_any_threads),
      cmocka_unit_test(little_drilling__goes_over_into_none),
      cmocka_unit_test(what_knows_no_drilling__refuses_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
