/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/pc2.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "claims.h"
#include "scratch.h"

enum { VERTICES = 5 };

static void fill(double *positions, int sample) {
  for (int i = 0; i < 3 * VERTICES; i++) positions[i] = sample + i * 0.25;
}

static void claim_sample(pc2 *f, int sample) {
  double actual[3 * VERTICES], expected[3 * VERTICES];
  claim_ok(pc2_read_sample(f, sample, actual, err));
  fill(expected, sample);
  assert_memory_equal(actual, expected, sizeof expected);
}

static void write_cache(const char *path, int samples) {
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_create(path, VERTICES, 1, 1, &f, err));
  for (int i = 0; i < samples; i++) {
    fill(positions, i);
    claim_ok(pc2_append(&f, positions, err));
    assert_int_equal(f.samples, i + 1);
  }
  pc2_close(&f);
}

/* The header of the file at path, with the bytes of `field` replaced. */
static void put_bytes(const char *path, long at, const void *bytes, size_t size) {
  FILE *stream = fopen(path, "r+b");
  fseek(stream, at, SEEK_SET);
  fwrite(bytes, 1, size, stream);
  fclose(stream);
}

static void pc2__lays_its_bytes_out_little_endian(void **state) {
  (void)state;
  pc2 f;
  const char *path = scratch_path("layout.pc2");
  claim_ok(pc2_create(path, 1, 2.0f, 0.5f, &f, err));
  claim_ok(pc2_append(&f, (double[]){1, -2, 0.5}, err));
  pc2_close(&f);
  static const unsigned char expected[] = {
      'P', 'O', 'I',  'N',  'T', 'C', 'A', 'C',  'H', 'E', '2', 0,
      1,   0,   0,    0,    1,   0,   0,   0,    0,   0,   0,   0x40, /* start 2 */
      0,   0,   0,    0x3f,                                           /* sampling 0.5 */
      1,   0,   0,    0,                                              /* samples */
      0,   0,   0x80, 0x3f, 0,   0,   0,   0xc0, 0,   0,   0,   0x3f};
  file_text text;
  claim_ok(file_read(path, &text, err));
  assert_int_equal(text.size, sizeof expected);
  assert_memory_equal(text.data, expected, sizeof expected);
  free(text.data);
}

static void pc2__reads_back_its_samples_in_any_order(void **state) {
  (void)state;
  const char *path = scratch_path("round.pc2");
  write_cache(path, 4);
  pc2 f;
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.vertices, VERTICES);
  assert_int_equal(f.samples, 4);
  claim_near((double)f.start, 1, 0);
  for (int i = 3; i >= 0; i--) claim_sample(&f, i);
  claim_sample(&f, 2);
  pc2_close(&f);
}

static void pc2__takes_more_vertices_than_fit_its_buffer(void **state) {
  (void)state;
  enum { MANY = 10007 };
  const char *path = scratch_path("many.pc2");
  double *positions = malloc(3 * MANY * sizeof *positions), *back = malloc(3 * MANY * sizeof *back);
  for (int i = 0; i < 3 * MANY; i++) positions[i] = i * 0.5;
  pc2 f;
  claim_ok(pc2_create(path, MANY, 0, 1, &f, err));
  claim_ok(pc2_append(&f, positions, err));
  claim_ok(pc2_append(&f, positions, err));
  claim_ok(pc2_read_sample(&f, 1, back, err)); /* a cache under way may be read, too */
  assert_memory_equal(back, positions, 3 * MANY * sizeof *back);
  pc2_close(&f);
  free(positions);
  free(back);
}

static void pc2__has_no_sample_outside_its_range(void **state) {
  (void)state;
  const char *path = scratch_path("range.pc2");
  write_cache(path, 2);
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_open(path, &f, err));
  claim_fails(pc2_read_sample(&f, 2, positions, err), TRIBO_BAD_INPUT,
              "has 2 samples; there is no sample 2");
  claim_fails(pc2_read_sample(&f, -1, positions, err), TRIBO_BAD_INPUT, "there is no sample -1");
  pc2_close(&f);
}

