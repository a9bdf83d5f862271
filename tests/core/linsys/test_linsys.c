/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "linsys/backend.h"
#include "linsys/blas.h"
#include "linsys/linsys.h"

int openblas_get_num_threads(void);
void openblas_set_num_threads(int count);

static const linsys_kind all_kinds[] = {LINSYS_AUTO, LINSYS_CHOLMOD, LINSYS_PARDISO, LINSYS_CG};
enum { KINDS = 4 };

typedef struct system {
  arena memory;
  bcsr_pattern pattern;
  bcsr a;
  size_t n; /* scalar rows */
} system_t;

/* Random couplings, and a diagonal that outweighs each row: positive definite. */
static void fill(system_t *s, uint64_t *seed) {
  bcsr_pattern *pattern = &s->pattern;
  for (int32_t i = 0; i < pattern->rows; i++)
    for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      int32_t j = pattern->columns[k];
      if (j < i) continue;
      mat3 block;
      for (int e = 0; e < 9; e++) block.m[e / 3][e % 3] = claim_between(seed, -1, 1);
      if (i == j) {
        mat3 transposed = mat3_transposed(&block);
        block = mat3_add(&block, &transposed);
        for (int e = 0; e < 3; e++)
          block.m[e][e] += 3 * (1 + pattern->row_start[i + 1] - pattern->row_start[i]);
      }
      s->a.blocks[k] = block;
      s->a.blocks[bcsr_find(pattern, j, i)] = mat3_transposed(&block);
    }
}

static system_t *system_from(int32_t rows, const bcsr_clique_set *set, uint64_t *seed) {
  system_t *s = calloc(1, sizeof *s);
  s->n = 3 * (size_t)rows;
  claim_ok(bcsr_analyze(rows, set, 1, &s->memory, &s->pattern, err));
  s->a = (bcsr){&s->pattern, ARENA_ARRAY(&s->memory, mat3, bcsr_block_count(&s->pattern))};
  fill(s, seed);
  return s;
}

/* A chain with some random far couplings. */
static system_t *random_system(int32_t rows, uint64_t *seed) {
  size_t count = (size_t)rows + (size_t)rows / 3;
  int32_t *elements = malloc(3 * count * sizeof *elements);
  for (size_t e = 0; e < count; e++)
    for (size_t k = 0; k < 3; k++)
      elements[3 * e + k] = e < (size_t)rows ? (int32_t)((e + k) % (size_t)rows)
                                             : (int32_t)(claim_random(seed) * rows);
  system_t *s = system_from(rows, &(bcsr_clique_set){elements, count, 3}, seed);
  free(elements);
  return s;
}

/* The vertices of a box of cubes, each cube one element: what a solid looks like. */
static system_t *solid_system(int32_t side, uint64_t *seed) {
  size_t count = 0;
  int32_t cells = side - 1,
          *elements = malloc(8 * (size_t)(cells * cells * cells) * sizeof(int32_t));
  for (int32_t x = 0; x < cells; x++)
    for (int32_t y = 0; y < cells; y++)
      for (int32_t z = 0; z < cells; z++, count++)
        for (int32_t k = 0; k < 8; k++)
          elements[8 * count + (size_t)k] =
              ((x + (k & 1)) * side + y + ((k >> 1) & 1)) * side + z + (k >> 2);
  system_t *s = system_from(side * side * side, &(bcsr_clique_set){elements, count, 8}, seed);
  free(elements);
  return s;
}

static void system_free(system_t *s) {
  arena_free(&s->memory);
  free(s);
}

static linsys_options options_of(linsys_kind kind, int threads) {
  return (linsys_options){
      .kind = kind, .tasks = {threads}, .cg_tolerance = 1e-13, .cg_iterations = 1000};
}

/* NULL when the backend is not on this machine; that must be said with a remedy. */
static linsys *create(linsys_kind kind, int threads, const bcsr_pattern *pattern) {
  linsys_options options = options_of(kind, threads);
  linsys *solver = NULL;
  tribo_error err = {0};
  tribo_status status = linsys_create(&options, pattern, &solver, &err);
  if (status == TRIBO_UNAVAILABLE && kind == LINSYS_PARDISO) {
    assert_non_null(strstr(err.message, "scripts/setup --with-mkl"));
    print_message("pardiso skipped: %s\n", err.message);
    return NULL;
  }
  if (status != TRIBO_OK) fail_msg("%s", err.message);
  return solver;
}

