/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * comb_grain: what the red and green of a pixel mean (docs/maps.md), read and written.
 *
 * s = (2 red - 1, 2 green - 1) is a direction without a sign in the frame t, b of its triangle.
 * What is blended is its grain, min(|s|, 1) (cos 2a, sin 2a) with a the angle of s: the same as in
 * model/paint.h, so that what is painted here is what the core reads.
 */
#ifndef NATIVE_COMB_GRAIN_H
#define NATIVE_COMB_GRAIN_H

#include <math.h>

/* To 0 and 1. Not by fmin and fmax, which are calls: texels are many. */
static inline double comb_clamp(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }

static inline double comb_smooth_step(double x) {
  x = comb_clamp(x);
  return x * x * (3 - 2 * x);
}

typedef struct comb_grain {
  double x, y;
} comb_grain;

static inline double comb_grain_length(comb_grain g) { return sqrt(g.x * g.x + g.y * g.y); }

/* Of the direction x t + y b, as long as `length`; none where the direction is zero. */
static inline comb_grain comb_grain_of(double x, double y, double length) {
  double r2 = x * x + y * y;
  if (!(r2 > 0)) return (comb_grain){0, 0};
  return (comb_grain){length * (x * x - y * y) / r2, length * 2 * x * y / r2};
}

static inline comb_grain comb_grain_read(float red, float green) {
  double x = 2 * (double)red - 1, y = 2 * (double)green - 1;
  return comb_grain_of(x, y, comb_clamp(sqrt(x * x + y * y)));
}

/* Of the two directions, which are the same structure, the one with x > 0, or along +y. */
static inline void comb_grain_direction(comb_grain g, double *x, double *y) {
  double length = comb_grain_length(g), c = g.x / length, s = g.y / length;
  if (c >= 0) {
    *x = sqrt((1 + c) / 2);
    *y = s / (2 * *x);
  } else {
    *y = copysign(sqrt((1 - c) / 2), s);
    *x = s / (2 * *y);
  }
}

/* pixel: red and green; what is none becomes 1/2 exactly. */
static inline void comb_grain_write(comb_grain g, float pixel[2]) {
  double length = comb_grain_length(g), x = 0, y = 0;
  if (length > 1e-6) comb_grain_direction(g, &x, &y);
  pixel[0] = (float)(0.5 + 0.5 * length * x);
  pixel[1] = (float)(0.5 + 0.5 * length * y);
}

static inline comb_grain comb_grain_between(comb_grain a, comb_grain b, double share) {
  return (comb_grain){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

/* Towards b by a share without getting shorter on the way: a comb turns hair, it does not thin it.
 * Halfway between two that lie across each other there is no telling which way to turn: b's. */
static inline comb_grain comb_grain_turn(comb_grain a, comb_grain b, double share) {
  comb_grain mix = comb_grain_between(a, b, share);
  double length = comb_grain_length(mix), la = comb_grain_length(a);
  double wanted = la + share * (comb_grain_length(b) - la);
  if (!(length > 1e-3 * wanted)) mix = b, length = comb_grain_length(b);
  if (!(length > 0)) return (comb_grain){0, 0};
  return (comb_grain){mix.x * wanted / length, mix.y * wanted / length};
}

#endif
