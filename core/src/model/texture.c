/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/texture.h"

#include <math.h>
#include <stddef.h>

/* The two texels around a coordinate along one side, and the share of the second. */
typedef struct between {
  int32_t first, second;
  double share;
} between;

static between find(double at, int32_t count, bool repeat) {
  double x = (repeat ? at - floor(at) : fmin(fmax(at, 0), 1)) * count - 0.5;
  double low = floor(x);
  int32_t first = (int32_t)low, second = first + 1;
  if (first < 0) first = repeat ? count - 1 : 0;
  if (second >= count) second = repeat ? second - count : count - 1;
  return (between){first, second, x - low};
}

static double texel(const texture *t, int32_t x, int32_t y, int32_t k) {
  size_t place = (size_t)y * (size_t)t->width + (size_t)x;
  return (double)t->texels[place * (size_t)t->depth + (size_t)k];
}

void texture_sample(const texture *t, double u, double v, double out[TEXTURE_DEPTH]) {
  between x = find(u, t->width, t->repeat), y = find(1 - v, t->height, t->repeat);
  for (int32_t k = 0; k < t->depth; k++) {
    double top = texel(t, x.first, y.first, k), low = texel(t, x.first, y.second, k);
    top += x.share * (texel(t, x.second, y.first, k) - top);
    low += x.share * (texel(t, x.second, y.second, k) - low);
    out[k] = top + y.share * (low - top);
  }
}
