/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/bvh_moving.h"

enum { MANY = 603, POINTS = 3 * MANY };

static uint64_t seed = 2718;

static vec3 random_vec(double size) {
  double x = claim_between(&seed, -size, size), y = claim_between(&seed, -size, size);
  return vec3_make(x, y, claim_between(&seed, -size, size));
}

/* Groups of three that are near each other. */
static void scatter(vec3 *out, double size, double apart) {
  for (int i = 0; i < POINTS; i++)
    out[i] = i % 3 ? vec3_add(out[i - i % 3], random_vec(apart)) : random_vec(size);
}

static bvh_box box_of(const vec3 *x, const int32_t *corners, int arity) {
  bvh_box b = {x[corners[0]], x[corners[0]]};
  for (int k = 1; k < arity; k++) {
    vec3 p = x[corners[k]];
    b.low = vec3_make(fmin(b.low.x, p.x), fmin(b.low.y, p.y), fmin(b.low.z, p.z));
    b.high = vec3_make(fmax(b.high.x, p.x), fmax(b.high.y, p.y), fmax(b.high.z, p.z));
  }
  return b;
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

typedef struct marking {
  const bvh_moving *tree;
  const one_box *asked;
  int32_t last;
  int seen[MANY];
} marking;

static void mark(void *context, int32_t group) {
  marking *m = context;
  assert_true(group > m->last); /* in the order of the tree */
  m->last = group;
  for (unsigned bits = bvh_moving_met(m->tree, (size_t)group, m->asked); bits; bits &= bits - 1)
    m->seen[m->tree->order[EIGHT * group + __builtin_ctz(bits)]]++;
}

/* Every one that is asked for is visited once, none beyond a millionth, and the tree is refitted to
 * other places than it was built with. */
static void what_may_come_near_is_that_of_asking_all(void **unused) {
  (void)unused;
  static vec3 rest[POINTS], x[POINTS], v[POINTS];
  static bvh_motion motion[POINTS];
  static int32_t corners[POINTS];
  tasks one = tasks_create(1);
  for (int32_t i = 0; i < POINTS; i++) corners[i] = i;
  scatter(rest, 1, 0.05);
  scatter(x, 1, 0.05);
  scatter(v, 2, 0.1);
  bvh_motion_take(&one, x, v, POINTS, motion);
  for (int arity = 1; arity <= 3; arity++) {
    arena memory = {0};
    bvh_moving tree;
    int met = 0, fast = 0;
    claim_ok(bvh_moving_build(rest, corners, arity, MANY, &memory, &tree, err));
    bvh_moving_refit(&one, motion, &tree);
    for (size_t place = 0; place < MANY; place += 3) {
      one_box asked = bvh_moving_box(&tree, 0, place);
      asked.near = 0.1F, asked.time = 0.05F, asked.most = 0.3F;
      marking m = {&tree, &asked, -1, {0}};
      bvh_moving_visit(&tree, &asked, mark, &m);
      const int32_t *own = corners + arity * tree.order[place];
      bvh_box at = box_of(x, own, arity), speed = box_of(v, own, arity);
      for (int i = 0; i < MANY; i++) {
        double reach = 0.1 + 0.05 * across(box_of(v, corners + arity * i, arity), speed);
        double distance = apart(box_of(x, corners + arity * i, arity), at),
               limit = fmin(0.3, reach);
        if (distance <= limit) assert_int_equal(m.seen[i], 1);
        if (distance > limit * (1 + 1e-5) + 1e-6) assert_int_equal(m.seen[i], 0);
        met += distance <= limit;
        fast += distance > limit && distance < 0.3;
      }
    }
    assert_true(met > MANY && fast > MANY);
    arena_free(&memory);
  }
}

/* Also where all are at one place: none is lost. */
static void an_order_has_everyone_once(void **unused) {
  (void)unused;
  static vec3 rest[POINTS];
  int32_t corners[MANY];
  for (int32_t i = 0; i < MANY; i++) corners[i] = i;
  for (int spread = 0; spread < 2; spread++)
    for (size_t count = 1; count < MANY; count += 1 + count / 3) {
      arena memory = {0};
      bvh_moving tree;
      int seen[MANY] = {0};
      scatter(rest, spread, spread);
      claim_ok(bvh_moving_build(rest, corners, 1, count, &memory, &tree, err));
      for (size_t i = 0; i < count; i++) seen[tree.order[i]]++;
      for (size_t i = 0; i < count; i++) assert_int_equal(seen[i], 1);
      arena_free(&memory);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_may_come_near_is_that_of_asking_all),
                                     cmocka_unit_test(an_order_has_everyone_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
