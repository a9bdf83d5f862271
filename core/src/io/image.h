/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * image: pictures that hold data. Numbers come as the file has them: a channel of 8 or 16 bits as
 * its share of the largest, 0 to 1, one of halves or floats as it is. No colour management: what a
 * file says of gamma, profiles or primaries is passed over, because a direction is no colour.
 *
 * PNG through libpng (io/image_png.h), EXR through OpenEXR (io/image_exr.h) where it was there when
 * this was built; told apart by their first bytes, not by their names. Every fault names the file;
 * a pixel that is not a finite number is named by column and row from the top left.
 */
#ifndef IO_IMAGE_H
#define IO_IMAGE_H

#include "base/status.h"

typedef struct image {
  int32_t width, height;
  int32_t channels; /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  float *pixels;    /* row by row, the top row first; channels side by side */
} image;

/* 8192 x 8192. */
#define IMAGE_MOST_PIXELS ((size_t)1 << 26)

tribo_status image_read(const char *path, image *out, tribo_error *err);

/* From memory; `name` stands for the file in messages. Refuses more than `most` pixels before it
 * asks for the memory. A refused image is left zeroed. */
tribo_status image_parse(const char *name, const void *data, size_t size, size_t most, image *out,
                         tribo_error *err);

/* The fewest bits a channel, 8 or 16, with which a PNG keeps every number to the bit; 0: none. */
int image_bits(const image *im);

/* As PNG where that loses nothing, else as EXR: the extension that image_write wants. */
const char *image_extension(const image *im);

/* To a path that ends in image_extension; complete or absent. Read back, it is the same image to
 * the bit. TRIBO_UNAVAILABLE where it takes EXR and this build has none. */
tribo_status image_write(const char *path, const image *im, tribo_error *err);

void image_free(image *im);

/* For the readers: whether there are pixels, and not too many; and memory for them. */
tribo_status image_check_size(const char *name, uint64_t width, uint64_t height, size_t most,
                              tribo_error *err);
tribo_status image_create(const char *name, uint64_t width, uint64_t height, int32_t channels,
                          size_t most, image *out, tribo_error *err);

#endif
