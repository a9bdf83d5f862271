/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "claims.h"
#include "step/methods.h"

/* "forwarding|elastic|projective" of params.inl: what scene files may say. */
static const char *words(void) {
#define SKIP_REAL(...)
#define TAKE_METHOD(name, standard, choices, about)                                                \
  if (strcmp(#name, "method") == 0) return choices;
  TRIBO_PARAMS_WORLD(SKIP_REAL, SKIP_REAL, SKIP_REAL, TAKE_METHOD)
#undef TAKE_METHOD
#undef SKIP_REAL
  return "";
}

static void rows__have_the_numbers_and_names_of_the_choice(void **unused) {
  (void)unused;
  const char *at = words();
  int count = 0;
  for (; *at; count++) {
    size_t length = strcspn(at, "|");
    assert_true(count < methods_count());
    const method *row = methods_row(count);
    assert_int_equal(strlen(row->name), length);
    assert_memory_equal(row->name, at, length);
    at += length + (at[length] == '|');
  }
  assert_int_equal(count, methods_count());
}

static void rows__have_all_verbs_and_words(void **unused) {
  (void)unused;
  for (int i = 0; i < methods_count(); i++) {
    const method *row = methods_row(i);
    assert_true(row->create && row->free && row->step && row->explain && row->explain_pins);
    assert_true(row->record_count && row->records && row->warm_count && row->warm);
    assert_true(row->touching && row->linear_solver);
    assert_true(row->can.kinds != 0 && row->can.moves);
  }
}

/* What a row names as a way out is a row, and moves at least the same kinds. */
static void rows__name_ways_out_that_are_there(void **unused) {
  (void)unused;
  for (int i = 0; i < methods_count(); i++) {
    const method_abilities *can = &methods_row(i)->can;
    bool found = !can->instead;
    for (int k = 0; k < methods_count() && !found; k++)
      found = strcmp(methods_row(k)->name, can->instead) == 0 &&
              (methods_row(k)->can.kinds & can->kinds) == can->kinds;
    assert_true(found);
  }
}

static void a_method__is_found_for_kinds(void **unused) {
  (void)unused;
  const method *all = methods_for(1u << TRIBO_CLOTH | 1u << TRIBO_RIGID, NULL);
  assert_non_null(all);
  assert_true(all->can.kinds & 1u << TRIBO_RIGID);
  assert_true(methods_for(1u << TRIBO_CLOTH, all) != all);
  assert_null(methods_for(~0u, NULL));
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(rows__have_the_numbers_and_names_of_the_choice),
      cmocka_unit_test(rows__have_all_verbs_and_words),
      cmocka_unit_test(rows__name_ways_out_that_are_there),
      cmocka_unit_test(a_method__is_found_for_kinds),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