static void pc2__refuses_a_truncated_file_with_both_numbers(void **state) {
  (void)state;
  const char *path = scratch_path("cut.pc2");
  write_cache(path, 4);
  assert_int_equal(truncate(path, PC2_HEADER_SIZE + 3 * 12 * VERTICES + 7), 0);
  pc2 f;
  claim_fails(pc2_open(path, &f, err), TRIBO_BAD_INPUT,
              "its header counts 4 samples of 5 vertices, but the file holds only 3");
  assert_null(f.stream);
}

static void pc2__does_not_look_behind_the_counted_samples(void **state) {
  (void)state;
  const char *path = scratch_path("torn.pc2");
  write_cache(path, 2);
  put_bytes(path, PC2_HEADER_SIZE + 2 * 12 * VERTICES, "torn", 4);
  pc2 f;
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 2);
  claim_sample(&f, 1);
  pc2_close(&f);
}

static void claim_header_refused(long at, const void *bytes, size_t size, const char *words) {
  const char *path = scratch_path("bad.pc2");
  write_cache(path, 1);
  put_bytes(path, at, bytes, size);
  pc2 f;
  claim_fails(pc2_open(path, &f, err), TRIBO_BAD_INPUT, words);
  claim_fails(pc2_open(path, &f, err), TRIBO_BAD_INPUT, path);
}

static void pc2__refuses_bad_headers(void **state) {
  (void)state;
  claim_header_refused(0, "OBJ", 3, "is not a PC2 point cache");
  claim_header_refused(12, "\2\0\0\0", 4, "has PC2 version 2; only version 1 is known");
  claim_header_refused(16, "\0\0\0\0", 4, "claims 0 vertices");
  claim_header_refused(16, "\xff\xff\xff\xff", 4, "claims -1 vertices");
  claim_header_refused(16, "\xff\xff\xff\x7f", 4,
                       "counts 1 samples of 2147483647 vertices, but the file holds only 0");
  claim_header_refused(20, "\0\0\xc0\x7f", 4, "start frame nan");
  claim_header_refused(24, "\0\0\0\0", 4, "0 frames between samples");
  claim_header_refused(28, "\xff\xff\xff\xff", 4, "claims -1 samples");
  claim_header_refused(28, "\xff\xff\xff\x7f", 4, "counts 2147483647 samples");
}

static void pc2__refuses_files_shorter_than_a_header(void **state) {
  (void)state;
  const char *path = scratch_path("short.pc2");
  pc2 f;
  for (long size = 0; size < PC2_HEADER_SIZE; size++) {
    write_cache(path, 0);
    assert_int_equal(truncate(path, size), 0);
    claim_fails(pc2_open(path, &f, err), TRIBO_BAD_INPUT,
                size < 12 ? "is not a PC2 point cache" : "is cut off");
  }
}

static void pc2__says_which_file_it_cannot_reach(void **state) {
  (void)state;
  pc2 f;
  claim_fails(pc2_open("nowhere.pc2", &f, err), TRIBO_BAD_INPUT, "cannot read 'nowhere.pc2'");
  claim_fails(pc2_open(scratch_folder, &f, err), TRIBO_BAD_INPUT, "Is a directory");
  claim_fails(pc2_reopen("nowhere.pc2", 1, 0, &f, err), TRIBO_BAD_INPUT, "cannot read");
  claim_fails(pc2_reopen(scratch_folder, 1, 0, &f, err), TRIBO_IO, "cannot write");
  claim_fails(pc2_create("nowhere/a.pc2", 1, 0, 1, &f, err), TRIBO_IO, "cannot write");
}

