/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solvers of contact problems against each other, against statics, alone and in groups.
 */
#include "bench/piles.h"
#include "claims.h"
#include "coulomb/contact_solver.h"

/* ---- making and solving ---- */

/* Random W, positive definite, with friction small enough that there is one answer; contacts see
 * only those whose number leaves the same rest over `parts`, which divides n. */
static void random_parts(size_t n, size_t parts, uint64_t seed, bool elliptic,
                         contact_stored *out) {
  *out = (contact_stored){0};
  int32_t *pairs = calloc(4 * n, sizeof *pairs);
  assert_non_null(pairs);
  for (size_t k = 0; k < 2 * n; k++) {
    pairs[2 * k] = (int32_t)(claim_random(&seed) * (double)n);
    size_t other = (size_t)(claim_random(&seed) * (double)(n / parts));
    pairs[2 * k + 1] = (int32_t)((size_t)pairs[2 * k] % parts + parts * other);
  }
  bcsr_clique_set set = {pairs, 2 * n, 2};
  claim_ok(bcsr_analyze((int32_t)n, &set, 1, &out->memory, &out->pattern, err));
  mat3 *blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&out->pattern));
  vec3 *q = ARENA_ARRAY(&out->memory, vec3, n);
  contact_coefficients *grip = ARENA_ARRAY(&out->memory, contact_coefficients, n);
  out->r = ARENA_ARRAY(&out->memory, vec3, n);
  for (size_t i = 0; i < n; i++) {
    mat3 *own = &blocks[out->pattern.diagonal[i]];
    for (int c = 0; c < 3; c++) own->m[c][c] += 0.5;
    q[i] = vec3_make(claim_between(&seed, -1, 0.5), claim_between(&seed, -1, 1),
                     claim_between(&seed, -1, 1));
    double mu = claim_between(&seed, 0.1, 0.4);
    grip[i] = (contact_coefficients){mu, elliptic ? claim_between(&seed, 0.1, 0.4) : mu};
  }
  /* A sum of squares over the pairs: (a, b)^T (a, b) with random a, b. */
  for (size_t k = 0; k < 2 * n; k++) {
    mat3 a[2];
    for (int e = 0; e < 18; e++) a[e / 9].m[e % 9 / 3][e % 3] = claim_between(&seed, -0.5, 0.5);
    for (int x = 0; x < 2; x++)
      for (int y = 0; y < 2; y++) {
        int32_t at = bcsr_find(&out->pattern, pairs[2 * k + (size_t)x], pairs[2 * k + (size_t)y]);
        mat3 part = mat3_mul_t(&a[x], &a[y]);
        blocks[at] = mat3_add(&blocks[at], &part);
      }
  }
  out->problem = (contact_problem){.w = {&out->pattern, blocks}, .q = q, .grip = grip};
  claim_ok(contact_problem_check(&out->problem, err));
  free(pairs);
}

static void random_problem(size_t n, uint64_t seed, bool elliptic, contact_stored *out) {
  random_parts(n, 1, seed, elliptic, out);
}

static contact_solve_report solve(const contact_stored *s, const contact_solver *solver,
                                  double tolerance, bool whole, int threads, vec3 *r, vec3 *u) {
  contact_solve_options options = {.tolerance = tolerance, .whole = whole, .tasks = {threads}};
  contact_solve_report report;
  claim_ok(contact_solve(&s->problem, solver, &options, r, &report, err));
  claim_near(contact_problem_residual(&s->problem, r, u), report.residual, 0);
  return report;
}

static vec3 *array(const contact_stored *s) {
  vec3 *made = calloc(contact_problem_count(&s->problem) + 1, sizeof *made);
  assert_non_null(made);
  return made;
}

static double apart(const contact_stored *s, const vec3 *a, const vec3 *b) {
  double largest = 0;
  for (size_t i = 0; i < contact_problem_count(&s->problem); i++)
    largest = fmax(largest, vec3_max_abs(vec3_sub(a[i], b[i])));
  return largest;
}

/* ---- claims ---- */

static void compare_all(const contact_stored *s) {
  vec3 *r = array(s), *u = array(s), *first = array(s);
  solve(s, &contact_gauss_seidel, 1e-12, false, 1, r, first);
  for (size_t k = 0; k < contact_solver_count; k++) {
    memset(r, 0, contact_problem_count(&s->problem) * sizeof *r);
    contact_solve_report report = solve(s, contact_solvers[k], 1e-9, false, 1, r, u);
    if (!report.converged) print_error("%s: %g\n", contact_solvers[k]->name, report.residual);
    assert_true(report.converged);
    claim_below(apart(s, u, first), 1e-6);
  }
  free(r);
  free(u);
  free(first);
}

static void all_solvers__agree_on_the_velocities_of_round_cones(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    contact_stored s;
    random_problem(5 + 5 * (size_t)seed, seed * 7919, false, &s);
    compare_all(&s);
    contact_stored_free(&s);
  }
}

static void all_solvers__agree_on_the_velocities_of_elliptic_cones(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    contact_stored s;
    random_problem(5 + 5 * (size_t)seed, seed * 104729, true, &s);
    compare_all(&s);
    contact_stored_free(&s);
  }
}

