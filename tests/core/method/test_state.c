/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include "method/state.h"

static state make(size_t touches) {
  state s;
  assert_true(state_create(2, 1, &s));
  assert_true(state_reserve_touches(&s, touches));
  s.x[1].y = 3;
  s.v[0].z = -1;
  s.turns[0] = quat_exp(vec3_make(1, 2, 3));
  s.touch_count = touches;
  for (size_t i = 0; i < touches; i++) s.touches[i] = (touch){i, {1, 2, (double)i}};
  return s;
}

static void copy__is_equal_whatever_was_there_before(void **unused) {
  (void)unused;
  static const size_t counts[] = {0, 5, 1000};
  for (int i = 0; i < 9; i++) {
    state from = make(counts[i / 3]), to = make(counts[i % 3]);
    from.step = 7;
    from.x[0].x = 0.5;
    assert_true(state_hash(&from) != state_hash(&to));
    assert_true(state_copy(&from, &to));
    assert_true(state_hash(&from) == state_hash(&to));
    assert_int_equal(to.step, 7);
    assert_int_equal(to.touch_count, counts[i / 3]);
    state_free(&from);
    state_free(&to);
  }
}

static void hash__changes_with_every_part(void **unused) {
  (void)unused;
  state s = make(3);
  double *numbers[] = {&s.x[1].z, &s.v[0].x, &s.turns[0].z, &s.touches[2].force.y};
  uint64_t whole = state_hash(&s);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double kept = *numbers[i];
    *numbers[i] = nextafter(kept, 9);
    assert_true(state_hash(&s) != whole);
    *numbers[i] = kept;
  }
  s.touches[0].key ^= 1;
  assert_true(state_hash(&s) != whole);
  s.touches[0].key ^= 1;
  s.step++;
  assert_true(state_hash(&s) != whole);
  s.step--;
  s.touch_count--;
  assert_true(state_hash(&s) != whole);
  s.touch_count++;
  assert_true(state_hash(&s) == whole);
  state_free(&s);
}

static void new_state__stands_still_unturned(void **unused) {
  (void)unused;
  state s;
  assert_true(state_create(0, 2, &s));
  assert_int_equal(s.step, 0);
  assert_int_equal(s.touch_count, 0);
  assert_true(s.turns[0].w == 1 && s.turns[1].w == 1);
  state_free(&s);
  assert_null(s.x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copy__is_equal_whatever_was_there_before),
      cmocka_unit_test(hash__changes_with_every_part),
      cmocka_unit_test(new_state__stands_still_unturned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
