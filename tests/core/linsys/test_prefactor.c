/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "linsys/prefactor.h"

typedef struct plate {
  arena memory;
  bcsr_pattern pattern;
  double *values;
} plate;

/* A square grid, each node coupled with its eight neighbours, at random, and a little mass. */
static void make_plate(int side, double mass, uint64_t *seed, plate *out) {
  *out = (plate){0};
  size_t cells = (size_t)(side - 1) * (size_t)(side - 1), e = 0;
  int32_t *rows = ARENA_ARRAY(&out->memory, int32_t, 4 * cells);
  for (int j = 0; j + 1 < side; j++)
    for (int i = 0; i + 1 < side; i++, e++)
      for (int k = 0; k < 4; k++) rows[4 * e + (size_t)k] = (j + k / 2) * side + i + k % 2;
  bcsr_clique_set set = {rows, cells, 4};
  claim_ok(bcsr_analyze(side * side, &set, 1, &out->memory, &out->pattern, err));
  bcsr_pattern *p = &out->pattern;
  out->values = ARENA_ARRAY(&out->memory, double, bcsr_block_count(p));
  for (int32_t i = 0; i < p->rows; i++)
    for (int32_t k = p->row_start[i]; k < p->diagonal[i]; k++) {
      int32_t j = p->columns[k];
      double w = claim_between(seed, 0.1, 1);
      out->values[k] -= w;
      out->values[bcsr_find(p, j, i)] -= w;
      out->values[p->diagonal[i]] += w;
      out->values[p->diagonal[j]] += w;
    }
  for (int32_t i = 0; i < p->rows; i++) out->values[p->diagonal[i]] += mass;
}

static vec3 *random_rows(plate *s, size_t count, uint64_t *seed) {
  vec3 *b = ARENA_ARRAY(&s->memory, vec3, count);
  for (size_t i = 0; i < 3 * count; i++) (&b->x)[i] = claim_between(seed, -1, 1);
  return b;
}

/* |b - A x|, at most, for the three right-hand sides; row i stands at places[i]. */
static double worst(const plate *s, const int32_t *places, const vec3 *b, const vec3 *x) {
  double most = 0;
  for (int32_t i = 0; i < s->pattern.rows; i++) {
    vec3 left = b[places[i]];
    for (int32_t k = s->pattern.row_start[i]; k < s->pattern.row_start[i + 1]; k++)
      left = vec3_madd(left, -s->values[k], x[places[s->pattern.columns[k]]]);
    most = fmax(most, vec3_norm(left));
  }
  return most;
}

static void solve__leaves_a_residual_of_rounding(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  const int sides[] = {2, 3, 10, 47, 90};
  for (int k = 0; k < 5; k++) {
    plate s;
    make_plate(sides[k], 1e-3, &seed, &s);
    size_t rows = (size_t)s.pattern.rows;
    int32_t *places = ARENA_ARRAY(&s.memory, int32_t, rows);
    for (size_t i = 0; i < rows; i++) places[i] = (int32_t)i;
    vec3 *b = random_rows(&s, rows, &seed), *x = ARENA_ARRAY(&s.memory, vec3, rows);
    tasks one = tasks_create(1);
    prefactor *p;
    claim_ok(prefactor_create(&s.pattern, s.values, NULL, &one, &p, err));
    prefactor_solve(p, b, x);
    claim_below(worst(&s, places, b, x), 1e-11);
    prefactor_solve(p, x, x); /* in place */
    prefactor_free(p);
    arena_free(&s.memory);
  }
}

static void rows__may_stand_anywhere_in_the_vectors(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  plate s;
  make_plate(20, 0.1, &seed, &s);
  size_t rows = (size_t)s.pattern.rows;
  int32_t *places = ARENA_ARRAY(&s.memory, int32_t, rows);
  for (size_t i = 0; i < rows; i++) places[i] = (int32_t)(2 * (rows - i) - 1);
  vec3 *b = random_rows(&s, 2 * rows, &seed), *x = ARENA_ARRAY(&s.memory, vec3, 2 * rows);
  for (size_t i = 0; i < 2 * rows; i++) x[i] = vec3_make(7, 7, 7);
  tasks one = tasks_create(1);
  prefactor *p;
  claim_ok(prefactor_create(&s.pattern, s.values, places, &one, &p, err));
  prefactor_solve(p, b, x);
  claim_below(worst(&s, places, b, x), 1e-12);
  for (size_t i = 0; i < rows; i++) claim_near(x[2 * i].x, 7, 0);
  prefactor_free(p);
  arena_free(&s.memory);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  plate s;
  make_plate(120, 1e-3, &seed, &s);
  size_t rows = (size_t)s.pattern.rows;
  vec3 *b = random_rows(&s, rows, &seed);
  vec3 *x[3];
  for (int t = 0; t < 3; t++) {
    tasks some = tasks_create(t + 1);
    prefactor *p;
    x[t] = ARENA_ARRAY(&s.memory, vec3, rows);
    claim_ok(prefactor_create(&s.pattern, s.values, NULL, &some, &p, err));
    assert_true(prefactor_size(p) > 600000); /* enough to be shared */
    prefactor_solve(p, b, x[t]);
    assert_memory_equal(x[t], x[0], rows * sizeof **x);
    prefactor_free(p);
  }
  arena_free(&s.memory);
}

static void matrix_that_is_not_positive__is_refused(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  const double masses[] = {-1e-3, NAN};
  for (int k = 0; k < 2; k++) {
    plate s;
    make_plate(12, masses[k], &seed, &s);
    tasks one = tasks_create(1);
    prefactor *p;
    claim_fails(prefactor_create(&s.pattern, s.values, NULL, &one, &p, err), TRIBO_BAD_INPUT,
                "not positive definite");
    assert_null(p);
    arena_free(&s.memory);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solve__leaves_a_residual_of_rounding),
      cmocka_unit_test(rows__may_stand_anywhere_in_the_vectors),
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(matrix_that_is_not_positive__is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
