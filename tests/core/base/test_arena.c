/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include "claims.h"

static void arena__gives_zeroed_memory_aligned_to_64_bytes(void **state) {
  (void)state;
  arena a = {0};
  for (size_t count = 1; count < 500; count += 7) {
    unsigned char *bytes = ARENA_ARRAY(&a, unsigned char, count);
    assert_non_null(bytes);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    for (size_t i = 0; i < count; i++) assert_int_equal(bytes[i], 0);
    memset(bytes, 0xab, count);
  }
  arena_free(&a);
}

static void arena__never_moves_what_it_gave(void **state) {
  (void)state;
  arena a = {0};
  enum { PIECES = 200, LENGTH = 1000 };
  double *pieces[PIECES];
  for (int p = 0; p < PIECES; p++) {
    pieces[p] = ARENA_ARRAY(&a, double, LENGTH);
    assert_non_null(pieces[p]);
    for (int i = 0; i < LENGTH; i++) pieces[p][i] = p;
  }
  for (int p = 0; p < PIECES; p++)
    for (int i = 0; i < LENGTH; i++) claim_near(pieces[p][i], p, 0);
  arena_free(&a);
}

static void arena__gives_zeroed_memory_again_after_a_reset(void **state) {
  (void)state;
  arena a = {0};
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 50; i++) {
      unsigned char *bytes = ARENA_ARRAY(&a, unsigned char, 5000);
      for (size_t k = 0; k < 5000; k++) assert_int_equal(bytes[k], 0);
      memset(bytes, 0xff, 5000);
    }
    arena_reset(&a);
    assert_int_equal(a.used, 0);
  }
  arena_free(&a);
}

static void arena__uses_its_blocks_again_after_a_reset(void **state) {
  (void)state;
  arena a = {0};
  void *first = arena_alloc(&a, 100, 8);
  arena_alloc(&a, 1000000, 8);
  size_t used = a.used;
  arena_reset(&a);
  assert_ptr_equal(arena_alloc(&a, 100, 8), first);
  arena_alloc(&a, 1000000, 8);
  assert_int_equal(a.used, used);
  assert_int_equal(a.high_water, used);
  arena_free(&a);
}

static void arena__gives_a_pointer_for_nothing(void **state) {
  (void)state;
  arena a = {0};
  assert_non_null(arena_alloc(&a, 0, 8));
  assert_non_null(arena_alloc(&a, 8, 0));
  assert_int_equal(a.used, 0);
  arena_free(&a);
}

static void arena__says_no_to_sizes_that_overflow(void **state) {
  (void)state;
  arena a = {0};
  assert_null(arena_alloc(&a, SIZE_MAX, 8));
  assert_null(arena_alloc(&a, SIZE_MAX / 8, 8));
  assert_non_null(arena_alloc(&a, 1, 8));
  arena_free(&a);
}

static void arena__is_empty_and_usable_after_free(void **state) {
  (void)state;
  arena a = {0};
  arena_alloc(&a, 10, 10);
  arena_free(&a);
  assert_null(a.first);
  assert_int_equal(a.high_water, 0);
  assert_non_null(arena_alloc(&a, 10, 10));
  arena_free(&a);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(arena__gives_zeroed_memory_aligned_to_64_bytes),
      cmocka_unit_test(arena__never_moves_what_it_gave),
      cmocka_unit_test(arena__gives_zeroed_memory_again_after_a_reset),
      cmocka_unit_test(arena__uses_its_blocks_again_after_a_reset),
      cmocka_unit_test(arena__gives_a_pointer_for_nothing),
      cmocka_unit_test(arena__says_no_to_sizes_that_overflow),
      cmocka_unit_test(arena__is_empty_and_usable_after_free),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
