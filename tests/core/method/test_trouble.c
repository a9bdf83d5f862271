/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "method/trouble.h"

typedef struct heard {
  int warnings, notes;
  char last[600];
} heard;

static void listen(void *user, tribo_log_level level, const char *message) {
  heard *h = user;
  h->warnings += level == TRIBO_LOG_WARNING;
  h->notes += level == TRIBO_LOG_INFO;
  snprintf(h->last, sizeof h->last, "%s", message);
}

static trouble off_by(trouble_kind kind, double value) {
  return (trouble){.kind = kind, .value = value, .object = "ball", .surface = "wall", .vertex = 7};
}

/* Forces that miss a tolerance of a millionth by twice that are a note, once. Those that follow and
 * are off by a tenth are warned of all the same, and the note after them is not given again. */
static void what_nobody_sees__is_no_warning_and_hides_none(void **unused) {
  (void)unused;
  for (trouble_kind kind = TROUBLE_FORCES; kind <= TROUBLE_FRICTION; kind++) {
    heard h = {0};
    log_sink log = {listen, &h};
    trouble_told told = {0};
    trouble slight = off_by(kind, 2e-6), grave = off_by(kind, 0.1);
    assert_false(trouble_shows(&slight));
    assert_true(trouble_shows(&grave));
    for (int k = 0; k < 2; k++) trouble_warn(&told, &slight, &log);
    assert_int_equal(h.warnings, 0);
    assert_int_equal(h.notes, 1);
    assert_non_null(strstr(h.last, "2e-06"));
    for (int k = 0; k < 2; k++) trouble_warn(&told, &grave, &log);
    trouble_warn(&told, &slight, &log);
    assert_int_equal(h.warnings, 1);
    assert_int_equal(h.notes, 1);
    assert_non_null(strstr(h.last, "0.1"));
    trouble_told_free(&told);
  }
}

/* A depth is in metres, and small scenes have small ones. */
static void what_is_deep_or_held__shows_however_little(void **unused) {
  (void)unused;
  trouble none = {.kind = TROUBLE_NONE};
  assert_false(trouble_shows(&none));
  for (trouble_kind kind = TROUBLE_OFF; kind <= TROUBLE_RANGE; kind++) {
    trouble t = off_by(kind, 1e-6);
    assert_true(trouble_shows(&t));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_nobody_sees__is_no_warning_and_hides_none),
      cmocka_unit_test(what_is_deep_or_held__shows_however_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
