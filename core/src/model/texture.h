/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * texture: a picture over the UV plane, read with bilinear filtering.
 *
 * (0, 0) is the lower left corner of the picture and (1, 1) the upper right, as modelling programs
 * have it; texel (x, y), counted from the top left, has its middle at u = (x + 1/2) / width,
 * v = 1 - (y + 1/2) / height. Between the middles of four texels the value is bilinear, so a border
 * that is sharp in the picture is one texel wide on the surface.
 */
#ifndef MODEL_TEXTURE_H
#define MODEL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXTURE_DEPTH = 2 };

/* A zeroed one is none. */
typedef struct texture {
  int32_t width, height;
  int32_t depth;       /* numbers a texel, at most TEXTURE_DEPTH */
  bool repeat;         /* beyond 0 to 1 it repeats; else its outermost texels go on */
  const float *texels; /* the top row first */
} texture;

/* u and v are finite. */
void texture_sample(const texture *t, double u, double v, double out[TEXTURE_DEPTH]);

#endif