static void all_solvers__need_no_symmetry(void **unused) {
  (void)unused;
  contact_stored s;
  uint64_t seed = 77;
  random_problem(20, 5, false, &s);
  for (int32_t k = 0; k < bcsr_block_count(&s.pattern); k++)
    for (int e = 0; e < 9; e++)
      s.problem.w.blocks[k].m[e / 3][e % 3] *= 1 + claim_between(&seed, -0.01, 0.01);
  compare_all(&s);
  contact_stored_free(&s);
}

/* A tower has 4 contacts between boxes where 2 would do: W lacks rank, and impulses are not unique.
 * At rest nothing moves, and the ground bears the weight. */
static void hyperstatic_tower__stands_on_its_weight(void **unused) {
  (void)unused;
  const contact_solver *solvers[] = {&contact_auto, &contact_interior, &contact_fischer_burmeister,
                                     &contact_admm};
  pile p = pile_tower(6, (contact_coefficients){0.5, 0.5});
  contact_stored s;
  pile_problem(&p, "tower", &s);
  vec3 *r = array(&s), *u = array(&s);
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
    memset(r, 0, contact_problem_count(&s.problem) * sizeof *r);
    contact_solve_report report = solve(&s, solvers[k], 1e-10, false, 1, r, u);
    if (!report.converged) print_error("%s: %g\n", solvers[k]->name, report.residual);
    assert_true(report.converged);
    double borne = 0;
    for (size_t i = 0; i < 4; i++) borne += r[i].x;
    claim_near(borne, 6 * 1000 * 9.81 * 0.01, 1e-5);
    for (size_t i = 0; i < contact_problem_count(&s.problem); i++)
      claim_below(vec3_norm(u[i]), 1e-8);
  }
  free(r);
  free(u);
  contact_stored_free(&s);
  pile_free(&p);
}

static void hyperstatic_slab__moves_the_same_with_every_solver_that_solves_it(void **unused) {
  (void)unused;
  pile p = pile_slab(5, (contact_coefficients){0.2, 0.2}, 5);
  p.bodies[0].velocity = vec3_make(0.5, 0.1, -0.2);
  p.bodies[0].spin = vec3_make(0, 0, 0.5);
  contact_stored s;
  pile_problem(&p, "slab", &s);
  vec3 *r = array(&s), *u = array(&s), *first = array(&s);
  assert_true(solve(&s, &contact_gauss_seidel, 1e-11, false, 1, r, first).converged);
  int solved = 0;
  for (size_t k = 0; k < contact_solver_count; k++) {
    memset(r, 0, contact_problem_count(&s.problem) * sizeof *r);
    if (!solve(&s, contact_solvers[k], 1e-10, false, 1, r, u).converged) continue;
    solved++;
    claim_below(apart(&s, u, first), 1e-6);
  }
  assert_true(solved >= 6);
  free(r);
  free(u);
  free(first);
  contact_stored_free(&s);
  pile_free(&p);
}

static void contacts_without_friction__bear_none(void **unused) {
  (void)unused;
  pile p = pile_wall(3, 3, (contact_coefficients){0.5, 0.5});
  for (int i = 0; i < p.contact_count; i++)
    p.contacts[i].grip = i % 3 == 0   ? (contact_coefficients){0, 0}
                         : i % 3 == 1 ? (contact_coefficients){0, 0.5}
                                      : (contact_coefficients){0.5, 0.5};
  pile_shake(&p, 0.2, 0.2, 9);
  contact_stored s;
  pile_problem(&p, "wall", &s);
  vec3 *r = array(&s);
  for (size_t i = 0; i < contact_problem_count(&s.problem); i++) r[i] = vec3_make(1, 1, 1);
  assert_true(solve(&s, &contact_auto, 1e-9, false, 1, r, NULL).converged);
  for (size_t i = 0; i < contact_problem_count(&s.problem); i++) {
    if (i % 3 < 2) assert_true(r[i].y == 0);
    if (i % 3 < 1) assert_true(r[i].z == 0);
  }
  free(r);
  contact_stored_free(&s);
  pile_free(&p);
}

/* Frictionless: the normal impulses solve a linear complementarity problem, and nothing else. */
static void without_any_friction__the_normals_solve_their_complementarity(void **unused) {
  (void)unused;
  contact_stored s;
  random_problem(30, 31, false, &s);
  contact_coefficients *none = ARENA_ARRAY(&s.memory, contact_coefficients, 30);
  s.problem.grip = none;
  vec3 *r = array(&s), *u = array(&s);
  for (size_t k = 0; k < contact_solver_count; k++) {
    memset(r, 0, 30 * sizeof *r);
    contact_solve_report report = solve(&s, contact_solvers[k], 1e-10, false, 1, r, u);
    if (!report.converged) print_error("%s: %g\n", contact_solvers[k]->name, report.residual);
    assert_true(report.converged);
    for (size_t i = 0; i < 30; i++) {
      claim_below(-r[i].x, 1e-9);
      claim_below(-u[i].x, 1e-9);
      claim_below(fmin(r[i].x, u[i].x), 1e-9);
    }
  }
  free(r);
  free(u);
  contact_stored_free(&s);
}

