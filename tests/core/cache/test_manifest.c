/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/manifest.h"

#include <locale.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/writer.h"
#include "claims.h"
#include "scratch.h"

static manifest make(void) {
  manifest m = {.status = MANIFEST_FAILED,
                .message = text_copy("a \"quoted\"\nreason \\"),
                .version = "0.1.0",
                .scene_hash = UINT64_C(0xfedcba9876543210),
                .start = -3,
                .end = 120,
                .fps = 29.97,
                .substeps = 4,
                .threads = 2,
                .linear_solver = "cholmod",
                .deterministic = true,
                .contacts = true};
  claim_ok(manifest_add_object(&m, "sheet", TRIBO_CLOTH, false, 441, err));
  claim_ok(manifest_add_object(&m, "b\xc3\xb6\"x", TRIBO_SOLID, true, 27, err));
  claim_ok(manifest_add_object(&m, "caged", TRIBO_SOLID, false, 12, err));
  claim_ok(manifest_add_removing(&m, "old.pc2", err));
  claim_ok(manifest_add_removing(&m, "state.ckpt", err));
  claim_ok(manifest_add_removing(&m, "old.pc2", err)); /* once is enough */
  return m;
}

static void claim_same(const manifest *a, const manifest *b) {
  assert_int_equal(a->status, b->status);
  assert_string_equal(a->message, b->message);
  assert_string_equal(a->version, b->version);
  assert_true(a->scene_hash == b->scene_hash);
  assert_int_equal(a->start, b->start);
  assert_int_equal(a->end, b->end);
  assert_true(a->fps == b->fps);
  assert_int_equal(a->substeps, b->substeps);
  assert_int_equal(a->threads, b->threads);
  assert_string_equal(a->linear_solver, b->linear_solver);
  assert_int_equal(a->deterministic, b->deterministic);
  assert_int_equal(a->contacts, b->contacts);
  assert_int_equal(a->objects.count, b->objects.count);
  for (size_t i = 0; i < a->objects.count; i++) {
    assert_string_equal(a->objects.data[i].name, b->objects.data[i].name);
    assert_int_equal(a->objects.data[i].kind, b->objects.data[i].kind);
    assert_int_equal(a->objects.data[i].vertex_count, b->objects.data[i].vertex_count);
    assert_string_equal(a->objects.data[i].mesh_file, b->objects.data[i].mesh_file);
    assert_string_equal(a->objects.data[i].cache_file, b->objects.data[i].cache_file);
  }
  assert_int_equal(a->removing.count, b->removing.count);
  for (size_t i = 0; i < a->removing.count; i++)
    assert_string_equal(a->removing.data[i], b->removing.data[i]);
}

static void manifest__comes_back_as_it_was(void **unused) {
  (void)unused;
  manifest m = make(), back;
  claim_ok(manifest_write(scratch_path("bake.json"), &m, err));
  claim_ok(manifest_read(scratch_path("bake.json"), &back, err));
  claim_same(&m, &back);
  manifest_free(&m);
  manifest_free(&back);
}

static void manifest__does_not_depend_on_the_locale(void **unused) {
  (void)unused;
  const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
  for (size_t i = 0; i < 3 && !setlocale(LC_NUMERIC, comma[i]); i++) continue;
  manifest m = make(), back;
  claim_ok(manifest_write(scratch_path("locale.json"), &m, err));
  setlocale(LC_NUMERIC, "C");
  claim_ok(manifest_read(scratch_path("locale.json"), &back, err));
  claim_same(&m, &back);
  manifest_free(&m);
  manifest_free(&back);
}

static void manifest__lists_every_file_of_the_bake_once(void **unused) {
  (void)unused;
  manifest m = make();
  const char *const wanted[] = {"state.ckpt",       "stats.jsonl", "contacts.jsonl",
                                "sheet.pc2",        "sheet.obj",   "b\xc3\xb6\"x.pc2",
                                "b\xc3\xb6\"x.msh", "caged.pc2",   "caged.obj"};
  for (size_t i = 0; i < 9; i++) assert_string_equal(manifest_file(&m, i), wanted[i]);
  assert_null(manifest_file(&m, 9));
  m.contacts = false;
  for (size_t i = 2; i < 8; i++) assert_string_equal(manifest_file(&m, i), wanted[i + 1]);
  assert_null(manifest_file(&m, 8));
  manifest_free(&m);
}

/* The manifest as text, with one piece of it replaced. */
static tribo_status parse_changed(const char *old, const char *new, tribo_error *error) {
  manifest m = make();
  claim_ok(manifest_write(scratch_path("changed.json"), &m, err));
  manifest_free(&m);
  file_text text;
  claim_ok(file_read(scratch_path("changed.json"), &text, err));
  char *at = strstr(text.data, old);
  if (!at) fail_msg("the manifest has no %s:\n%s", old, text.data);
  size_t before = (size_t)(at - text.data);
  char *changed = malloc(text.size + strlen(new) + 1);
  sprintf(changed, "%.*s%s%s", (int)before, text.data, new, at + strlen(old));

  manifest back;
  tribo_status status = manifest_parse("bake.json", changed, strlen(changed), &back, error);
  if (status == TRIBO_OK) manifest_free(&back);
  free(changed);
  free(text.data);
  return status;
}

