/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/array.h"

#include "claims.h"

static void array__keeps_what_was_pushed_in_order(void **state) {
  (void)state;
  ARRAY(int32_t) numbers = {0};
  for (int32_t i = 0; i < 10000; i++) assert_true(ARRAY_PUSH(numbers, i * 3));
  assert_int_equal(numbers.count, 10000);
  for (int32_t i = 0; i < 10000; i++) assert_int_equal(numbers.data[i], i * 3);
  ARRAY_FREE(numbers);
}

static void array__may_push_one_of_its_own_items(void **state) {
  (void)state;
  ARRAY(double) numbers = {0};
  assert_true(ARRAY_PUSH(numbers, 1.5));
  for (int i = 0; i < 1000; i++) assert_true(ARRAY_PUSH(numbers, numbers.data[0]));
  claim_near(numbers.data[1000], 1.5, 0);
  ARRAY_FREE(numbers);
}

static void array__holds_what_was_reserved_without_moving(void **state) {
  (void)state;
  ARRAY(char) letters = {0};
  assert_true(ARRAY_RESERVE(letters, 1000));
  const char *before = letters.data;
  for (int i = 0; i < 1000; i++) assert_true(ARRAY_PUSH(letters, 'x'));
  assert_ptr_equal(letters.data, before);
  assert_true(letters.capacity >= 1000);
  ARRAY_FREE(letters);
}

static void array__stays_as_it_was_when_memory_runs_out(void **state) {
  (void)state;
  ARRAY(double) numbers = {0};
  assert_true(ARRAY_PUSH(numbers, 2.5));
  size_t capacity = numbers.capacity;
  assert_false(ARRAY_RESERVE(numbers, SIZE_MAX / 4));
  assert_int_equal(numbers.capacity, capacity);
  assert_int_equal(numbers.count, 1);
  claim_near(numbers.data[0], 2.5, 0);
  ARRAY_FREE(numbers);
}

static void array__is_empty_and_usable_after_free(void **state) {
  (void)state;
  ARRAY(int) numbers = {0};
  assert_true(ARRAY_PUSH(numbers, 1));
  ARRAY_FREE(numbers);
  assert_null(numbers.data);
  assert_int_equal(numbers.count, 0);
  assert_true(ARRAY_PUSH(numbers, 9));
  assert_int_equal(numbers.data[0], 9);
  ARRAY_FREE(numbers);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(array__keeps_what_was_pushed_in_order),
      cmocka_unit_test(array__may_push_one_of_its_own_items),
      cmocka_unit_test(array__holds_what_was_reserved_without_moving),
      cmocka_unit_test(array__stays_as_it_was_when_memory_runs_out),
      cmocka_unit_test(array__is_empty_and_usable_after_free),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
