/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../physics/lab_rest.h"

static void silk_at_good__comes_to_rest(void **unused) {
  (void)unused;
  rest_claim(&REST_SILK);
}

static void denim_at_good__comes_to_rest(void **unused) {
  (void)unused;
  rest_claim(&REST_DENIM);
}

static void leather_at_good__comes_to_rest(void **unused) {
  (void)unused;
  rest_claim(&REST_LEATHER);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(silk_at_good__comes_to_rest),
                                     cmocka_unit_test(denim_at_good__comes_to_rest),
                                     cmocka_unit_test(leather_at_good__comes_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
