/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * claims: cmocka with the headers it wants, and the few checks that every test shares. A test's
 * name states the claim.
 */
#ifndef TESTS_CLAIMS_H
#define TESTS_CLAIMS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

/* |actual - expected| <= tolerance, both printed when it does not hold (NaN never holds). */
#define claim_near(actual, expected, tolerance)                                                    \
  do {                                                                                             \
    double a_ = (actual), e_ = (expected), t_ = (tolerance);                                       \
    if (!(fabs(a_ - e_) <= t_)) {                                                                  \
      print_error("%s = %.17g, expected %.17g within %g (off by %g)\n", #actual, a_, e_, t_,       \
                  a_ - e_);                                                                        \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define claim_below(actual, limit)                                                                 \
  do {                                                                                             \
    double a_ = (actual), l_ = (limit);                                                            \
    if (!(a_ <= l_)) {                                                                             \
      print_error("%s = %.17g, expected at most %.17g\n", #actual, a_, l_);                        \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define claim_ok(call)                                                                             \
  do {                                                                                             \
    tribo_error claim_error_ = {0};                                                                \
    tribo_error *err = &claim_error_;                                                              \
    if ((call) != TRIBO_OK) {                                                                      \
      print_error("%s: %s\n", #call, err->message);                                                \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

/* Of a tribo_report: every step reached its tolerance. What the outcome looks like, crossings and
 * energies, is judged apart (step/judge.h). */
#define claim_solved(report)                                                                       \
  assert_int_equal((report).rough &(TRIBO_ROUGH_STEPS | TRIBO_ROUGH_TANGLED), 0)

/* The call (which names its error `err`) fails with `wanted`, and the message holds `words`. */
#define claim_fails(call, wanted, words)                                                           \
  do {                                                                                             \
    tribo_error claim_error_ = {0};                                                                \
    tribo_error *err = &claim_error_;                                                              \
    tribo_status s_ = (call);                                                                      \
    if (s_ != (wanted) || !strstr(err->message, (words))) {                                        \
      print_error("%s: status %s, message \"%s\"; expected %s with \"%s\"\n", #call,               \
                  tribo_status_name(s_), err->message, tribo_status_name(wanted), (words));        \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

/* A small repeatable random sequence (xorshift), so that a failing case can be found again. */
static inline double claim_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53; /* in [0, 1) */
}

static inline double claim_between(uint64_t *state, double low, double high) {
  return low + (high - low) * claim_random(state);
}

#endif