static linsys_outcome factored(linsys *solver, const bcsr *a) {
  linsys_outcome outcome = LINSYS_NOT_CONVERGED;
  linsys_values(solver, a);
  claim_ok(linsys_factor(solver, &outcome, err));
  return outcome;
}

static linsys_outcome solved(linsys *solver, const double *b, int nrhs, double *x) {
  linsys_outcome outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  claim_ok(linsys_solve(solver, b, nrhs, x, &outcome, err));
  return outcome;
}

static double *random_vector(size_t n, uint64_t *seed) {
  double *x = malloc(n * sizeof *x);
  for (size_t i = 0; i < n; i++) x[i] = claim_between(seed, -1, 1);
  return x;
}

static double *product(const system_t *s, const double *x, int nrhs) {
  double *b = malloc(s->n * (size_t)nrhs * sizeof *b);
  for (size_t k = 0; k < (size_t)nrhs; k++)
    bcsr_multiply(&s->a, &(tasks){1}, (const vec3 *)(x + k * s->n), (vec3 *)(b + k * s->n));
  return b;
}

static void claim_same(const double *a, const double *b, size_t n, double tolerance) {
  for (size_t i = 0; i < n; i++) claim_near(a[i], b[i], tolerance);
}

static void claim_inverts(linsys *solver, const system_t *s, int nrhs, uint64_t *seed) {
  double *wanted = random_vector(s->n * (size_t)nrhs, seed);
  double *b = product(s, wanted, nrhs), *x = random_vector(s->n * (size_t)nrhs, seed);
  assert_int_equal(solved(solver, b, nrhs, x), LINSYS_DONE);
  claim_same(x, wanted, s->n * (size_t)nrhs, 1e-10);
  assert_int_equal(solved(solver, b, nrhs, b), LINSYS_DONE); /* in place */
  if (linsys_capabilities(solver)->deterministic)
    assert_memory_equal(b, x, s->n * (size_t)nrhs * sizeof *x);
  else
    claim_same(b, x, s->n * (size_t)nrhs, 1e-12);
  free(wanted);
  free(b);
  free(x);
}

static void claim_solves(linsys *solver, const system_t *s, int nrhs, uint64_t *seed) {
  assert_int_equal(factored(solver, &s->a), LINSYS_DONE);
  claim_inverts(solver, s, nrhs, seed);
}

static void every_backend_solves_systems_of_any_size(void **state) {
  (void)state;
  uint64_t seed = 51;
  const int32_t sizes[] = {1, 2, 3, 10, 57, 400, 1500};
  for (int k = 0; k < KINDS; k++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      system_t *s = random_system(sizes[i], &seed);
      linsys *solver = create(all_kinds[k], 2, &s->pattern);
      if (solver) {
        claim_solves(solver, s, 1, &seed);
        claim_solves(solver, s, 5, &seed);
        claim_solves(solver, s, 2, &seed);
      }
      linsys_free(solver);
      system_free(s);
    }
}

static void new_values_need_no_new_analysis(void **state) {
  (void)state;
  uint64_t seed = 53;
  system_t *s = solid_system(9, &seed);
  for (int k = 0; k < KINDS; k++) {
    linsys *solver = create(all_kinds[k], 2, &s->pattern);
    for (int round = 0; solver && round < 4; round++) {
      fill(s, &seed);
      claim_solves(solver, s, 1 + round, &seed);
    }
    linsys_free(solver);
  }
  system_free(s);
}

/* Rows that couple with nothing, and islands: a forest instead of a tree. */
static void systems_may_fall_apart(void **state) {
  (void)state;
  uint64_t seed = 59;
  const int32_t pairs[] = {0, 5, 5, 9, 20, 21, 30, 2};
  system_t *s = system_from(40, &(bcsr_clique_set){pairs, 4, 2}, &seed);
  for (int k = 0; k < KINDS; k++) {
    linsys *solver = create(all_kinds[k], 2, &s->pattern);
    if (solver) claim_solves(solver, s, 3, &seed);
    linsys_free(solver);
  }
  system_free(s);
}

