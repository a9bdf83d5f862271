/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"
#include "scratch.h"

static bool exists(const char *path) {
  struct stat about;
  return stat(path, &about) == 0;
}

static void claim_holds(const char *path, const void *data, size_t size) {
  file_text text;
  claim_ok(file_read(path, &text, err));
  assert_int_equal(text.size, size);
  assert_memory_equal(text.data, data, size);
  assert_int_equal(text.data[size], 0);
  free(text.data);
}

static void file__reads_back_what_it_wrote(void **state) {
  (void)state;
  const char *path = scratch_path("plain");
  claim_ok(file_write(path, "one\0two", 7, err));
  claim_holds(path, "one\0two", 7);
  claim_ok(file_write(path, "", 0, err));
  claim_holds(path, "", 0);
}

static void file__reads_sizes_around_its_buffer(void **state) {
  (void)state;
  static const size_t sizes[] = {65534, 65535, 65536, 131071, 131072, 300000};
  for (size_t i = 0; i < 6; i++) {
    char *data = malloc(sizes[i]);
    for (size_t k = 0; k < sizes[i]; k++) data[k] = (char)(k * 7);
    claim_ok(file_write(scratch_path("sized"), data, sizes[i], err));
    claim_holds(scratch_path("sized"), data, sizes[i]);
    free(data);
  }
}

static void file__says_which_file_is_missing(void **state) {
  (void)state;
  file_text text;
  claim_fails(file_read("nowhere/missing.obj", &text, err), TRIBO_BAD_INPUT,
              "cannot read 'nowhere/missing.obj': No such file");
  assert_null(text.data);
}

static void file__does_not_read_a_folder(void **state) {
  (void)state;
  file_text text;
  claim_fails(file_read(scratch_folder, &text, err), TRIBO_BAD_INPUT, "Is a directory");
}

static void file__shows_nothing_before_the_commit(void **state) {
  (void)state;
  const char *path = scratch_path("late");
  file_out out;
  claim_ok(file_create(path, &out, err));
  fputs("words", out.stream);
  assert_false(exists(path));
  claim_ok(file_commit(&out, err));
  claim_holds(path, "words", 5);
  assert_false(exists(scratch_path("late.tmp")));
}

static void file__keeps_the_old_file_when_abandoned(void **state) {
  (void)state;
  const char *path = scratch_path("kept");
  claim_ok(file_write(path, "old", 3, err));
  file_out out;
  claim_ok(file_create(path, &out, err));
  fputs("new", out.stream);
  file_abandon(&out);
  claim_holds(path, "old", 3);
  assert_false(exists(scratch_path("kept.tmp")));
}

static void file__never_writes_through_a_link(void **state) {
  (void)state;
  const char *path = scratch_path("made"), *victim = scratch_path("victim");
  claim_ok(file_write(victim, "precious", 8, err));
  assert_int_equal(symlink("victim", scratch_path("made.tmp")), 0);
  claim_ok(file_write(path, "new", 3, err));
  claim_holds(path, "new", 3);
  claim_holds(victim, "precious", 8);
  FILE *stream;
  assert_int_equal(symlink("victim", scratch_path("link")), 0);
  claim_fails(file_open_again(scratch_path("link"), &stream, err), TRIBO_BAD_INPUT,
              "symbolic link");
  assert_null(stream);
}

static void file__refuses_what_never_ends(void **state) {
  (void)state;
  file_text text;
  assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
  claim_fails(file_read(scratch_path("pipe"), &text, err), TRIBO_BAD_INPUT, "it is a pipe");
  claim_fails(file_read("/dev/zero", &text, err), TRIBO_BAD_INPUT, "it is a device");
  assert_int_equal(symlink("/dev/zero", scratch_path("endless")), 0);
  claim_fails(file_read(scratch_path("endless"), &text, err), TRIBO_BAD_INPUT, "it is a device");
}

static void file__cannot_be_created_in_a_missing_folder(void **state) {
  (void)state;
  file_out out;
  claim_fails(file_create("nowhere/file", &out, err), TRIBO_IO, "cannot write 'nowhere/file'");
  claim_fails(file_write("nowhere/file", "x", 1, err), TRIBO_IO, "No such file");
}

static void file__finds_write_errors_at_the_sync(void **state) {
  (void)state;
  FILE *full = fopen("/dev/full", "wb");
  if (!full) skip();
  fputs("x", full);
  claim_fails(file_sync(full, "full", err), TRIBO_IO, "cannot write 'full': No space left");
  /* The error is remembered, though its reason is not. */
  claim_fails(file_sync(full, "full", err), TRIBO_IO, "cannot write 'full'");
  fclose(full);
}

static void file__makes_folders_with_their_parents(void **state) {
  (void)state;
  const char *path = scratch_path("a/b//c/");
  claim_ok(file_make_folder(path, err));
  assert_true(exists(scratch_path("a/b/c")));
  claim_ok(file_make_folder(path, err));
  claim_ok(file_make_folder("/", err));
  claim_ok(file_make_folder(".", err));
  claim_ok(file_make_folder("", err));
}

static void file__makes_no_folder_where_a_file_is(void **state) {
  (void)state;
  claim_ok(file_write(scratch_path("taken"), "", 0, err));
  claim_fails(file_make_folder(scratch_path("taken"), err), TRIBO_IO, "a file of that name exists");
  claim_fails(file_make_folder(scratch_path("taken/sub"), err), TRIBO_IO, "Not a directory");
}

static void claim_text(char *actual, const char *expected) {
  assert_string_equal(actual, expected);
  free(actual);
}

static void file__joins_paths(void **state) {
  (void)state;
  claim_text(file_join("folder", "name"), "folder/name");
  claim_text(file_join("folder/", "name"), "folder/name");
  claim_text(file_join("", "name"), "name");
  claim_text(file_join("folder", "/name"), "/name");
  claim_text(file_join("/", "name"), "/name");
}

static void file__finds_the_folder_of_a_path(void **state) {
  (void)state;
  claim_text(file_folder("a/b/c"), "a/b");
  claim_text(file_folder("c"), "");
  claim_text(file_folder("/c"), "/");
  claim_text(file_folder("a/"), "a");
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(file__reads_back_what_it_wrote),
      cmocka_unit_test(file__reads_sizes_around_its_buffer),
      cmocka_unit_test(file__says_which_file_is_missing),
      cmocka_unit_test(file__does_not_read_a_folder),
      cmocka_unit_test(file__shows_nothing_before_the_commit),
      cmocka_unit_test(file__keeps_the_old_file_when_abandoned),
      cmocka_unit_test(file__never_writes_through_a_link),
      cmocka_unit_test(file__refuses_what_never_ends),
      cmocka_unit_test(file__cannot_be_created_in_a_missing_folder),
      cmocka_unit_test(file__finds_write_errors_at_the_sync),
      cmocka_unit_test(file__makes_folders_with_their_parents),
      cmocka_unit_test(file__makes_no_folder_where_a_file_is),
      cmocka_unit_test(file__joins_paths),
      cmocka_unit_test(file__finds_the_folder_of_a_path),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
