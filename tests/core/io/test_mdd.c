/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/mdd.h"

#include "claims.h"
#include "scratch.h"

static void mdd__lays_its_bytes_out_big_endian(void **state) {
  (void)state;
  const char *path = scratch_path("layout.mdd");
  mdd f;
  claim_ok(mdd_create(path, 1, 2, (double[]){0, 0.5}, &f, err));
  claim_ok(mdd_append(&f, (double[]){1, -2, 0.5}, err));
  claim_ok(mdd_append(&f, (double[]){0, 2, 1}, err));
  claim_ok(mdd_commit(&f, err));
  static const unsigned char expected[] = {0, 0,    0,    2, /* frames */
                                           0, 0,    0,    1, /* vertices */
                                           0, 0,    0,    0, 0x3f, 0,    0,    0,    0x3f, 0x80, 0,
                                           0, 0xc0, 0,    0, 0,    0x3f, 0,    0,    0,    0,    0,
                                           0, 0,    0x40, 0, 0,    0,    0x3f, 0x80, 0,    0};
  file_text text;
  claim_ok(file_read(path, &text, err));
  assert_int_equal(text.size, sizeof expected);
  assert_memory_equal(text.data, expected, sizeof expected);
  free(text.data);
}

static float big_endian_float(const char *text) {
  const unsigned char *bytes = (const unsigned char *)text;
  uint32_t bits = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                  (uint32_t)bytes[3];
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void mdd__keeps_every_frame_of_a_large_mesh(void **state) {
  (void)state;
  enum { VERTICES = 5003, FRAMES = 3 };
  const char *path = scratch_path("large.mdd");
  double *positions = malloc(3 * VERTICES * sizeof *positions), times[FRAMES] = {0, 1, 2};
  mdd f;
  claim_ok(mdd_create(path, VERTICES, FRAMES, times, &f, err));
  for (int frame = 0; frame < FRAMES; frame++) {
    for (int i = 0; i < 3 * VERTICES; i++) positions[i] = frame * 100000 + i;
    claim_ok(mdd_append(&f, positions, err));
  }
  claim_ok(mdd_commit(&f, err));
  free(positions);

  file_text text;
  claim_ok(file_read(path, &text, err));
  assert_int_equal(text.size, 8 + 4 * FRAMES + 12 * VERTICES * FRAMES);
  for (int frame = 0; frame < FRAMES; frame++)
    for (int i = 0; i < 3 * VERTICES; i++) {
      size_t at = 8 + 4 * FRAMES + 4 * ((size_t)frame * 3 * VERTICES + (size_t)i);
      claim_near((double)big_endian_float(text.data + at), frame * 100000 + i, 0);
    }
  free(text.data);
}

static void mdd__is_absent_until_every_frame_is_there(void **state) {
  (void)state;
  const char *path = scratch_path("partial.mdd");
  mdd f;
  claim_ok(mdd_create(path, 1, 2, (double[]){0, 1}, &f, err));
  claim_ok(mdd_append(&f, (double[]){1, 2, 3}, err));
  assert_int_not_equal(access(path, F_OK), 0);
  claim_fails(mdd_commit(&f, err), TRIBO_BAD_INPUT, "begun for 2 frames, but only 1 were written");
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_not_equal(access(scratch_path("partial.mdd.tmp"), F_OK), 0);
}

static void mdd__has_no_place_for_more_frames(void **state) {
  (void)state;
  mdd f;
  claim_ok(mdd_create(scratch_path("more.mdd"), 1, 1, (double[]){0}, &f, err));
  claim_ok(mdd_append(&f, (double[]){1, 2, 3}, err));
  claim_fails(mdd_append(&f, (double[]){1, 2, 3}, err), TRIBO_BAD_INPUT, "begun for 1 frames");
  mdd_abandon(&f);
  assert_int_not_equal(access(scratch_path("more.mdd"), F_OK), 0);
  assert_int_not_equal(access(scratch_path("more.mdd.tmp"), F_OK), 0);
}

static void mdd__refuses_what_no_reader_takes(void **state) {
  (void)state;
  mdd f;
  const char *path = scratch_path("bad.mdd");
  claim_fails(mdd_create(path, 0, 1, (double[]){0}, &f, err), TRIBO_BAD_INPUT,
              "1 frames of 0 vertices");
  claim_fails(mdd_create(path, 1, 0, NULL, &f, err), TRIBO_BAD_INPUT, "0 frames of 1 vertices");
  claim_fails(mdd_create(path, 1, 2, (double[]){0, (double)NAN}, &f, err), TRIBO_BAD_INPUT,
              "the time of frame 1 is nan");
  claim_ok(mdd_create(path, 2, 1, (double[]){0}, &f, err));
  claim_fails(mdd_append(&f, (double[]){0, 0, 0, (double)INFINITY, 0, 0}, err), TRIBO_BAD_INPUT,
              "position of vertex 1 has x = inf");
  mdd_abandon(&f);
}

static void mdd__says_when_it_cannot_write(void **state) {
  (void)state;
  mdd f;
  claim_fails(mdd_create("nowhere/a.mdd", 1, 1, (double[]){0}, &f, err), TRIBO_IO,
              "cannot write 'nowhere/a.mdd'");
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(mdd__lays_its_bytes_out_big_endian),
      cmocka_unit_test(mdd__keeps_every_frame_of_a_large_mesh),
      cmocka_unit_test(mdd__is_absent_until_every_frame_is_there),
      cmocka_unit_test(mdd__has_no_place_for_more_frames),
      cmocka_unit_test(mdd__refuses_what_no_reader_takes),
      cmocka_unit_test(mdd__says_when_it_cannot_write),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