static void a_system_without_rows_is_solved(void **state) {
  (void)state;
  arena memory = {0};
  bcsr_pattern pattern;
  claim_ok(bcsr_analyze(0, NULL, 0, &memory, &pattern, err));
  bcsr a = {&pattern, NULL};
  for (int k = 0; k < KINDS; k++) {
    linsys *solver = create(all_kinds[k], 2, &pattern);
    if (!solver) continue;
    assert_int_equal(factored(solver, &a), LINSYS_DONE);
    assert_int_equal(solved(solver, NULL, 1, NULL), LINSYS_DONE);
    assert_int_equal(linsys_inertia(solver), 0);
    linsys_free(solver);
  }
  arena_free(&memory);
}

/* What a matrix without a Cholesky factor comes to, wherever the backend notices it. */
static linsys_outcome outcome_of(linsys *solver, const system_t *s, uint64_t *seed) {
  linsys_outcome outcome = factored(solver, &s->a);
  if (outcome == LINSYS_DONE) {
    double *b = random_vector(s->n, seed);
    outcome = solved(solver, b, 1, b);
    free(b);
  }
  return outcome;
}

static void what_is_not_positive_definite_is_an_outcome(void **state) {
  (void)state;
  uint64_t seed = 61;
  system_t *s = solid_system(7, &seed);
  for (int k = 0; k < KINDS; k++) {
    linsys *solver = create(all_kinds[k], 2, &s->pattern);
    if (!solver) continue;
    bool indefinite = linsys_capabilities(solver)->indefinite;
    for (int32_t row = 0; row < s->pattern.rows; row += 38) {
      double *entry = &s->a.blocks[s->pattern.diagonal[row]].m[1][1], kept = *entry;
      const double wrong[] = {-kept, NAN};
      for (int w = 0; w < 2; w++) {
        *entry = wrong[w];
        assert_int_equal(outcome_of(solver, s, &seed), LINSYS_NOT_POSITIVE_DEFINITE);
        if (indefinite && !isnan(wrong[w])) {
          assert_int_equal(linsys_inertia(solver), 1);
          claim_inverts(solver, s, 1, &seed);
        }
      }
      *entry = kept;
      claim_solves(solver, s, 1, &seed); /* and the solver is as good as before */
      assert_true(linsys_inertia(solver) <= 0);
    }
    linsys_free(solver);
  }
  system_free(s);
}

/* A block of zeros on the diagonal, coupled with nothing. */
static void what_is_singular_is_an_outcome(void **state) {
  (void)state;
  uint64_t seed = 67;
  const int32_t pairs[] = {0, 1, 1, 2};
  system_t *s = system_from(4, &(bcsr_clique_set){pairs, 2, 2}, &seed);
  s->a.blocks[s->pattern.diagonal[3]] = (mat3){0};
  for (int k = 0; k < KINDS; k++) {
    linsys *solver = create(all_kinds[k], 1, &s->pattern);
    if (solver) assert_int_equal(outcome_of(solver, s, &seed), LINSYS_NOT_POSITIVE_DEFINITE);
    linsys_free(solver);
  }
  system_free(s);
}

static void bits_do_not_depend_on_threads(void **state) {
  (void)state;
  uint64_t seed = 71;
  system_t *systems[] = {solid_system(14, &seed), random_system(1200, &seed)};
  const int threads[] = {1, 2, 4};
  for (size_t i = 0; i < 2; i++) {
    system_t *s = systems[i];
    double *b = random_vector(3 * s->n, &seed), *first = random_vector(3 * s->n, &seed);
    double *x = random_vector(3 * s->n, &seed);
    for (int k = 0; k < KINDS; k++)
      for (int t = 0; t < 3; t++) {
        linsys *solver = create(all_kinds[k], threads[t], &s->pattern);
        if (!solver) continue;
        if (linsys_capabilities(solver)->deterministic) {
          assert_int_equal(factored(solver, &s->a), LINSYS_DONE);
          assert_int_equal(solved(solver, b, 3, t ? x : first), LINSYS_DONE);
          if (t) assert_memory_equal(x, first, 3 * s->n * sizeof *x);
        }
        linsys_free(solver);
      }
    free(b);
    free(first);
    free(x);
    system_free(s);
  }
}

static void the_hosts_number_of_blas_threads_comes_back(void **state) {
  (void)state;
  for (int threads = 1; threads <= 2; threads++) {
    openblas_set_num_threads(threads);
    blas_hold_threads();
    assert_int_equal(openblas_get_num_threads(), 1);
    blas_hold_threads();
    blas_release_threads();
    assert_int_equal(openblas_get_num_threads(), 1);
    blas_release_threads();
    assert_int_equal(openblas_get_num_threads(), threads);
  }
}

