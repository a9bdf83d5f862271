/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tasks.h"
#include "claims.h"

enum { JOBS = 2000, CELLS = 64 };

typedef struct run {
  const int32_t *parent;
  const tasks *tasks;
  atomic_int clock;
  int when[JOBS];
  atomic_int busy[4]; /* workers */
  atomic_bool shared;
  int cells[JOBS][CELLS];
} run;

static void count_cells(void *context, size_t begin, size_t end) {
  int *cells = context;
  for (size_t i = begin; i < end; i++) cells[i]++;
}

static void note(void *context, size_t job, int worker) {
  run *r = context;
  if (atomic_fetch_add(&r->busy[worker], 1) != 0) atomic_store(&r->shared, true);
  tasks_for(r->tasks, CELLS, 4, count_cells, r->cells[job]);
  r->when[job] = 1 + atomic_fetch_add(&r->clock, 1);
  atomic_fetch_sub(&r->busy[worker], 1);
}

static void random_forest(uint64_t *seed, int32_t *parent) {
  for (int32_t i = 0; i < JOBS; i++) {
    double far = claim_random(seed);
    int32_t up = i + 1 + (int32_t)(far * far * far * 40);
    parent[i] = up < JOBS && claim_random(seed) < 0.99 ? up : -1;
  }
}

static void claim_order(int threads, bool up, uint64_t *seed) {
  static int32_t parent[JOBS];
  static run r;
  random_forest(seed, parent);
  tasks t = {threads};
  arena memory = {0};
  tasks_forest forest;
  assert_true(tasks_forest_create(JOBS, parent, &memory, &forest));
  for (int round = 0; round < 3; round++) { /* one forest serves again and again */
    memset(&r, 0, sizeof r);
    r.parent = parent;
    r.tasks = &t;
    (up ? tasks_tree_up : tasks_tree_down)(&t, &forest, note, &r);
    assert_int_equal(atomic_load(&r.clock), JOBS);
    assert_false(atomic_load(&r.shared));
    for (int i = 0; i < JOBS; i++) {
      assert_true(r.when[i] > 0);
      for (int c = 0; c < CELLS; c++) assert_int_equal(r.cells[i][c], 1);
      if (parent[i] >= 0)
        assert_true(up ? r.when[i] < r.when[parent[i]] : r.when[i] > r.when[parent[i]]);
    }
  }
  arena_free(&memory);
}

static void children_run_before_their_parent(void **state) {
  (void)state;
  uint64_t seed = 89;
  for (int threads = 1; threads <= 4; threads++) claim_order(threads, true, &seed);
}

static void parents_run_before_their_children(void **state) {
  (void)state;
  uint64_t seed = 97;
  for (int threads = 1; threads <= 4; threads++) claim_order(threads, false, &seed);
}

static void an_empty_forest_is_done_at_once(void **state) {
  (void)state;
  arena memory = {0};
  tasks_forest forest;
  assert_true(tasks_forest_create(0, NULL, &memory, &forest));
  tasks_tree_up(&(tasks){2}, &forest, note, NULL);
  tasks_tree_down(&(tasks){2}, &forest, note, NULL);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_run_before_their_parent),
      cmocka_unit_test(parents_run_before_their_children),
      cmocka_unit_test(an_empty_forest_is_done_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
