/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * image_exr: OpenEXR images through OpenEXR's C core: the first part, scanlines or tiles (the
 * full-size level), channels of halves or floats without compression or with a lossless one (RLE,
 * ZIPS, ZIP, PIZ). R, G, B and A, or Y and A; other channels are passed over, and a blue that is
 * missing is 0. Refused, with what to do: lossy compression, which bends directions; deep images;
 * channels of whole numbers or of fewer pixels; images cropped to a part of what they show.
 *
 * A build without OpenEXR has image_exr_missing.c in place of image_exr.c, and says what to
 * install.
 */
#ifndef IO_IMAGE_EXR_H
#define IO_IMAGE_EXR_H

#include "io/image.h"

tribo_status image_exr_parse(const char *name, const void *data, size_t size, size_t most,
                             image *out, tribo_error *err);

/* Floats, ZIP. */
tribo_status image_exr_write(const char *path, const image *im, tribo_error *err);

/* Whether this build reads and writes EXR. */
bool image_exr_available(void);

#endif
