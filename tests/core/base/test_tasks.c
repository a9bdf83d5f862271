/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tasks.h"

#include "claims.h"

static const int thread_counts[] = {1, 2, 3, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

typedef struct visit {
  int *times;
  size_t grain, count;
} visit;

static void count_visits(void *context, size_t begin, size_t end) {
  visit *v = context;
  for (size_t i = begin; i < end; i++) v->times[i]++;
}

static void tasks__visit_every_index_once(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 2, 6, 7, 8, 1000, 4099};
  static const size_t grains[] = {0, 1, 64, 100000};
  for (int t = 0; t < THREAD_COUNTS; t++)
    for (size_t c = 0; c < 8; c++)
      for (size_t g = 0; g < 4; g++) {
        tasks pool = tasks_create(thread_counts[t]);
        visit v = {calloc(counts[c] + 1, sizeof(int)), grains[g], counts[c]};
        tasks_for(&pool, counts[c], grains[g], count_visits, &v);
        for (size_t i = 0; i < counts[c]; i++) assert_int_equal(v.times[i], 1);
        assert_int_equal(v.times[counts[c]], 0);
        free(v.times);
      }
}

static void mark_short_pieces(void *context, size_t begin, size_t end) {
  visit *v = context;
  if (end - begin < v->grain) v->times[begin] = 1;
}

static void tasks__cut_no_piece_below_the_grain(void **state) {
  (void)state;
  tasks pool = tasks_create(7);
  visit v = {calloc(1000, sizeof(int)), 150, 1000};
  tasks_for(&pool, v.count, v.grain, mark_short_pieces, &v);
  for (size_t i = 0; i < v.count; i++) assert_int_equal(v.times[i], 0);
  free(v.times);
}

static double *random_values(size_t count, uint64_t seed) {
  double *values = malloc((count + 1) * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = claim_between(&seed, -1, 1) * pow(10, claim_between(&seed, -8, 8));
  return values;
}

static void tasks__sum_to_the_same_bits_for_any_number_of_threads(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 5, 2047, 2048, 2049, 100003, 1200001};
  for (size_t c = 0; c < 8; c++) {
    double *a = random_values(counts[c], 1), *b = random_values(counts[c], 2);
    tasks alone = tasks_create(1);
    double sum = tasks_sum(&alone, a, counts[c]), dot = tasks_dot(&alone, a, b, counts[c]);
    for (int t = 1; t < THREAD_COUNTS; t++) {
      tasks pool = tasks_create(thread_counts[t]);
      double other_sum = tasks_sum(&pool, a, counts[c]);
      double other_dot = tasks_dot(&pool, a, b, counts[c]);
      assert_memory_equal(&sum, &other_sum, sizeof sum);
      assert_memory_equal(&dot, &other_dot, sizeof dot);
    }
    free(a);
    free(b);
  }
}

static void tasks__sum_and_dot_are_right(void **state) {
  (void)state;
  enum { COUNT = 600000 };
  double *ones = malloc(COUNT * sizeof *ones), *ramp = malloc(COUNT * sizeof *ramp);
  for (size_t i = 0; i < COUNT; i++) {
    ones[i] = 1;
    ramp[i] = (double)i;
  }
  tasks pool = tasks_create(2);
  claim_near(tasks_sum(&pool, ramp, COUNT), 0.5 * COUNT * (COUNT - 1.0), 0);
  claim_near(tasks_dot(&pool, ramp, ones, COUNT), 0.5 * COUNT * (COUNT - 1.0), 0);
  claim_near(tasks_sum(&pool, NULL, 0), 0, 0);
  free(ones);
  free(ramp);
}

static void tasks__use_the_whole_machine_when_not_told(void **state) {
  (void)state;
  assert_true(tasks_create(0).threads >= 1);
  assert_int_equal(tasks_create(0).threads, tasks_create(-3).threads);
  assert_int_equal(tasks_create(5).threads, 5);
}

typedef struct nested {
  const tasks *pool;
  double *values;
  double *sums;
} nested;

static void sum_inside(void *context, size_t begin, size_t end) {
  nested *n = context;
  for (size_t i = begin; i < end; i++) n->sums[i] = tasks_sum(n->pool, n->values, 100003);
}

static void tasks__sum_to_the_same_bits_inside_a_loop(void **state) {
  (void)state;
  tasks pool = tasks_create(3);
  double sums[6], *values = random_values(100003, 3);
  nested n = {&pool, values, sums};
  tasks_for(&pool, 6, 1, sum_inside, &n);
  double expected = tasks_sum(&pool, values, 100003);
  for (int i = 0; i < 6; i++) assert_memory_equal(&sums[i], &expected, sizeof expected);
  free(values);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(tasks__visit_every_index_once),
      cmocka_unit_test(tasks__cut_no_piece_below_the_grain),
      cmocka_unit_test(tasks__sum_to_the_same_bits_for_any_number_of_threads),
      cmocka_unit_test(tasks__sum_and_dot_are_right),
      cmocka_unit_test(tasks__use_the_whole_machine_when_not_told),
      cmocka_unit_test(tasks__sum_to_the_same_bits_inside_a_loop),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
