/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * image_png: PNG images through libpng: grey, grey and alpha, RGB, RGBA of 8 and 16 bits,
 * interlaced or not. Greys of fewer bits and palettes are expanded to 8 bits, which loses nothing;
 * a transparent colour becomes an alpha channel. Chunks about colour are passed over.
 */
#ifndef IO_IMAGE_PNG_H
#define IO_IMAGE_PNG_H

#include "io/image.h"

tribo_status image_png_parse(const char *name, const void *data, size_t size, size_t most,
                             image *out, tribo_error *err);

/* With 8 or 16 bits a channel; every value is in [0, 1]. */
tribo_status image_png_write(const char *path, const image *im, int bits, tribo_error *err);

/* What step k of 255 or 65535 reads as, and the step nearest to a value in [0, 1]. */
static inline float image_png_share(unsigned step, unsigned largest) {
  return (float)((double)step / (double)largest);
}
static inline unsigned image_png_step(float value, unsigned largest) {
  return (unsigned)((double)value * (double)largest + 0.5);
}

#endif
