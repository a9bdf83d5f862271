/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include "base/file.h"
#include "cache/lines.h"

static void claim_content(const char *name, const char *wanted) {
  file_text text;
  claim_ok(file_read(scratch_path(name), &text, err));
  assert_string_equal(text.data, wanted);
  free(text.data);
}

static void append(lines *l, const char *word) {
  writer w = {0};
  writer_string(&w, word);
  writer_newline(&w);
  claim_ok(lines_append(l, &w, err));
  writer_free(&w);
}

static void lines__are_on_disk_when_append_returns(void **unused) {
  (void)unused;
  lines l;
  claim_ok(lines_create(scratch_path("new.jsonl"), &l, err));
  claim_content("new.jsonl", "");
  append(&l, "one");
  claim_content("new.jsonl", "\"one\"\n");
  append(&l, "two");
  claim_content("new.jsonl", "\"one\"\n\"two\"\n");
  lines_close(&l);
}

static void lines__reopened_go_on_behind_those_asked_for(void **unused) {
  (void)unused;
  const char *path = scratch_path("again.jsonl");
  claim_ok(file_write(path, "one\ntwo\nthree\nfou", 17, err));
  lines l;
  claim_ok(lines_reopen(path, 2, &l, err));
  append(&l, "drei");
  lines_close(&l);
  claim_content("again.jsonl", "one\ntwo\n\"drei\"\n");

  claim_ok(lines_reopen(path, 0, &l, err));
  lines_close(&l);
  claim_content("again.jsonl", "");
}

static void lines__too_few_are_refused_and_left_alone(void **unused) {
  (void)unused;
  const char *path = scratch_path("few.jsonl");
  claim_ok(file_write(path, "one\ntwo\nthr", 11, err));
  lines l;
  claim_fails(lines_reopen(path, 3, &l, err), TRIBO_BAD_INPUT, "fewer than the 3 frames");
  claim_content("few.jsonl", "one\ntwo\nthr");
  claim_fails(lines_reopen(scratch_path("missing.jsonl"), 0, &l, err), TRIBO_BAD_INPUT, "missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines__are_on_disk_when_append_returns),
      cmocka_unit_test(lines__reopened_go_on_behind_those_asked_for),
      cmocka_unit_test(lines__too_few_are_refused_and_left_alone),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