static void pc2__refuses_to_create_what_it_would_not_open(void **state) {
  (void)state;
  pc2 f;
  const char *path = scratch_path("never.pc2");
  claim_fails(pc2_create(path, 0, 0, 1, &f, err), TRIBO_BAD_INPUT, "0 vertices");
  claim_fails(pc2_create(path, 1, 0, 0, &f, err), TRIBO_BAD_INPUT, "0 frames between samples");
  assert_int_not_equal(access(path, F_OK), 0);
}

static void pc2__refuses_values_that_no_float_holds(void **state) {
  (void)state;
  const char *path = scratch_path("nan.pc2");
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_create(path, VERTICES, 0, 1, &f, err));
  fill(positions, 0);
  positions[7] = (double)NAN;
  claim_fails(pc2_append(&f, positions, err), TRIBO_BAD_INPUT, "position of vertex 2 has y = nan");
  positions[7] = 1e39;
  claim_fails(pc2_append(&f, positions, err), TRIBO_BAD_INPUT, "y = 1e+39");
  assert_int_equal(f.samples, 0);
  fill(positions, 0);
  claim_ok(pc2_append(&f, positions, err));
  pc2_close(&f);

  put_bytes(path, PC2_HEADER_SIZE + 4 * 4, "\0\0\xc0\x7f", 4);
  claim_ok(pc2_open(path, &f, err));
  claim_fails(pc2_read_sample(&f, 0, positions, err), TRIBO_BAD_INPUT,
              "sample 0: the y coordinate of vertex 1 is nan");
  pc2_close(&f);
}

static void pc2__reopens_and_drops_later_samples(void **state) {
  (void)state;
  const char *path = scratch_path("again.pc2");
  write_cache(path, 4);
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_reopen(path, VERTICES, 2, &f, err));
  assert_int_equal(f.samples, 2);
  claim_sample(&f, 1);
  fill(positions, 2);
  claim_ok(pc2_append(&f, positions, err));
  pc2_close(&f);

  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 3);
  for (int i = 0; i < 3; i++) claim_sample(&f, i);
  pc2_close(&f);
  file_text text;
  claim_ok(file_read(path, &text, err));
  assert_int_equal(text.size, PC2_HEADER_SIZE + 3 * 12 * VERTICES);
  free(text.data);
}

static void pc2__reopens_by_the_length_and_not_by_the_count(void **state) {
  (void)state;
  const char *path = scratch_path("stale.pc2");
  pc2 f;
  write_cache(path, 3);
  put_bytes(path, 28, "\1\0\0\0", 4); /* as if the process had died before counting */
  claim_ok(pc2_reopen(path, VERTICES, 3, &f, err));
  pc2_close(&f);
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 3);
  claim_sample(&f, 2);
  pc2_close(&f);

  put_bytes(path, 28, "\x7\0\0\0", 4);
  claim_ok(pc2_reopen(path, VERTICES, 1, &f, err));
  pc2_close(&f);
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 1);
  pc2_close(&f);
}

static void pc2__does_not_reopen_what_does_not_fit(void **state) {
  (void)state;
  const char *path = scratch_path("misfit.pc2");
  write_cache(path, 3);
  pc2 f;
  claim_fails(pc2_reopen(path, 6, 3, &f, err), TRIBO_BAD_INPUT, "of 5 vertices, not of 6");
  claim_fails(pc2_reopen(path, VERTICES, 4, &f, err), TRIBO_BAD_INPUT,
              "holds 3 complete samples, not 4");
  claim_fails(pc2_reopen(path, VERTICES, -1, &f, err), TRIBO_BAD_INPUT, "not -1");
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 3);
  pc2_close(&f);
}

