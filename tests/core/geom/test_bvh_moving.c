/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/bvh_moving.h"

enum { MANY = 600, QUERIES = 200 };

static uint64_t seed = 2718;

static bvh_box random_box(double size, double half) {
  double at[3], by[3];
  for (int k = 0; k < 3; k++) at[k] = claim_between(&seed, -size, size);
  for (int k = 0; k < 3; k++) by[k] = claim_between(&seed, 0, half);
  return (bvh_box){vec3_make(at[0] - by[0], at[1] - by[1], at[2] - by[2]),
                   vec3_make(at[0] + by[0], at[1] + by[1], at[2] + by[2])};
}

static double apart(bvh_box a, bvh_box b) {
  vec3 d = {fmax(0, fmax(a.low.x - b.high.x, b.low.x - a.high.x)),
            fmax(0, fmax(a.low.y - b.high.y, b.low.y - a.high.y)),
            fmax(0, fmax(a.low.z - b.high.z, b.low.z - a.high.z))};
  return vec3_norm(d);
}

static double across(bvh_box a, bvh_box b) {
  vec3 d = {fmax(a.high.x - b.low.x, b.high.x - a.low.x),
            fmax(a.high.y - b.low.y, b.high.y - a.low.y),
            fmax(a.high.z - b.low.z, b.high.z - a.low.z)};
  return vec3_norm(d);
}

static void mark(void *context, int32_t item) { ((int *)context)[item]++; }

/* Every one that is asked for is visited once, none beyond a millionth, and the tree is refitted to
 * other places than it was built with. */
static void what_may_come_near_is_that_of_asking_all(void **state) {
  (void)state;
  static bvh_box rest[MANY], at[MANY], velocity[MANY];
  arena memory = {0};
  bvh_moving tree;
  tasks one = tasks_create(1);
  int met = 0, fast = 0;
  for (int i = 0; i < MANY; i++) {
    rest[i] = random_box(1, 0.05);
    at[i] = random_box(1, 0.05);
    velocity[i] = random_box(2, 0.1);
  }
  claim_ok(bvh_moving_build(rest, MANY, &memory, &tree, err));
  bvh_moving_refit(&one, at, velocity, &tree);
  for (int k = 0; k < QUERIES; k++) {
    bvh_approach asked = {random_box(1, 0.05), random_box(2, 0.1), 0.1, 0.05, 0.3};
    int seen[MANY] = {0};
    bvh_moving_visit(&tree, &asked, mark, seen);
    for (int i = 0; i < MANY; i++) {
      double reach = asked.near + asked.time * across(velocity[i], asked.velocity);
      double distance = apart(at[i], asked.at), limit = fmin(asked.most, reach);
      if (distance <= limit) assert_int_equal(seen[i], 1);
      if (distance > limit * (1 + 1e-5) + 1e-6) assert_int_equal(seen[i], 0);
      met += distance <= limit;
      fast += distance > limit && distance < asked.most;
    }
  }
  assert_true(met > QUERIES && fast > QUERIES);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_may_come_near_is_that_of_asking_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