static void an_iterative_solver_says_when_it_stops_early(void **state) {
  (void)state;
  uint64_t seed = 79;
  system_t *s = random_system(500, &seed);
  linsys_options options = options_of(LINSYS_CG, 2);
  options.cg_iterations = 2;
  linsys *solver;
  claim_ok(linsys_create(&options, &s->pattern, &solver, err));
  double *b = random_vector(s->n, &seed);
  assert_int_equal(factored(solver, &s->a), LINSYS_DONE);
  assert_int_equal(solved(solver, b, 1, b), LINSYS_NOT_CONVERGED);
  assert_int_equal(linsys_iterations(solver), 2);
  memset(b, 0, s->n * sizeof *b);
  assert_int_equal(solved(solver, b, 1, b), LINSYS_DONE);
  assert_int_equal(linsys_iterations(solver), 0);
  free(b);
  linsys_free(solver);
  system_free(s);
}

/* What AUTO goes by: the size of the factors, known after the analysis. */
static void a_factorisation_that_does_not_fit_is_not_begun(void **state) {
  (void)state;
  uint64_t seed = 83;
  system_t *s = solid_system(8, &seed);
  linsys_options options = options_of(LINSYS_AUTO, 1);
  void *created = &seed;
  claim_ok(linsys_cholmod_within(&options, &s->pattern, NULL, 1000, &created, err));
  assert_null(created);
  claim_ok(linsys_cholmod_within(&options, &s->pattern, NULL, 1e8, &created, err));
  assert_non_null(created);
  linsys_backend_cholmod.free(created);
  linsys *solver = create(LINSYS_AUTO, 1, &s->pattern);
  assert_string_equal(linsys_capabilities(solver)->name, "cholmod");
  linsys_free(solver);
  system_free(s);
}

/* Two boxes, and `count` couplings between random vertices of one and the other. */
static system_t *boxes_in_contact(int32_t side, size_t count, uint64_t *seed) {
  uint64_t unused = 1;
  system_t *box = solid_system(side, &unused);
  int32_t rows = box->pattern.rows, blocks = bcsr_block_count(&box->pattern);
  size_t pairs = 2 * (size_t)blocks + count, at = 0;
  int32_t *elements = malloc(2 * pairs * sizeof *elements);
  for (int32_t body = 0; body < 2; body++)
    for (int32_t i = 0; i < rows; i++)
      for (int32_t k = box->pattern.row_start[i]; k < box->pattern.row_start[i + 1]; k++) {
        elements[at++] = body * rows + i;
        elements[at++] = body * rows + box->pattern.columns[k];
      }
  while (at < 2 * pairs) {
    elements[at++] = (int32_t)(claim_random(seed) * rows);
    elements[at++] = rows + (int32_t)(claim_random(seed) * rows);
  }
  system_t *s = system_from(2 * rows, &(bcsr_clique_set){elements, pairs, 2}, seed);
  free(elements);
  system_free(box);
  return s;
}

static void a_system_made_like_another_is_solved(void **state) {
  (void)state;
  uint64_t seed = 89;
  system_t *apart = boxes_in_contact(5, 0, &seed), *touching = boxes_in_contact(5, 20, &seed);
  for (int b = 0; b < KINDS; b++)
    for (int k = 0; k < KINDS; k++) {
      linsys *base = create(all_kinds[b], 1, &apart->pattern), *solver = NULL;
      linsys_options options = options_of(all_kinds[k], 2);
      if (!base) continue;
      tribo_status status = linsys_create_like(base, &options, &touching->pattern, &solver, NULL);
      linsys_free(base); /* not needed any more */
      if (status == TRIBO_UNAVAILABLE) continue;
      assert_int_equal(status, TRIBO_OK);
      claim_solves(solver, touching, 2, &seed);
      linsys_free(solver);
    }
  system_free(apart);
  system_free(touching);
}

static double flops_like(const system_t *s, const void *like, linsys_options *options) {
  void *made = NULL;
  claim_ok(linsys_cholmod_within(options, &s->pattern, like, 1e10, &made, err));
  double flops = linsys_cholmod_flops(made);
  linsys_backend_cholmod.free(made);
  return flops;
}

/* Few couplings more: the ordering is kept, and costs about what a new one would. So many that it
 * would not do: it is made anew. */
