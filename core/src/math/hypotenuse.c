/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Borges, "An Improved Algorithm for hypot(a, b)" (2019): the square root of the rounded sum
 * of squares, h, and one step of Newton's method, h - (h^2 - a^2 - b^2) / (2 h). The numerator is
 * written in differences that are exact or nearly so, where the squares themselves would round.
 */
#include "math/hypotenuse.h"

#include <math.h>

static const double LARGE = 0x1p+511, TINY = 0x1p-459, DOWN = 0x1p-600, UP = 0x1p+600;

/* Below this share of the longer side the shorter one does not change a digit. */
static const double NOTHING = 0x1p-54;

/* 0 < b <= a, and neither square over- or underflows. With d = h - b, or d = h - a, the error of
 * h^2 is the sum of two products. */
static double refined(double a, double b) {
  double h = sqrt(a * a + b * b), excess;
  if (h <= 2 * b) {
    double d = h - b;
    excess = a * (2 * d - a) + (d - 2 * (a - b)) * d;
  } else {
    double d = h - a;
    excess = 2 * d * (a - 2 * b) + ((4 * d - b) * b + d * d);
  }
  return h - excess / (2 * h);
}

double hypotenuse(double x, double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (isnan(x) || isnan(y)) return x + y;
  if (b <= a * NOTHING) return a + b;
  if (a > LARGE) return UP * refined(DOWN * a, DOWN * b);
  if (b < TINY) return DOWN * refined(UP * a, UP * b);
  return refined(a, b);
}
