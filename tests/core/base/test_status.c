/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/status.h"

#include "claims.h"

static void status__fail_writes_the_message_and_returns_the_status(void **state) {
  (void)state;
  tribo_error err = {0};
  assert_int_equal(status_fail(&err, TRIBO_IO, "disk %d is %s", 3, "full"), TRIBO_IO);
  assert_int_equal(err.status, TRIBO_IO);
  assert_string_equal(err.message, "disk 3 is full");
}

static void status__may_be_asked_for_without_a_message(void **state) {
  (void)state;
  assert_int_equal(status_fail(NULL, TRIBO_BAD_INPUT, "%s", "unheard"), TRIBO_BAD_INPUT);
  assert_int_equal(status_prefix(NULL, TRIBO_IO, "%s", "unheard"), TRIBO_IO);
}

static void status__no_memory_says_for_what(void **state) {
  (void)state;
  tribo_error err = {0};
  assert_int_equal(status_no_memory(&err, "faces"), TRIBO_NO_MEMORY);
  assert_string_equal(err.message, "out of memory for faces");
}

static void status__knows_the_code_of_a_message_by_its_format(void **state) {
  (void)state;
  tribo_error first = {0}, second = {0}, foreign = {.code = 7};
  (void)status_no_memory(&first, "faces");
  (void)status_no_memory(&second, "samples");
  assert_in_range(first.code, 1000, 9999);
  assert_int_equal(first.code, second.code);
  status_prefix(&second, TRIBO_NO_MEMORY, "object '%s': ", "shirt");
  assert_int_equal(first.code, second.code);
  status_write(&foreign, TRIBO_IO, "a message of %s", "somebody else");
  assert_int_equal(foreign.code, 0);
}

static void status__prefix_goes_in_front(void **state) {
  (void)state;
  tribo_error err = {0};
  tribo_status status = status_fail(&err, TRIBO_BAD_INPUT, "mass is -1");
  assert_int_equal(status_prefix(&err, status, "object '%s': ", "shirt"), TRIBO_BAD_INPUT);
  assert_string_equal(err.message, "object 'shirt': mass is -1");
  assert_int_equal(err.status, TRIBO_BAD_INPUT);
}

static void status__prefix_leaves_success_alone(void **state) {
  (void)state;
  tribo_error err = {0};
  assert_int_equal(status_prefix(&err, TRIBO_OK, "never: "), TRIBO_OK);
  assert_string_equal(err.message, "");
}

static void status__cuts_messages_that_are_too_long(void **state) {
  (void)state;
  static char text[3 * TRIBO_MESSAGE_SIZE];
  memset(text, 'x', sizeof text - 1);
  tribo_error err = {0};
  status_write(&err, TRIBO_IO, "%s", text);
  assert_int_equal(strlen(err.message), TRIBO_MESSAGE_SIZE - 1);
  status_prefix(&err, TRIBO_IO, "front: ");
  assert_int_equal(strlen(err.message), TRIBO_MESSAGE_SIZE - 1);
  assert_memory_equal(err.message, "front: xxx", 10);
  status_prefix(&err, TRIBO_IO, "%s", text);
  assert_int_equal(strlen(err.message), TRIBO_MESSAGE_SIZE - 1);
}

static tribo_status pass_on(tribo_status inner, int *reached) {
  TRY(inner);
  *reached = 1;
  return TRIBO_OK;
}

static void status__try_returns_at_the_first_fault(void **state) {
  (void)state;
  int reached = 0;
  assert_int_equal(pass_on(TRIBO_CANCELLED, &reached), TRIBO_CANCELLED);
  assert_int_equal(reached, 0);
  assert_int_equal(pass_on(TRIBO_OK, &reached), TRIBO_OK);
  assert_int_equal(reached, 1);
}

static void status__every_status_has_a_name_of_its_own(void **state) {
  (void)state;
  for (int i = TRIBO_OK; i <= TRIBO_CANCELLED; i++)
    for (int k = TRIBO_OK; k < i; k++)
      assert_string_not_equal(tribo_status_name((tribo_status)i),
                              tribo_status_name((tribo_status)k));
  assert_string_equal(tribo_version(), TRIBO_VERSION_STRING);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(status__fail_writes_the_message_and_returns_the_status),
      cmocka_unit_test(status__may_be_asked_for_without_a_message),
      cmocka_unit_test(status__no_memory_says_for_what),
      cmocka_unit_test(status__knows_the_code_of_a_message_by_its_format),
      cmocka_unit_test(status__prefix_goes_in_front),
      cmocka_unit_test(status__prefix_leaves_success_alone),
      cmocka_unit_test(status__cuts_messages_that_are_too_long),
      cmocka_unit_test(status__try_returns_at_the_first_fault),
      cmocka_unit_test(status__every_status_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