static pile three_towers(void) {
  pile p = pile_make(0.01);
  contact_coefficients grip = {0.5, 0.5};
  for (int tower = 0; tower < 3; tower++)
    for (int i = 0; i < 4 + tower; i++) {
      double x = 5 * tower;
      int box = pile_box(&p, vec3_make(x, 0, 0.5 + i), vec3_make(0.5, 0.5, 0.5), 1000);
      pile_touch_face(&p, box, i ? box - 1 : -1, x - 0.5, x + 0.5, -0.5, 0.5, i, grip);
    }
  pile_shake(&p, 0.3, 0.3, 5);
  return p;
}

/* Towers that are shaken have more than one answer, so this is claimed of problems that have one.
 */
static void groups__give_what_the_whole_gives(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    contact_stored s;
    random_parts(60, 3, seed * 611953, seed % 2, &s);
    vec3 *r = array(&s), *u = array(&s), *whole_r = array(&s), *whole_u = array(&s);
    contact_solve_report parts = solve(&s, &contact_auto, 1e-11, false, 1, r, u);
    contact_solve_report whole = solve(&s, &contact_auto, 1e-11, true, 1, whole_r, whole_u);
    assert_true(parts.groups >= 3 && parts.largest <= 20);
    assert_int_equal(whole.groups, 1);
    assert_true(parts.converged && whole.converged);
    claim_below(apart(&s, u, whole_u), 1e-9);
    free(r);
    free(u);
    free(whole_r);
    free(whole_u);
    contact_stored_free(&s);
  }
}

static void every_solver__gives_the_same_bits_for_any_number_of_threads(void **unused) {
  (void)unused;
  pile p = three_towers();
  contact_stored s;
  pile_problem(&p, "towers", &s);
  size_t bytes = contact_problem_count(&s.problem) * sizeof(vec3);
  vec3 *one = array(&s), *three = array(&s);
  for (size_t k = 0; k < contact_solver_count; k++) {
    memset(one, 0, bytes);
    memset(three, 0, bytes);
    solve(&s, contact_solvers[k], 1e-9, false, 1, one, NULL);
    solve(&s, contact_solvers[k], 1e-9, false, 3, three, NULL);
    assert_memory_equal(one, three, bytes);
  }
  free(one);
  free(three);
  contact_stored_free(&s);
  pile_free(&p);
}

static void every_solver__hands_back_nothing_worse_than_the_start(void **unused) {
  (void)unused;
  pile p = pile_heap(3, 3, (contact_coefficients){0.9, 0.9}, 29);
  pile_shake(&p, 0.3, 1, 31);
  contact_stored s;
  pile_problem(&p, "heap", &s);
  size_t n = contact_problem_count(&s.problem);
  vec3 *r = array(&s), *start = array(&s);
  contact_solve_options little = {.tolerance = 1e-4, .iterations = 400, .tasks = {1}};
  contact_solve_report report;
  claim_ok(contact_solve(&s.problem, &contact_gauss_seidel, &little, start, &report, err));
  double before = contact_problem_residual(&s.problem, start, NULL);
  for (size_t k = 0; k < contact_solver_count; k++)
    for (int iterations = 1; iterations < 30; iterations += 9) {
      memcpy(r, start, n * sizeof *r);
      contact_solve_options options = {.tolerance = 1e-12, .iterations = iterations, .tasks = {1}};
      claim_ok(contact_solve(&s.problem, contact_solvers[k], &options, r, &report, err));
      claim_below(report.residual, before * (1 + 1e-9));
    }
  free(r);
  free(start);
  contact_stored_free(&s);
  pile_free(&p);
}

static void no_contacts__are_no_trouble(void **unused) {
  (void)unused;
  contact_stored s = {0};
  claim_ok(bcsr_analyze(0, NULL, 0, &s.memory, &s.pattern, err));
  s.problem.w.pattern = &s.pattern;
  vec3 none;
  assert_true(solve(&s, &contact_auto, 1e-8, false, 2, &none, NULL).converged);
  contact_stored_free(&s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(all_solvers__agree_on_the_velocities_of_round_cones),
      cmocka_unit_test(all_solvers__agree_on_the_velocities_of_elliptic_cones),
      cmocka_unit_test(all_solvers__need_no_symmetry),
      cmocka_unit_test(hyperstatic_tower__stands_on_its_weight),
      cmocka_unit_test(hyperstatic_slab__moves_the_same_with_every_solver_that_solves_it),
      cmocka_unit_test(contacts_without_friction__bear_none),
      cmocka_unit_test(without_any_friction__the_normals_solve_their_complementarity),
      cmocka_unit_test(groups__give_what_the_whole_gives),
      cmocka_unit_test(every_solver__gives_the_same_bits_for_any_number_of_threads),
      cmocka_unit_test(every_solver__hands_back_nothing_worse_than_the_start),
      cmocka_unit_test(no_contacts__are_no_trouble),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
