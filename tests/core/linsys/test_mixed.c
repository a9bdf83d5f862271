/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AUTO's choice for solids: conjugate gradients while they pay, a factorisation when they do not.
 */
#include "claims.h"
#include "linsys/linsys.h"
#include "scenes/shapes.h"

typedef struct solid {
  arena memory;
  bcsr_pattern pattern;
  bcsr a;
  double *b, *x, *image;
} solid;

static int make_solid(void **state) {
  solid *s = calloc(1, sizeof *s);
  mesh block = shape_block(13, 13, 13, 1, 1, 1);
  bcsr_clique_set tets = {block.tets, block.tet_count, 4};
  claim_ok(bcsr_analyze((int32_t)block.vertex_count, &tets, 1, &s->memory, &s->pattern, err));
  mesh_free(&block);
  size_t size = 3 * (size_t)s->pattern.rows;
  s->a = (bcsr){&s->pattern, ARENA_ARRAY(&s->memory, mat3, bcsr_block_count(&s->pattern))};
  s->b = ARENA_ARRAY(&s->memory, double, size);
  s->x = ARENA_ARRAY(&s->memory, double, size);
  s->image = ARENA_ARRAY(&s->memory, double, size);
  uint64_t seed = 5;
  for (size_t i = 0; i < size; i++) s->b[i] = claim_between(&seed, -1, 1);
  *state = s;
  return 0;
}

static int free_solid(void **state) {
  solid *s = *state;
  arena_free(&s->memory);
  free(s);
  return 0;
}

/* Mass on the diagonal and springs along the edges: the larger the stiffness, the more iterations.
 */
static void fill(solid *s, double stiffness) {
  const bcsr_pattern *p = &s->pattern;
  for (int32_t row = 0; row < p->rows; row++)
    for (int32_t k = p->row_start[row]; k < p->row_start[row + 1]; k++) {
      int32_t neighbours = p->row_start[row + 1] - p->row_start[row] - 1;
      double value = p->columns[k] == row ? 1 + stiffness * neighbours : -stiffness;
      s->a.blocks[k] = (mat3){{{value, 0, 0}, {0, value, 0}, {0, 0, value}}};
    }
}

static linsys *create(solid *s, int threads) {
  linsys_options options = {
      .kind = LINSYS_AUTO, .tasks = {threads}, .cg_tolerance = 1e-10, .cg_iterations = 100000};
  linsys *solver = NULL;
  claim_ok(linsys_create(&options, &s->pattern, &solver, err));
  assert_string_equal(linsys_capabilities(solver)->name, "mixed");
  assert_true(linsys_capabilities(solver)->deterministic);
  return solver;
}

/* Solves and checks the answer; returns the iterations it took. */
static int solve(solid *s, linsys *solver, int nrhs) {
  linsys_outcome outcome;
  size_t size = 3 * (size_t)s->pattern.rows;
  double *x = malloc(size * (size_t)nrhs * sizeof *x);
  for (int k = 0; k < nrhs; k++) memcpy(x + (size_t)k * size, s->b, size * sizeof *x);
  linsys_values(solver, &s->a);
  claim_ok(linsys_factor(solver, &outcome, err));
  assert_int_equal(outcome, LINSYS_DONE);
  claim_ok(linsys_solve(solver, x, nrhs, x, &outcome, err)); /* in place */
  assert_int_equal(outcome, LINSYS_DONE);
  for (int k = 0; k < nrhs; k++) {
    bcsr_multiply(&s->a, &(tasks){1}, (vec3 *)(x + (size_t)k * size), (vec3 *)s->image);
    double error = 0, whole = 0;
    for (size_t i = 0; i < size; i++) {
      error += (s->image[i] - s->b[i]) * (s->image[i] - s->b[i]);
      whole += s->b[i] * s->b[i];
    }
    claim_below(sqrt(error / whole), 2e-10);
  }
  memcpy(s->x, x, size * sizeof *x);
  free(x);
  return linsys_iterations(solver);
}

static void kind_systems__are_solved_by_iterating(void **state) {
  solid *s = *state;
  linsys *solver = create(s, 1);
  fill(s, 0.1);
  int iterations = solve(s, solver, 1);
  assert_in_range(iterations, 1, 49);
  linsys_free(solver);
}

static void unkind_systems__are_factorised_until_the_next_step(void **state) {
  solid *s = *state;
  linsys *solver = create(s, 1);
  fill(s, 1e5);
  int tried = solve(s, solver, 1);
  assert_true(tried >= 50); /* in vain, then directly */
  assert_int_equal(solve(s, solver, 1), 0);
  fill(s, 0.1);
  assert_int_equal(solve(s, solver, 1), 0); /* it does not try again within the step */
  linsys_begin(solver);
  assert_true(solve(s, solver, 1) > 0);
  linsys_free(solver);
}

static void several_right_hand_sides__are_what_a_factorisation_is_for(void **state) {
  solid *s = *state;
  linsys *solver = create(s, 1);
  fill(s, 0.1);
  assert_true(solve(s, solver, 2) > 0);
  assert_int_equal(solve(s, solver, 5), 0);
  linsys_free(solver);
}

static void an_indefinite_system__is_reported(void **state) {
  solid *s = *state;
  for (int k = 0; k < 2; k++) {
    linsys *solver = create(s, 1);
    if (k) {
      fill(s, 1e5);
      solve(s, solver, 1); /* from here on it factorises */
    }
    fill(s, -0.06);
    linsys_outcome outcome;
    linsys_values(solver, &s->a);
    claim_ok(linsys_factor(solver, &outcome, err));
    if (outcome == LINSYS_DONE) claim_ok(linsys_solve(solver, s->b, 1, s->x, &outcome, err));
    assert_int_equal(outcome, LINSYS_NOT_POSITIVE_DEFINITE);
    linsys_free(solver);
  }
}

static void threads__do_not_change_a_bit(void **state) {
  solid *s = *state;
  size_t size = 3 * (size_t)s->pattern.rows * sizeof(double);
  for (int k = 0; k < 2; k++) {
    fill(s, k ? 1e5 : 0.1);
    double *first = malloc(size);
    for (int threads = 1; threads <= 3; threads++) {
      linsys *solver = create(s, threads);
      solve(s, solver, 1);
      if (threads == 1) memcpy(first, s->x, size);
      assert_memory_equal(first, s->x, size);
      linsys_free(solver);
    }
    free(first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, make_solid, free_solid)
      CLAIM(kind_systems__are_solved_by_iterating),
      CLAIM(unkind_systems__are_factorised_until_the_next_step),
      CLAIM(several_right_hand_sides__are_what_a_factorisation_is_for),
      CLAIM(an_indefinite_system__is_reported),
      CLAIM(threads__do_not_change_a_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
