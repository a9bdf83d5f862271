/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MANTISSA_DIGITS = 19, /* as many as a uint64_t always holds */
  FIVE_POWERS = 28,     /* 5^0 ... 5^27 fit in 63 bits */
  HARD_DIGITS = 800,    /* more than the 767 a tie between two doubles can have */
  EXPONENT_LIMIT = 100000,
};

__extension__ typedef unsigned __int128 wide;

/* digits * 10^exponent, where digits are the first MANTISSA_DIGITS that count. */
typedef struct decimal {
  const char *first, *last; /* the written digits, with the point and leading zeros */
  uint64_t mantissa;
  size_t significant; /* written digits from the first that is not 0 */
  int64_t exponent;
  bool negative;
} decimal;

static bool digit_of(char letter, unsigned *digit) {
  *digit = (unsigned)(unsigned char)letter - '0';
  return *digit <= 9;
}

static bool split(const char *text, size_t length, decimal *d) {
  const char *at = text, *end = text + length;
  unsigned digit;
  *d = (decimal){0};
  if (at < end && (*at == '-' || *at == '+')) d->negative = *at++ == '-';

  bool any = false, point = false;
  d->first = at;
  for (; at < end; at++) {
    if (*at == '.' && !point) {
      point = true;
      continue;
    }
    if (!digit_of(*at, &digit)) break;
    any = true;
    if (d->significant < MANTISSA_DIGITS) {
      d->mantissa = 10 * d->mantissa + digit;
      d->significant += d->mantissa != 0;
      d->exponent -= point;
    } else {
      d->significant++;
      d->exponent += !point;
    }
  }
  d->last = at;
  if (!any) return false;

  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    bool minus = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    int64_t power = 0;
    for (; at < end && digit_of(*at, &digit); at++)
      if (power < INT64_C(1000000000000000)) power = 10 * power + digit;
    d->exponent += minus ? -power : power;
  }
  return at == end;
}

static int width(wide n) {
  uint64_t high = (uint64_t)(n >> 64), low = (uint64_t)n;
  if (high) return 128 - __builtin_clzll(high);
  return low ? 64 - __builtin_clzll(low) : 0;
}

/* n * 2^power to the nearest double, ties to even. `more`: the true value lies a little above n. */
static double nearest(wide n, bool more, int power) {
  int drop = width(n) - DBL_MANT_DIG;
  if (drop > 0) {
    wide half = (wide)1 << (drop - 1), rest = n & (2 * half - 1);
    n >>= drop;
    if (rest > half || (rest == half && (more || (n & 1)))) n++;
    power += drop;
  }
  return ldexp((double)(uint64_t)n, power);
}

/* clang-format off */
static const uint64_t five[FIVE_POWERS] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625,
    1220703125, UINT64_C(6103515625), UINT64_C(30517578125), UINT64_C(152587890625),
    UINT64_C(762939453125), UINT64_C(3814697265625), UINT64_C(19073486328125),
    UINT64_C(95367431640625), UINT64_C(476837158203125), UINT64_C(2384185791015625),
    UINT64_C(11920928955078125), UINT64_C(59604644775390625), UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625), UINT64_C(7450580596923828125)};
/* clang-format on */

/* Up to 19 digits and 27 powers of ten: integers of 128 bits hold the exact product, or the
 * quotient to 64 bits and more with the knowledge whether anything is left over. */
static double near_one(uint64_t mantissa, int exponent) {
  if (exponent >= 0) return nearest((wide)mantissa * five[exponent], false, exponent);
  int shift = 128 - width(mantissa);
  wide numerator = (wide)mantissa << shift;
  uint64_t divisor = five[-exponent];
  wide quotient = numerator / divisor;
  return nearest(quotient, quotient * divisor != numerator, exponent - shift);
}

/* The rest is strtod's, handed over without a decimal point, which is all that the locale could
 * change. Digits that cannot decide the rounding are replaced by one that says "a little more". */
static double hard_case(const decimal *d) {
  char text[HARD_DIGITS + 32];
  size_t kept = 0;
  bool more = false;
  for (const char *at = d->first; at < d->last; at++) {
    if (*at == '.' || (kept == 0 && *at == '0')) continue;
    if (kept < HARD_DIGITS)
      text[kept++] = *at;
    else
      more = more || *at != '0';
  }
  int64_t exponent = d->exponent;
  size_t counted = d->significant < MANTISSA_DIGITS ? d->significant : MANTISSA_DIGITS;
  exponent -= (int64_t)(kept - counted);
  if (more) {
    text[kept++] = '1';
    exponent--;
  }
  if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
  if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
  snprintf(text + kept, sizeof text - kept, "e%d", (int)exponent);
  return strtod(text, NULL);
}

