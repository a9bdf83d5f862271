/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "math/anderson.h"

enum { SIZE = 13000 }; /* enough to be shared by threads */

/* G(v) = v + (c - D v): D has `kinds` different numbers between 0.05 and 1, and c is 1. */
static double run(int kinds, int rounds, bool mixing, int threads, double *v) {
  arena memory = {0};
  anderson a;
  tasks t = tasks_create(threads);
  claim_ok(anderson_create(SIZE, &t, &memory, &a, err));
  double *f = ARENA_ARRAY(&memory, double, SIZE), norm = 0;
  memset(v, 0, SIZE * sizeof *v);
  for (int k = 0; k <= rounds; k++) {
    norm = 0;
    for (int i = 0; i < SIZE; i++) {
      double d = 0.05 + 0.95 * (i % kinds) / (kinds > 1 ? kinds - 1 : 1);
      f[i] = 1 - d * v[i];
      norm += f[i] * f[i];
    }
    if (mixing && k < rounds)
      anderson_next(&a, f, v);
    else
      for (int i = 0; i < SIZE; i++) v[i] += f[i];
  }
  arena_free(&memory);
  return sqrt(norm / SIZE);
}

/* As GMRES does: one round for the first guess, one for each number of the spectrum. */
static void linear_iteration__is_solved_after_as_many_rounds_as_its_spectrum_has(void **unused) {
  (void)unused;
  static double v[SIZE];
  for (int kinds = 1; kinds <= ANDERSON_WINDOW; kinds++) {
    claim_below(run(kinds, kinds + 1, true, 1, v), 1e-7);
    if (kinds > 1) assert_true(run(kinds, kinds + 1, false, 1, v) > 0.3);
  }
}

static void broad_spectrum__converges_in_a_fraction_of_the_rounds(void **unused) {
  (void)unused;
  static double v[SIZE];
  double plain = run(40, 60, false, 1, v), mixed = run(40, 20, true, 1, v);
  claim_below(mixed, plain);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  static double one[SIZE], three[SIZE];
  run(40, 9, true, 1, one);
  run(40, 9, true, 3, three);
  assert_memory_equal(one, three, sizeof one);
}

/* Weights sum to 1: what every G(v) has in common, the mixture has. Here the sum of all v. */
static void what_every_round_keeps__is_kept(void **unused) {
  (void)unused;
  arena memory = {0};
  anderson a;
  tasks t = tasks_create(1);
  claim_ok(anderson_create(SIZE, &t, &memory, &a, err));
  static double v[SIZE], f[SIZE];
  uint64_t seed = 9;
  double wanted = 0;
  for (int i = 0; i < SIZE; i++) v[i] = claim_between(&seed, -1, 1);
  for (int i = 0; i < SIZE; i++) wanted += v[i];
  for (int k = 0; k < 12; k++) { /* neighbours approach each other */
    for (int i = 0; i < SIZE; i++)
      f[i] = 0.3 * (v[(i + 1) % SIZE] - v[i]) + 0.3 * (v[(i + SIZE - 1) % SIZE] - v[i]);
    anderson_next(&a, f, v);
    double sum = 0;
    for (int i = 0; i < SIZE; i++) sum += v[i];
    claim_near(sum, wanted, 1e-10);
  }
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_iteration__is_solved_after_as_many_rounds_as_its_spectrum_has),
      cmocka_unit_test(broad_spectrum__converges_in_a_fraction_of_the_rounds),
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(what_every_round_keeps__is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
