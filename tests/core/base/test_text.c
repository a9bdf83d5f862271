/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include "claims.h"

static void text__copies_are_separate(void **state) {
  (void)state;
  char word[] = "wool";
  char *copy = text_copy(word);
  word[0] = 'c';
  assert_string_equal(copy, "wool");
  free(copy);
  assert_null(text_copy(NULL));
}

static void text__distance_counts_single_changes(void **state) {
  (void)state;
  assert_int_equal(text_distance("", ""), 0);
  assert_int_equal(text_distance("abc", "abc"), 0);
  assert_int_equal(text_distance("", "abc"), 3);
  assert_int_equal(text_distance("abc", ""), 3);
  assert_int_equal(text_distance("kitten", "sitting"), 3);
  assert_int_equal(text_distance("density", "denisty"), 2);
  assert_int_equal(text_distance("friction", "frction"), 1);
}

static void text__distance_takes_words_of_any_length(void **state) {
  (void)state;
  char a[500], b[500];
  memset(a, 'a', sizeof a);
  memset(b, 'b', sizeof b);
  a[sizeof a - 1] = b[sizeof b - 1] = 0;
  assert_int_equal(text_distance(a, a), 0);
  assert_true(text_distance(a, b) > 10);
}

static void text__suggests_what_was_meant(void **state) {
  (void)state;
  static const char *const names[] = {"density", "friction", "thickness", "young"};
  assert_string_equal(text_suggest("denisty", names, 4), "density");
  assert_string_equal(text_suggest("fricton", names, 4), "friction");
  assert_string_equal(text_suggest("friction", names, 4), "friction");
  assert_string_equal(text_suggest("yung", names, 4), "young");
}

static void text__suggests_nothing_far_fetched(void **state) {
  (void)state;
  static const char *const names[] = {"density", "friction", "x"};
  assert_null(text_suggest("colour", names, 3));
  assert_null(text_suggest("y", names, 3));
  assert_null(text_suggest("", names, 3));
  assert_null(text_suggest("density", names, 0));
}

static void text__ends_in_an_extension_of_any_case(void **state) {
  (void)state;
  assert_true(text_ends_in("a/b.obj", ".obj"));
  assert_true(text_ends_in("B.OBJ", ".obj"));
  assert_false(text_ends_in(".obj", ".obj"));
  assert_false(text_ends_in("b.objx", ".obj"));
  assert_false(text_ends_in("", ".obj"));
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(text__copies_are_separate),
      cmocka_unit_test(text__distance_counts_single_changes),
      cmocka_unit_test(text__distance_takes_words_of_any_length),
      cmocka_unit_test(text__suggests_what_was_meant),
      cmocka_unit_test(text__suggests_nothing_far_fetched),
      cmocka_unit_test(text__ends_in_an_extension_of_any_case),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