static void an_ordering_is_taken_over_only_where_it_is_good(void **state) {
  (void)state;
  uint64_t seed = 97;
  linsys_options options = options_of(LINSYS_CHOLMOD, 1);
  system_t *apart = boxes_in_contact(9, 0, &seed);
  void *base = NULL;
  claim_ok(linsys_cholmod_within(&options, &apart->pattern, NULL, 1e10, &base, err));
  assert_true(flops_like(apart, base, &options) <= 1.001 * linsys_cholmod_flops(base));

  system_t *touching = boxes_in_contact(9, 20, &seed);
  double kept = flops_like(touching, base, &options), anew = flops_like(touching, NULL, &options);
  assert_true(kept != anew);
  claim_below(kept, 1.5 * anew);

  system_t *tangled = boxes_in_contact(9, 900, &seed);
  assert_true(flops_like(tangled, base, &options) == flops_like(tangled, NULL, &options));
  linsys_backend_cholmod.free(base);
  system_free(apart);
  system_free(touching);
  system_free(tangled);
}

/* The way to a pattern must not matter, or a resumed bake would part from one that ran through. */
static void what_is_made_like_another_depends_on_patterns_alone(void **state) {
  (void)state;
  uint64_t seed = 101;
  system_t *apart = boxes_in_contact(7, 0, &seed), *before = boxes_in_contact(7, 15, &seed),
           *touching = boxes_in_contact(7, 30, &seed);
  linsys_options options = options_of(LINSYS_AUTO, 1);
  double *b = random_vector(touching->n, &seed), *first = random_vector(touching->n, &seed);
  double *x = random_vector(touching->n, &seed);
  linsys *base = create(LINSYS_AUTO, 1, &apart->pattern);
  for (int busy = 0; busy < 2; busy++) {
    linsys *earlier = NULL, *solver = NULL;
    if (busy) {
      claim_ok(linsys_create_like(base, &options, &before->pattern, &earlier, err));
      claim_solves(earlier, before, 1, &seed);
      claim_solves(base, apart, 1, &seed);
    }
    claim_ok(linsys_create_like(base, &options, &touching->pattern, &solver, err));
    assert_int_equal(factored(solver, &touching->a), LINSYS_DONE);
    assert_int_equal(solved(solver, b, 1, busy ? x : first), LINSYS_DONE);
    linsys_free(earlier);
    linsys_free(solver);
  }
  assert_memory_equal(x, first, touching->n * sizeof *x);
  linsys_free(base);
  free(b);
  free(first);
  free(x);
  system_free(apart);
  system_free(before);
  system_free(touching);
}

/* Three directions cost little more than one, and are the same numbers. */
static void vectors_together_are_vectors_one_by_one(void **state) {
  (void)state;
  uint64_t seed = 103;
  system_t *s = solid_system(9, &seed);
  double *b = random_vector(5 * s->n, &seed), *x = random_vector(5 * s->n, &seed);
  double *y = random_vector(5 * s->n, &seed);
  linsys *solver = create(LINSYS_CHOLMOD, 2, &s->pattern);
  assert_int_equal(factored(solver, &s->a), LINSYS_DONE);
  assert_int_equal(solved(solver, b, 5, x), LINSYS_DONE);
  for (size_t v = 0; v < 5; v++)
    assert_int_equal(solved(solver, b + v * s->n, 1, y + v * s->n), LINSYS_DONE);
  assert_memory_equal(x, y, 5 * s->n * sizeof *x);
  linsys_free(solver);
  free(b);
  free(x);
  free(y);
  system_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_backend_solves_systems_of_any_size),
      cmocka_unit_test(new_values_need_no_new_analysis),
      cmocka_unit_test(systems_may_fall_apart),
      cmocka_unit_test(a_system_without_rows_is_solved),
      cmocka_unit_test(what_is_not_positive_definite_is_an_outcome),
      cmocka_unit_test(what_is_singular_is_an_outcome),
      cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(the_hosts_number_of_blas_threads_comes_back),
      cmocka_unit_test(an_iterative_solver_says_when_it_stops_early),
      cmocka_unit_test(a_factorisation_that_does_not_fit_is_not_begun),
      cmocka_unit_test(a_system_made_like_another_is_solved),
      cmocka_unit_test(an_ordering_is_taken_over_only_where_it_is_good),
      cmocka_unit_test(what_is_made_like_another_depends_on_patterns_alone),
      cmocka_unit_test(vectors_together_are_vectors_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
