/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/strands.h"

#include "claims.h"

static strands_fault fault;

static strands find(const int32_t *segments, size_t count, size_t points, arena *memory) {
  strands all;
  claim_ok(strands_find(segments, count, points, memory, &all, &fault, err));
  return all;
}

static void claim_points(const strands *all, size_t s, const int32_t *points, size_t count) {
  assert_int_equal(strands_points(all, s), count);
  for (size_t i = 0; i < count; i++) assert_int_equal(strands_point(all, s, i), points[i]);
}

/* Segments in any order and either way round. */
static void open_strands_begin_at_their_lower_end(void **unused) {
  (void)unused;
  static const int32_t segments[] = {5, 0, 3, 5, 1, 4, 3, 2};
  arena memory = {0};
  strands all = find(segments, 4, 6, &memory);
  assert_int_equal(fault.kind, STRANDS_SOUND);
  assert_int_equal(all.count, 2);
  claim_points(&all, 0, (const int32_t[]){0, 5, 3, 2}, 4);
  claim_points(&all, 1, (const int32_t[]){1, 4}, 2);
  assert_false(all.ring[0]);
  assert_int_equal(strands_segments(&all, 0), 3);
  arena_free(&memory);
}

static void rings_come_last_and_close(void **unused) {
  (void)unused;
  static const int32_t segments[] = {2, 0, 0, 1, 1, 2, 4, 3};
  arena memory = {0};
  strands all = find(segments, 4, 5, &memory);
  assert_int_equal(all.count, 2);
  claim_points(&all, 0, (const int32_t[]){3, 4}, 2);
  claim_points(&all, 1, (const int32_t[]){0, 1, 2}, 3);
  assert_true(all.ring[1]);
  assert_int_equal(strands_segments(&all, 1), 3);
  assert_int_equal(strands_point(&all, 1, 3), 0);
  arena_free(&memory);
}

static void what_is_no_strand_is_named(void **unused) {
  (void)unused;
  arena memory = {0};
  find((const int32_t[]){0, 1, 1, 2, 3, 1}, 3, 4, &memory);
  assert_int_equal(fault.kind, STRANDS_BRANCH);
  assert_int_equal(fault.point, 1);
  find((const int32_t[]){0, 1}, 1, 3, &memory);
  assert_int_equal(fault.kind, STRANDS_LOOSE);
  assert_int_equal(fault.point, 2);
  find((const int32_t[]){0, 1, 1, 0}, 2, 2, &memory);
  assert_int_equal(fault.kind, STRANDS_TWICE);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_strands_begin_at_their_lower_end),
      cmocka_unit_test(rings_come_last_and_close),
      cmocka_unit_test(what_is_no_strand_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