bool number_read(const char *text, size_t length, double *out) {
  decimal d;
  if (!split(text, length, &d)) return false;
  double value = 0;
  if (d.mantissa == 0)
    value = 0;
  else if (d.significant > MANTISSA_DIGITS || d.exponent >= FIVE_POWERS ||
           d.exponent <= -FIVE_POWERS)
    value = hard_case(&d);
  else
    value = near_one(d.mantissa, (int)d.exponent);
  *out = d.negative ? -value : value;
  return true;
}

bool number_read_int(const char *text, size_t length, int64_t *out) {
  const char *at = text, *end = text + length;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  if (at == end) return false;
  int64_t value = 0;
  for (; at < end; at++) {
    unsigned digit;
    if (!digit_of(*at, &digit)) return false;
    /* Counting downwards reaches the one value that has no positive twin. */
    if (value < (INT64_MIN + (int64_t)digit) / 10) return false;
    value = 10 * value - (int64_t)digit;
  }
  if (!negative && value == INT64_MIN) return false;
  *out = negative ? value : -value;
  return true;
}

/* 10^exponent for 0 <= exponent <= NUMBER_EXACT. */
static uint64_t ten(int exponent) { return five[exponent] << exponent; }

/* size * 10^power to the nearest whole number, ties to even, for results below 2^64: 53 bits times
 * 5^power stay below 128. */
static uint64_t scaled(double size, int power) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  wide n = ((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52) * (wide)five[power];
  int shift = (int)(bits >> 52) - 1075 + power;
  if (shift >= 0) return (uint64_t)(n << shift);
  wide half = (wide)1 << (-shift - 1), rest = n & (2 * half - 1);
  n >>= -shift;
  return (uint64_t)n + (rest > half || (rest == half && (n & 1)));
}

/* Most numbers of a mesh are neither tiny nor huge, and written without an exponent. Those take
 * this way, many times faster than printf's; the rest gives 0. */
static size_t print_plain(char *text, double value, int digits) {
  double size = fabs(value);
  if (!(size >= 1e-4 && size < 1e16)) return 0;
  /* The doubles nearest to 1e-4 ... 1e-1 lie above these, so comparing with them is exact. */
  static const double small_tens[] = {1e-4, 1e-3, 1e-2, 1e-1};
  int magnitude = 0;
  if (size < 1)
    for (magnitude = -1; size < small_tens[magnitude + 4];) magnitude--;
  else
    while (magnitude < NUMBER_EXACT - 1 && size >= (double)ten(magnitude + 1)) magnitude++;
  if (magnitude >= digits) return 0;
  uint64_t number = scaled(size, digits - 1 - magnitude);
  if (number == ten(digits)) { /* 9.99... rounded up */
    number /= 10;
    if (++magnitude == digits) return 0;
  }

  char written[NUMBER_EXACT];
  for (int i = digits; i-- > 0; number /= 10) written[i] = (char)('0' + number % 10);
  int used = digits;
  while (used > 1 && written[used - 1] == '0') used--;

  char *at = text;
  if (value < 0) *at++ = '-';
  if (magnitude < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = -1; i > magnitude; i--) *at++ = '0';
  }
  for (int i = 0; i < used || i <= magnitude; i++) {
    if (i > 0 && i == magnitude + 1) *at++ = '.';
    *at++ = written[i];
  }
  *at = 0;
  return (size_t)(at - text);
}

size_t number_print(char text[NUMBER_SIZE], double value, int digits) {
  assert(isfinite(value) && digits >= 1 && digits <= NUMBER_EXACT);
  size_t plain_length = print_plain(text, value, digits);
  if (plain_length) return plain_length;

  char local[NUMBER_SIZE];
  int written = snprintf(local, sizeof local, "%.*g", digits, value);
  assert(written > 0 && written < NUMBER_SIZE);

  /* Whatever is neither digit, sign nor 'e' is the locale's decimal point, of one byte or more. */
  size_t length = 0;
  bool inside_point = false;
  for (int i = 0; i < written; i++) {
    char letter = local[i];
    bool plain =
        (letter >= '0' && letter <= '9') || letter == '-' || letter == '+' || letter == 'e';
    if (plain)
      text[length++] = letter;
    else if (!inside_point)
      text[length++] = '.';
    inside_point = !plain;
  }
  text[length] = 0;
  return length;
}

size_t number_print_int(char text[NUMBER_SIZE], int64_t value) {
  char backwards[NUMBER_SIZE];
  size_t count = 0, length = 0;
  uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do backwards[count++] = (char)('0' + size % 10);
  while (size /= 10);
  if (value < 0) text[length++] = '-';
  while (count) text[length++] = backwards[--count];
  text[length] = 0;
  return length;
}
