/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include "claims.h"

static void text__is_utf8_or_not(void **state) {
  (void)state;
  static const char *const good[] = {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  static const char *const bad[] = {"\xff",         "a\xc3",        "\xc0\xaf",
                                    "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                    "\x80",         "caf\xe9"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(utf8_valid(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(utf8_valid(bad[i]));
}

static void names__that_some_file_system_takes_for_one_are_alike(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"Sheet", "sHEET"},
      {"\xc3\x84rmel", "\xc3\xa4rmel"},                 /* umlauts in both cases */
      {"\xc3\xa4", "a\xcc\x88"},                        /* put together, and of two parts */
      {"\xc3\x84", "a\xcc\x88"},                        /* and in another case as well */
      {"\xe1\xbb\x87", "e\xcc\xa3\xcc\x82"},            /* two marks, the one below first */
      {"\xce\xa3\xce\x91", "\xcf\x83\xce\xb1"},         /* sigma alpha */
      {"\xcf\x82", "\xcf\x83"},                         /* sigma at the end of a word */
      {"\xd0\x96\xd0\x81", "\xd0\xb6\xd0\xb5\xcc\x88"}, /* zhe, io in two parts */
      {"\xe2\x84\xab", "a\xcc\x8a"},                    /* the sign of Angstrom */
      {"K", "\xe2\x84\xaa"},                            /* that of Kelvin */
      {"\xef\xbc\xa1", "\xef\xbd\x81"},                 /* letters of full width */
      {"\xed\x95\x9c",
       "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"},     /* a syllable of Hangul, and its parts */
      {"\xd4\xb1", "\xd5\xa1"},                     /* Armenian */
      {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},     /* unknown ones are like themselves */
      {"\xe3\x81\x8c", "\xe3\x81\x8b\xe3\x82\x99"}, /* ga */
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    assert_true(utf8_alike(pairs[i][0], pairs[i][1]));
    assert_true(utf8_alike(pairs[i][1], pairs[i][0]));
  }
}

static void names__that_differ_otherwise_are_not(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"sheet", "sheets"}, {"a", "\xc3\xa4"}, {"sheet", ""}, {"o", "\xc3\xb8"},
      {"a_b", "a-b"},      {"\xd0\xb0", "a"}, {"[", "{"},    {"\xe5\xb8\x83", "\xe8\xa2\x8b"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_false(utf8_alike(pairs[i][0], pairs[i][1]));
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(text__is_utf8_or_not),
      cmocka_unit_test(names__that_some_file_system_takes_for_one_are_alike),
      cmocka_unit_test(names__that_differ_otherwise_are_not),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