static void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void pc2__keeps_its_samples_when_a_write_fails(void **state) {
  (void)state;
  const char *path = scratch_path("full.pc2");
  write_cache(path, 2);
  signal(SIGXFSZ, SIG_IGN);
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_reopen(path, VERTICES, 2, &f, err));
  fill(positions, 2);
  /* Room for half a sample: the write is torn. */
  limit_file_size(PC2_HEADER_SIZE + 2 * 12 * VERTICES + 30);
  claim_fails(pc2_append(&f, positions, err), TRIBO_IO, "cannot write");
  assert_int_equal(f.samples, 2);
  claim_sample(&f, 1);

  pc2 reader;
  claim_ok(pc2_open(path, &reader, err));
  assert_int_equal(reader.samples, 2);
  claim_sample(&reader, 0);
  claim_sample(&reader, 1);
  pc2_close(&reader);

  /* Space was made: the same cache goes on. */
  limit_file_size(RLIM_INFINITY);
  claim_ok(pc2_append(&f, positions, err));
  pc2_close(&f);
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(f.samples, 3);
  claim_sample(&f, 2);
  pc2_close(&f);
}

static void pc2__says_when_the_disk_is_full_from_the_start(void **state) {
  (void)state;
  pc2 f;
  limit_file_size(PC2_HEADER_SIZE / 2);
  claim_fails(pc2_create(scratch_path("none.pc2"), 1, 0, 1, &f, err), TRIBO_IO, "File too large");
  limit_file_size(RLIM_INFINITY);
}

static void pc2__is_never_made_through_a_link(void **state) {
  (void)state;
  const char *victim = scratch_path("victim"), *path = scratch_path("linked.pc2");
  claim_ok(file_write(victim, "precious", 8, err));
  assert_int_equal(symlink("victim", path), 0);
  pc2 f;
  claim_fails(pc2_reopen(path, 1, 0, &f, err), TRIBO_BAD_INPUT, "is a symbolic link");
  claim_ok(pc2_create(path, 1, 0, 1, &f, err));
  pc2_close(&f);
  file_text text;
  claim_ok(file_read(victim, &text, err));
  assert_string_equal(text.data, "precious");
  free(text.data);
}

static void pc2__notices_a_file_cut_off_while_in_use(void **state) {
  (void)state;
  const char *path = scratch_path("shrunk.pc2");
  write_cache(path, 2);
  pc2 f;
  double positions[3 * VERTICES];
  claim_ok(pc2_open(path, &f, err));
  assert_int_equal(truncate(path, PC2_HEADER_SIZE + 12 * VERTICES + 5), 0);
  claim_fails(pc2_read_sample(&f, 1, positions, err), TRIBO_BAD_INPUT, "cut off inside sample 1");
  claim_sample(&f, 0);
  pc2_close(&f);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(pc2__lays_its_bytes_out_little_endian),
      cmocka_unit_test(pc2__reads_back_its_samples_in_any_order),
      cmocka_unit_test(pc2__takes_more_vertices_than_fit_its_buffer),
      cmocka_unit_test(pc2__has_no_sample_outside_its_range),
      cmocka_unit_test(pc2__refuses_a_truncated_file_with_both_numbers),
      cmocka_unit_test(pc2__does_not_look_behind_the_counted_samples),
      cmocka_unit_test(pc2__refuses_bad_headers),
      cmocka_unit_test(pc2__refuses_files_shorter_than_a_header),
      cmocka_unit_test(pc2__says_which_file_it_cannot_reach),
      cmocka_unit_test(pc2__refuses_to_create_what_it_would_not_open),
      cmocka_unit_test(pc2__refuses_values_that_no_float_holds),
      cmocka_unit_test(pc2__reopens_and_drops_later_samples),
      cmocka_unit_test(pc2__reopens_by_the_length_and_not_by_the_count),
      cmocka_unit_test(pc2__does_not_reopen_what_does_not_fit),
      cmocka_unit_test(pc2__keeps_its_samples_when_a_write_fails),
      cmocka_unit_test(pc2__says_when_the_disk_is_full_from_the_start),
      cmocka_unit_test(pc2__is_never_made_through_a_link),
      cmocka_unit_test(pc2__notices_a_file_cut_off_while_in_use),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
