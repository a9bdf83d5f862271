/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <float.h>
#include <locale.h>

#include "claims.h"

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void claim_reads_as_strtod(const char *text) {
  double value = -7, expected = strtod(text, NULL);
  if (!number_read(text, strlen(text), &value) || !same_bits(value, expected)) {
    print_error("'%s' reads as %.17g, expected %.17g\n", text, value, expected);
    fail();
  }
}

static double random_bits(uint64_t *state) {
  claim_random(state);
  double value;
  memcpy(&value, state, sizeof value);
  return value;
}

static void number__reads_plain_decimals(void **state) {
  (void)state;
  static const char *const cases[] = {
      "0",   "-0",   "1",     "+1",  "-1.5",    ".5",       "5.",
      "1e3", "1E-3", "1.e+2", "0.1", "3.14159", "00012.50", "1e0000000000001"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) claim_reads_as_strtod(cases[i]);
}

static void number__reads_the_hard_decimals_as_strtod_does(void **state) {
  (void)state;
  static const char *const cases[] = {"9007199254740993",
                                      "9007199254740992.99999999999999999999",
                                      "9007199254740993.00000000000001",
                                      "1e22",
                                      "1e23",
                                      "8.5e27",
                                      "1e-27",
                                      "1e-28",
                                      "123456789012345678e27",
                                      "9999999999999999999e-27",
                                      "99999999999999999999",
                                      "1.7976931348623157e308",
                                      "1.7976931348623159e308",
                                      "1e309",
                                      "1e-400",
                                      "4.9406564584124654e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "2.2250738585072011e-308",
                                      "0.00000000000000000000000000000000000000000000000001",
                                      "1000000000000000000000000000000000000000000",
                                      "1e999999999999999999999999",
                                      "1e-999999999999999999999999",
                                      "0e999999999999999999999999",
                                      "-1e400",
                                      "7450580596923828125e27",
                                      "1.00000000000000011102230246251565404236316680908203125",
                                      "1.00000000000000011102230246251565404236316680908203124",
                                      "1.00000000000000011102230246251565404236316680908203126"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) claim_reads_as_strtod(cases[i]);
}

static void number__counts_every_digit_of_a_very_long_decimal(void **state) {
  (void)state;
  /* A tie between two doubles, broken by a digit far behind. */
  char text[4000] = "1.00000000000000011102230246251565404236316680908203125";
  size_t length = strlen(text);
  memset(text + length, '0', sizeof text - length - 2);
  text[sizeof text - 2] = '1';
  text[sizeof text - 1] = 0;
  claim_reads_as_strtod(text);
  text[sizeof text - 2] = '0';
  claim_reads_as_strtod(text);
}

static void number__reads_any_double_as_strtod_does(void **state) {
  (void)state;
  uint64_t seed = 42;
  static const int digits[] = {3, 9, 15, 16, 17, 18, 19, 20, 25, 40};
  for (int i = 0; i < 200000; i++) {
    double value = i % 2 ? random_bits(&seed) : claim_between(&seed, -100, 100);
    if (!isfinite(value)) continue;
    char text[80];
    snprintf(text, sizeof text, "%.*g", digits[i % 10], value);
    claim_reads_as_strtod(text);
  }
}

static void number__refuses_what_is_not_a_whole_decimal(void **state) {
  (void)state;
  static const char *const cases[] = {"",    "-",   "+",     ".",   "-.",       "e5",   "1e",
                                      "1e+", "1e-", "nan",   "inf", "infinity", "0x10", "1,5",
                                      "1 ",  " 1",  "1.2.3", "--1", "1e5.0",    "1f",   "1/2"};
  double value;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (number_read(cases[i], strlen(cases[i]), &value)) {
      print_error("'%s' was taken for %g\n", cases[i], value);
      fail();
    }
}

static void number__reads_no_further_than_the_length(void **state) {
  (void)state;
  double value;
  assert_true(number_read("1234", 2, &value));
  claim_near(value, 12, 0);
}

static void number__reads_whole_numbers_within_their_range(void **state) {
  (void)state;
  int64_t value;
  assert_true(number_read_int("-42", 3, &value) && value == -42);
  assert_true(number_read_int("+7", 2, &value) && value == 7);
  assert_true(number_read_int("9223372036854775807", 19, &value) && value == INT64_MAX);
  assert_true(number_read_int("-9223372036854775808", 20, &value) && value == INT64_MIN);
  assert_false(number_read_int("9223372036854775808", 19, &value));
  assert_false(number_read_int("-9223372036854775809", 20, &value));
  assert_false(number_read_int("99999999999999999999", 20, &value));
  assert_false(number_read_int("", 0, &value));
  assert_false(number_read_int("-", 1, &value));
  assert_false(number_read_int("1.0", 3, &value));
  assert_false(number_read_int("12a", 3, &value));
}

