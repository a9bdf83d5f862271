/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"

#include "claims.h"

static void hash__agrees_with_the_published_fnv_1a_values(void **state) {
  (void)state;
  assert_true(hash_bytes(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(hash_bytes(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void hash__of_a_whole_is_that_of_its_parts_in_turn(void **state) {
  (void)state;
  uint64_t parts = hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3);
  assert_true(parts == hash_bytes(HASH_START, "foobar", 6));
}

static void hash__of_texts_knows_where_they_part(void **state) {
  (void)state;
  uint64_t a = hash_text(hash_text(HASH_START, "ab"), "c");
  uint64_t b = hash_text(hash_text(HASH_START, "a"), "bc");
  assert_true(a != b);
}

static void hash__takes_a_missing_text_for_an_empty_one(void **state) {
  (void)state;
  assert_true(hash_text(HASH_START, NULL) == hash_text(HASH_START, ""));
  assert_true(hash_text(HASH_START, "") != HASH_START);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(hash__agrees_with_the_published_fnv_1a_values),
      cmocka_unit_test(hash__of_a_whole_is_that_of_its_parts_in_turn),
      cmocka_unit_test(hash__of_texts_knows_where_they_part),
      cmocka_unit_test(hash__takes_a_missing_text_for_an_empty_one),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
