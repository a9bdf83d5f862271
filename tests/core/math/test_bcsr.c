/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "math/bcsr.h"

enum { ROWS = 700, TETS = 1500, HINGES = 400 };

/* Random elements, some with rows outside the system and some with a row twice. */
static void random_elements(uint64_t *seed, int32_t rows, size_t entries, int32_t *out) {
  for (size_t i = 0; i < entries; i++)
    out[i] = (int32_t)claim_between(seed, -0.1 * rows, rows - 1e-9);
}

static void the_pattern_is_that_of_brute_force(void **state) {
  (void)state;
  enum { N = 60 };
  uint64_t seed = 41;
  for (int round = 0; round < 50; round++) {
    int32_t tets[4 * 40], hinges[3 * 20];
    random_elements(&seed, N, 160, tets);
    random_elements(&seed, N, 60, hinges);
    bcsr_clique_set sets[] = {{tets, 40, 4}, {hinges, 20, 3}, {NULL, 0, 2}};

    bool coupled[N][N] = {0};
    for (int i = 0; i < N; i++) coupled[i][i] = true;
    for (int s = 0; s < 2; s++)
      for (size_t e = 0; e < sets[s].count; e++)
        for (int p = 0; p < sets[s].arity; p++)
          for (int q = 0; q < sets[s].arity; q++) {
            int32_t i = sets[s].rows[e * (size_t)sets[s].arity + (size_t)p];
            int32_t j = sets[s].rows[e * (size_t)sets[s].arity + (size_t)q];
            if (i >= 0 && j >= 0) coupled[i][j] = true;
          }

    arena memory = {0};
    bcsr_pattern pattern;
    claim_ok(bcsr_analyze(N, sets, 3, &memory, &pattern, err));
    for (int32_t i = 0; i < N; i++) {
      int32_t at = pattern.row_start[i];
      for (int32_t j = 0; j < N; j++) {
        assert_int_equal(bcsr_find(&pattern, i, j), coupled[i][j] ? at : -1);
        if (!coupled[i][j]) continue;
        assert_int_equal(pattern.columns[at], j);
        if (i == j) assert_int_equal(pattern.diagonal[i], at);
        at++;
      }
      assert_int_equal(pattern.row_start[i + 1], at);
    }
    arena_free(&memory);
  }
}

static void no_rows_and_no_elements(void **state) {
  (void)state;
  arena memory = {0};
  bcsr_pattern pattern;
  claim_ok(bcsr_analyze(0, NULL, 0, &memory, &pattern, err));
  assert_int_equal(bcsr_block_count(&pattern), 0);
  bcsr a = {&pattern, NULL};
  bcsr_multiply(&a, &(tasks){2}, NULL, NULL);

  claim_ok(bcsr_analyze(3, NULL, 0, &memory, &pattern, err));
  assert_int_equal(bcsr_block_count(&pattern), 3);
  for (int32_t i = 0; i < 3; i++) assert_int_equal(pattern.columns[pattern.diagonal[i]], i);
  arena_free(&memory);
}

static void products_are_right_and_equal_for_any_number_of_threads(void **state) {
  (void)state;
  uint64_t seed = 43;
  static int32_t tets[4 * TETS], hinges[4 * HINGES];
  random_elements(&seed, ROWS, 4 * TETS, tets);
  random_elements(&seed, ROWS, 4 * HINGES, hinges);
  bcsr_clique_set sets[] = {{tets, TETS, 4}, {hinges, HINGES, 4}};
  arena memory = {0};
  bcsr_pattern pattern;
  claim_ok(bcsr_analyze(ROWS, sets, 2, &memory, &pattern, err));

  bcsr a = {&pattern, ARENA_ARRAY(&memory, mat3, bcsr_block_count(&pattern))};
  for (int32_t k = 0; k < bcsr_block_count(&pattern); k++)
    for (int i = 0; i < 9; i++) a.blocks[k].m[i / 3][i % 3] = claim_between(&seed, -1, 1);
  static vec3 x[ROWS], y[4][ROWS];
  for (int i = 0; i < ROWS; i++)
    x[i] = vec3_make(claim_random(&seed), claim_random(&seed), claim_random(&seed));
  for (int threads = 1; threads <= 3; threads++)
    bcsr_multiply(&a, &(tasks){threads}, x, y[threads]);
  assert_memory_equal(y[1], y[2], sizeof y[1]);
  assert_memory_equal(y[1], y[3], sizeof y[1]);

  for (int32_t i = 0; i < ROWS; i++) {
    vec3 wanted = {0, 0, 0};
    for (int32_t j = 0; j < ROWS; j++) {
      int32_t k = bcsr_find(&pattern, i, j);
      if (k >= 0) wanted = vec3_add(wanted, mat3_mul_vec3(&a.blocks[k], x[j]));
    }
    claim_below(vec3_max_abs(vec3_sub(wanted, y[1][i])), 1e-13);
  }
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pattern_is_that_of_brute_force),
      cmocka_unit_test(no_rows_and_no_elements),
      cmocka_unit_test(products_are_right_and_equal_for_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
