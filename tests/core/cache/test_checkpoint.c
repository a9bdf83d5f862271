/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include "base/file.h"
#include "base/hash.h"
#include "cache/checkpoint.h"

enum { VERTICES = 5, SIZE = CHECKPOINT_HEADER_SIZE + 48 * VERTICES + 8 };

static const uint64_t HASH = UINT64_C(0x0123456789abcdef);

/* A state of awkward numbers: subnormal, negative zero, with all bits in use. */
static void make_state(vec3 *x, vec3 *v, state *out) {
  uint64_t seed = 7;
  for (int i = 0; i < VERTICES; i++) {
    x[i] = vec3_make(claim_between(&seed, -1, 1), 1.0 / 3.0 * i, -0.0);
    v[i] = vec3_make(claim_between(&seed, -9, 9), 5e-324, 1.7976931348623157e308);
  }
  *out = (state){.step = 36, .vertex_count = VERTICES, .x = x, .v = v};
}

static file_text written(void) {
  vec3 x[VERTICES], v[VERTICES];
  state moving;
  make_state(x, v, &moving);
  claim_ok(checkpoint_write(scratch_path("state.ckpt"), HASH, 10, &moving, err));
  file_text bytes;
  claim_ok(file_read(scratch_path("state.ckpt"), &bytes, err));
  return bytes;
}

static void put_u64(char *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (char)(unsigned char)(value >> (8 * i));
}

/* After a change that the checksum is not to notice. */
static void seal(file_text *bytes) {
  put_u64(bytes->data + bytes->size - 8, hash_bytes(HASH_START, bytes->data, bytes->size - 8));
}

static tribo_status parse(const file_text *bytes, tribo_error *err) {
  checkpoint c;
  tribo_status status =
      checkpoint_parse("state.ckpt", bytes->data, bytes->size, HASH, VERTICES, &c, err);
  if (status == TRIBO_OK) checkpoint_free(&c);
  return status;
}

static void checkpoint__comes_back_to_the_last_bit(void **unused) {
  (void)unused;
  file_text bytes = written();
  assert_int_equal(bytes.size, SIZE);
  free(bytes.data);

  vec3 x[VERTICES], v[VERTICES];
  state moving;
  make_state(x, v, &moving);
  checkpoint c;
  claim_ok(checkpoint_read(scratch_path("state.ckpt"), HASH, VERTICES, &c, err));
  assert_true(c.scene_hash == HASH);
  assert_int_equal(c.frames, 10);
  assert_int_equal(c.state.step, 36);
  assert_int_equal(c.state.vertex_count, VERTICES);
  assert_memory_equal(c.state.x, x, sizeof x);
  assert_memory_equal(c.state.v, v, sizeof v);
  checkpoint_free(&c);
}

static void checkpoint__has_the_documented_layout(void **unused) {
  (void)unused;
  file_text bytes = written();
  assert_memory_equal(bytes.data, "TRIBOCKP\1\0\0\0\0\0\0\0", 16);
  assert_memory_equal(bytes.data + 16, "\xef\xcd\xab\x89\x67\x45\x23\x01", 8);
  assert_memory_equal(bytes.data + 24, "\x0a\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 32, "\x24\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 40, "\x05\0\0\0\0\0\0\0", 8);
  free(bytes.data);
}

static void checkpoint__of_one_state_is_one_file(void **unused) {
  (void)unused;
  file_text first = written(), second = written();
  assert_memory_equal(first.data, second.data, SIZE);
  free(first.data);
  free(second.data);
}

static void checkpoint__refuses_every_changed_bit(void **unused) {
  (void)unused;
  file_text bytes = written();
  for (size_t i = 0; i < 8 * bytes.size; i++) {
    bytes.data[i / 8] ^= (char)(1 << (i % 8));
    tribo_error err = {0};
    assert_int_equal(parse(&bytes, &err), TRIBO_BAD_INPUT);
    assert_string_not_equal(err.message, "");
    bytes.data[i / 8] ^= (char)(1 << (i % 8));
  }
  claim_ok(parse(&bytes, err));
  free(bytes.data);
}

static void checkpoint__refuses_every_other_length(void **unused) {
  (void)unused;
  file_text bytes = written();
  for (size_t size = 0; size < SIZE; size++) {
    /* A copy of exactly that size, so that a sanitizer sees a read past it. */
    char *exact = malloc(size + 1);
    memcpy(exact, bytes.data, size);
    file_text cut = {realloc(exact, size ? size : 1), size};
    tribo_error err = {0};
    assert_int_equal(parse(&cut, &err), TRIBO_BAD_INPUT);
    free(cut.data);
  }
  bytes.size++; /* the closing 0 that file_read adds */
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "damaged");
  free(bytes.data);
}

static void checkpoint__says_what_is_wrong_with_it(void **unused) {
  (void)unused;
  file_text bytes = written();
  checkpoint c;
  claim_fails(checkpoint_parse("a.ckpt", "POINTCACHE2", 11, HASH, VERTICES, &c, err),
              TRIBO_BAD_INPUT, "'a.ckpt' is no Tribo checkpoint");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, 20, HASH, VERTICES, &c, err), TRIBO_BAD_INPUT,
              "damaged (it is too short)");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, SIZE, HASH + 1, VERTICES, &c, err),
              TRIBO_BAD_INPUT, "of another scene");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, SIZE, HASH, 4, &c, err), TRIBO_BAD_INPUT,
              "has 5 vertices, the scene has 4");

  bytes.data[200] ^= 1;
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "checksum");
  bytes.data[200] ^= 1;

  put_u64(bytes.data + 8, 2);
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "version 2, this program writes version 1");
  put_u64(bytes.data + 8, 1);

  put_u64(bytes.data + 40, UINT64_MAX / 48 + 1 + VERTICES); /* wraps around to the right length */
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "number of vertices");
  put_u64(bytes.data + 40, VERTICES);

  put_u64(bytes.data + 24, 0);
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "out of range");
  put_u64(bytes.data + 24, 10);

  put_u64(bytes.data + CHECKPOINT_HEADER_SIZE, UINT64_C(0x7ff8000000000000));
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "not finite");
  free(bytes.data);
}

static void checkpoint__names_the_file_it_cannot_write(void **unused) {
  (void)unused;
  state moving = {.step = 0};
  claim_fails(checkpoint_write("nowhere/state.ckpt", 0, 1, &moving, err), TRIBO_IO,
              "'nowhere/state.ckpt'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checkpoint__comes_back_to_the_last_bit),
      cmocka_unit_test(checkpoint__has_the_documented_layout),
      cmocka_unit_test(checkpoint__of_one_state_is_one_file),
      cmocka_unit_test(checkpoint__refuses_every_changed_bit),
      cmocka_unit_test(checkpoint__refuses_every_other_length),
      cmocka_unit_test(checkpoint__says_what_is_wrong_with_it),
      cmocka_unit_test(checkpoint__names_the_file_it_cannot_write),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
