/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include "base/file.h"
#include "base/hash.h"
#include "cache/checkpoint.h"

enum {
  NODES = 5,
  RIGIDS = 2,
  TOUCHES = 3,
  TURNS_AT = CHECKPOINT_HEADER_SIZE + 48 * NODES,
  TOUCHES_AT = TURNS_AT + 32 * RIGIDS,
  SIZE = TOUCHES_AT + 48 * TOUCHES + 8
};

static const uint64_t HASH = UINT64_C(0x0123456789abcdef);

/* A state of awkward numbers: subnormal, negative zero, with all bits in use. */
static state make_state(void) {
  uint64_t seed = 7;
  state made;
  assert_true(state_create(NODES, RIGIDS, &made));
  assert_true(state_reserve_touches(&made, TOUCHES));
  made.step = 36;
  for (int i = 0; i < NODES; i++) {
    made.x[i] = vec3_make(claim_between(&seed, -1, 1), 1.0 / 3.0 * i, -0.0);
    made.v[i] = vec3_make(claim_between(&seed, -9, 9), 5e-324, 1.7976931348623157e308);
  }
  for (int i = 0; i < RIGIDS; i++)
    made.turns[i] = quat_exp(vec3_make(claim_between(&seed, -2, 2), 1, -0.1));
  made.touch_count = TOUCHES;
  for (int i = 0; i < TOUCHES; i++)
    made.touches[i] = (touch){UINT64_C(0x8000000000000001) + (uint64_t)i * 77,
                              {claim_between(&seed, -1, 1), -0.0, 5e-324},
                              claim_between(&seed, -1, 1),
                              2 - 3 * i};
  return made;
}

static file_text written(void) {
  state moving = make_state();
  claim_ok(checkpoint_write(scratch_path("state.ckpt"), HASH, 10, &moving, err));
  state_free(&moving);
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
      checkpoint_parse("state.ckpt", bytes->data, bytes->size, HASH, NODES, RIGIDS, &c, err);
  if (status == TRIBO_OK) checkpoint_free(&c);
  return status;
}

static void checkpoint__comes_back_to_the_last_bit(void **unused) {
  (void)unused;
  file_text bytes = written();
  assert_int_equal(bytes.size, SIZE);
  free(bytes.data);

  state moving = make_state();
  checkpoint c;
  claim_ok(checkpoint_read(scratch_path("state.ckpt"), HASH, NODES, RIGIDS, &c, err));
  assert_true(c.scene_hash == HASH);
  assert_int_equal(c.frames, 10);
  assert_int_equal(c.state.step, 36);
  assert_int_equal(c.state.node_count, NODES);
  assert_int_equal(c.state.rigid_count, RIGIDS);
  assert_int_equal(c.state.touch_count, TOUCHES);
  assert_memory_equal(c.state.x, moving.x, NODES * sizeof(vec3));
  assert_memory_equal(c.state.v, moving.v, NODES * sizeof(vec3));
  assert_memory_equal(c.state.turns, moving.turns, RIGIDS * sizeof(quat));
  assert_memory_equal(c.state.touches, moving.touches, TOUCHES * sizeof(touch));
  assert_true(state_hash(&c.state) == state_hash(&moving));
  checkpoint_free(&c);
  state_free(&moving);
}

static void checkpoint__has_the_documented_layout(void **unused) {
  (void)unused;
  file_text bytes = written();
  assert_memory_equal(bytes.data, "TRIBOCKP\4\0\0\0\0\0\0\0", 16);
  assert_memory_equal(bytes.data + 16, "\xef\xcd\xab\x89\x67\x45\x23\x01", 8);
  assert_memory_equal(bytes.data + 24, "\x0a\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 32, "\x24\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 40, "\x05\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 48, "\x02\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + 56, "\x03\0\0\0\0\0\0\0", 8);
  assert_memory_equal(bytes.data + TOUCHES_AT, "\x01\0\0\0\0\0\0\x80", 8);
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

/* A number put there is refused, although the checksum is right; then the old one is put back. */
static void claim_place_is_watched(file_text *bytes, int place, uint64_t number,
                                   const char *message) {
  char old[8];
  memcpy(old, bytes->data + place, 8);
  put_u64(bytes->data + place, number);
  seal(bytes);
  claim_fails(parse(bytes, err), TRIBO_BAD_INPUT, message);
  memcpy(bytes->data + place, old, 8);
  seal(bytes);
}

static void checkpoint__says_what_is_wrong_with_it(void **unused) {
  (void)unused;
  file_text bytes = written();
  checkpoint c;
  claim_fails(checkpoint_parse("a.ckpt", "POINTCACHE2", 11, HASH, NODES, RIGIDS, &c, err),
              TRIBO_BAD_INPUT, "'a.ckpt' is no Tribo checkpoint");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, 20, HASH, NODES, RIGIDS, &c, err),
              TRIBO_BAD_INPUT, "damaged (it is too short)");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, SIZE, HASH + 1, NODES, RIGIDS, &c, err),
              TRIBO_BAD_INPUT, "of another scene");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, SIZE, HASH, 4, RIGIDS, &c, err),
              TRIBO_BAD_INPUT, "has 5 nodes and 2 rigid bodies, the scene has 4 and 2");
  claim_fails(checkpoint_parse("a.ckpt", bytes.data, SIZE, HASH, NODES, 0, &c, err),
              TRIBO_BAD_INPUT, "has 5 nodes and 2 rigid bodies, the scene has 5 and 0");

  bytes.data[200] ^= 1;
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "checksum");
  bytes.data[200] ^= 1;

  put_u64(bytes.data + 8, 1);
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "version 1, this program writes version 4");
  put_u64(bytes.data + 8, 4);

  /* Counts that wrap around to the right length: times 48, 32 and 48 they are 0 modulo 2^64. */
  static const struct {
    int place;
    uint64_t count;
  } wraps[] = {{40, (UINT64_C(1) << 60) + NODES},
               {48, (UINT64_C(1) << 59) + RIGIDS},
               {56, (UINT64_C(1) << 60) + TOUCHES}};
  static const uint64_t counts[] = {NODES, RIGIDS, TOUCHES};
  for (int i = 0; i < 3; i++) {
    put_u64(bytes.data + wraps[i].place, wraps[i].count);
    seal(&bytes);
    claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "numbers of nodes");
    put_u64(bytes.data + wraps[i].place, counts[i]);
  }

  put_u64(bytes.data + 24, 0);
  seal(&bytes);
  claim_fails(parse(&bytes, err), TRIBO_BAD_INPUT, "out of range");
  put_u64(bytes.data + 24, 10);

  uint64_t nan = UINT64_C(0x7ff8000000000000);
  claim_place_is_watched(&bytes, CHECKPOINT_HEADER_SIZE, nan, "not finite");
  claim_place_is_watched(&bytes, TURNS_AT - 8, nan, "not finite");
  claim_place_is_watched(&bytes, TURNS_AT, nan, "orientations");
  claim_place_is_watched(&bytes, TURNS_AT + 8, UINT64_C(0x3ff0000000000000), "orientations");
  claim_place_is_watched(&bytes, TOUCHES_AT, UINT64_MAX, "not in order");
  claim_place_is_watched(&bytes, TOUCHES_AT + 40, UINT64_C(0x8000000000000001), "not in order");
  claim_place_is_watched(&bytes, SIZE - 16, nan, "not in order");
  claim_ok(parse(&bytes, err));
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