/* Bakes of before there were contacts. */
static void manifest__without_a_word_of_contacts_has_none(void **unused) {
  (void)unused;
  const char text[] =
      "{\"tribo_bake\": 1, \"status\": \"done\", \"message\": \"\", \"version\": \"0.1.0\", "
      "\"scene_hash\": \"fedcba9876543210\", \"start\": 1, \"end\": 2, \"fps\": 24, "
      "\"substeps\": 1, \"threads\": 1, \"linear_solver\": \"cholmod\", "
      "\"deterministic\": true, \"objects\": [], \"removing\": []}";
  manifest m;
  claim_ok(manifest_parse("bake.json", text, sizeof text - 1, &m, err));
  assert_false(m.contacts);
  assert_null(manifest_file(&m, 2));
  manifest_free(&m);
}

static void manifest__refuses_what_no_bake_wrote(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *new, *words;
  } cases[] = {
      {"{", "", "not JSON"},
      {"\"tribo_bake\": 1", "\"other\": 1", "not written by a Tribo bake"},
      {"\"tribo_bake\": 1", "\"tribo_bake\": 2", "format 2, this program reads format 1"},
      {"\"tribo_bake\": 1", "\"tribo_bake\": 1.5", "\"tribo_bake\""},
      {"\"failed\"", "\"fallen\"", "\"status\""},
      {"\"failed\"", "7", "\"status\" should be a text"},
      {"\"version\": \"0.1.0\"", "\"version\": \"0.1.0.0.0.0.0.0.0.0\"", "\"version\""},
      {"fedcba9876543210", "fedcba987654321", "16 hexadecimal digits"},
      {"fedcba9876543210", "fedcba987654321G", "16 hexadecimal digits"},
      {"\"start\": -3", "\"start\": 1e300", "\"start\""},
      {"\"end\": 120", "\"end\": -4", "\"end\""},
      {"\"end\": 120", "\"end\": 12.5", "\"end\" should be a whole number"},
      {"29.97", "-29.97", "\"fps\""},
      {"29.97", "1e999", "\"fps\""},
      {"29.97", "\"fast\"", "\"fps\""},
      {"\"substeps\": 4", "\"substeps\": 0", "\"substeps\""},
      {"\"threads\": 2", "\"threads\": 0", "\"threads\""},
      {"true", "1", "\"deterministic\""},
      {"\"contacts\": true", "\"contacts\": 1", "\"contacts\""},
      {"\"cloth\"", "\"cloak\"", "\"kind\""},
      {"441", "-1", "\"vertices\""},
      {"\"objects\": [", "\"objects\": 3, \"more\": [", "\"objects\" should be a list"},
      {"\"objects\": [", "\"objects\": [3, ", "\"objects\" should be a list of objects"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    claim_fails(parse_changed(cases[i].old, cases[i].new, err), TRIBO_BAD_INPUT, cases[i].words);
}

/* What a manifest lists may be removed by an overwrite. */
static void manifest__cannot_name_files_that_are_not_a_bakes(void **unused) {
  (void)unused;
  static const char *const names[] = {"../sheet.obj", "/etc/passwd", "other.obj", "sheet.blend",
                                      ""};
  for (size_t i = 0; i < 5; i++) {
    claim_fails(parse_changed("sheet.obj", names[i], err), TRIBO_BAD_INPUT, "\"mesh\"");
    claim_fails(parse_changed("sheet.pc2", names[i], err), TRIBO_BAD_INPUT, "\"cache\"");
  }
  static const char *const removed[] = {
      "../old.pc2", "/tmp/old.pc2", "scene.json", "bake.json", ".pc2", "thesis.tex", ""};
  for (size_t i = 0; i < 7; i++)
    claim_fails(parse_changed("old.pc2", removed[i], err), TRIBO_BAD_INPUT, "\"removing\"");
}

static void writer__gives_valid_json_whatever_goes_in(void **unused) {
  (void)unused;
  writer w = {0};
  writer_open(&w, '[');
  writer_number(&w, 0.1);
  writer_number(&w, -0.0);
  writer_number(&w, NAN);
  writer_number(&w, -INFINITY);
  writer_number(&w, 5e-324);
  writer_number(&w, 1.0 / 3.0);
  writer_integer(&w, INT64_MIN);
  writer_bool(&w, false);
  writer_string(&w, "\t\x7f\"\\/");
  writer_string(&w, "gr\xc3\xbc\xc3\x9f \xff\xc3");
  writer_open(&w, '{');
  writer_close(&w, '}');
  writer_close(&w, ']');
  assert_false(w.failed);
  assert_string_equal(w.data,
                      "[0.1, -0, null, null, 4.94065645841247e-324, 0.3333333333333333, "
                      "-9223372036854775808, false, \"\\u0009\x7f\\\"\\\\/\", "
                      "\"gr\xc3\xbc\xc3\x9f \\ufffd\\ufffd\", {}]");
  writer_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(manifest__comes_back_as_it_was),
      cmocka_unit_test(manifest__does_not_depend_on_the_locale),
      cmocka_unit_test(manifest__lists_every_file_of_the_bake_once),
      cmocka_unit_test(manifest__without_a_word_of_contacts_has_none),
      cmocka_unit_test(manifest__refuses_what_no_bake_wrote),
      cmocka_unit_test(manifest__cannot_name_files_that_are_not_a_bakes),
      cmocka_unit_test(writer__gives_valid_json_whatever_goes_in),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
