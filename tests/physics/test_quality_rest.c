/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab_rest.h"

static void cotton_at_good__comes_to_rest(void **unused) {
  (void)unused;
  rest_claim(&REST_COTTON);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cotton_at_good__comes_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