static void number__reads_back_the_bits_it_printed(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 100000; i++) {
    double value = i % 2 ? random_bits(&seed) : claim_between(&seed, -1, 1), back;
    if (!isfinite(value)) continue;
    char text[NUMBER_SIZE];
    size_t length = number_print(text, value, NUMBER_EXACT);
    assert_int_equal(length, strlen(text));
    assert_true(number_read(text, length, &back) && same_bits(back, value));
  }
  static const double edges[] = {0.0, -0.0, DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074, 1.0 / 3};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    char text[NUMBER_SIZE];
    double back;
    size_t length = number_print(text, edges[i], NUMBER_EXACT);
    assert_true(number_read(text, length, &back) && same_bits(back, edges[i]));
  }
}

static void number__keeps_every_float_with_nine_digits(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int i = 0; i < 100000; i++) {
    float value = (float)claim_between(&seed, -10, 10);
    char text[NUMBER_SIZE];
    double back;
    size_t length = number_print(text, (double)value, NUMBER_EXACT_FLOAT);
    assert_true(number_read(text, length, &back) && (float)back == value);
  }
}

static void claim_prints_as_printf(double value, int digits) {
  char text[NUMBER_SIZE], expected[64];
  size_t length = number_print(text, value, digits);
  snprintf(expected, sizeof expected, "%.*g", digits, value);
  if (strcmp(text, expected) != 0 || length != strlen(text)) {
    print_error("printed '%s', expected '%s'\n", text, expected);
    fail();
  }
}

static void number__prints_what_printf_prints(void **state) {
  (void)state;
  static const double edges[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 9.5,
                                 10,
                                 0.1,
                                 0.01,
                                 0.001,
                                 0.0001,
                                 0.00001,
                                 1e15,
                                 1e16,
                                 1e17,
                                 1e8,
                                 1e9,
                                 1e22,
                                 0.5,
                                 2.5,
                                 0.25,
                                 999999999,
                                 1e-4,
                                 -7.5,
                                 123.456,
                                 1e300,
                                 0.3,
                                 99999.5,
                                 9.9999999999999999e16,
                                 9999999999999998};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    for (int digits = 1; digits <= NUMBER_EXACT; digits++) {
      claim_prints_as_printf(edges[i], digits);
      claim_prints_as_printf(nextafter(edges[i], INFINITY), digits);
      claim_prints_as_printf(nextafter(edges[i], -INFINITY), digits);
    }
  uint64_t seed = 23;
  for (int i = 0; i < 60000; i++) {
    double value = claim_between(&seed, -1, 1) * pow(10, claim_between(&seed, -6, 19));
    claim_prints_as_printf(value, NUMBER_EXACT);
    claim_prints_as_printf((double)(float)value, NUMBER_EXACT_FLOAT);
    claim_prints_as_printf(floor(value) / 8, 1 + i % NUMBER_EXACT); /* ties, often */
  }
}

static void number__prints_whole_numbers(void **state) {
  (void)state;
  char text[NUMBER_SIZE];
  assert_int_equal(number_print_int(text, 0), 1);
  assert_string_equal(text, "0");
  assert_int_equal(number_print_int(text, -120), 4);
  assert_string_equal(text, "-120");
  number_print_int(text, INT64_MAX);
  assert_string_equal(text, "9223372036854775807");
  number_print_int(text, INT64_MIN);
  assert_string_equal(text, "-9223372036854775808");
}

/* Needs one locale with a decimal comma on the machine; there may be none. */
static void number__is_deaf_to_a_decimal_comma(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                      "de_DE",       "nl_NL.UTF-8", "ps_AF.UTF-8"};
  const char *set = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
    set = setlocale(LC_NUMERIC, names[i]);
  if (!set) skip();
  char text[NUMBER_SIZE];
  double value = 0, hard = 0;
  size_t length = number_print(text, -1234.5, NUMBER_EXACT);
  bool read = number_read("1.5", 3, &value);
  bool hard_read = number_read("1.50000000000000000000000001e-40", 32, &hard);
  setlocale(LC_NUMERIC, "C");
  assert_int_equal(length, 7);
  assert_string_equal(text, "-1234.5");
  assert_true(read && hard_read);
  claim_near(value, 1.5, 0);
  claim_near(hard, 1.5e-40, 0);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(number__reads_plain_decimals),
      cmocka_unit_test(number__reads_the_hard_decimals_as_strtod_does),
      cmocka_unit_test(number__counts_every_digit_of_a_very_long_decimal),
      cmocka_unit_test(number__reads_any_double_as_strtod_does),
      cmocka_unit_test(number__refuses_what_is_not_a_whole_decimal),
      cmocka_unit_test(number__reads_no_further_than_the_length),
      cmocka_unit_test(number__reads_whole_numbers_within_their_range),
      cmocka_unit_test(number__reads_back_the_bits_it_printed),
      cmocka_unit_test(number__keeps_every_float_with_nine_digits),
      cmocka_unit_test(number__prints_what_printf_prints),
      cmocka_unit_test(number__prints_whole_numbers),
      cmocka_unit_test(number__is_deaf_to_a_decimal_comma),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
