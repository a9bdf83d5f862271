/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of images promise about any bytes: a fault with a message and no pixels, or
 * finite pixels, as many as they say, and no more than were allowed.
 */
#ifndef TESTS_FUZZ_IMAGE_H
#define TESTS_FUZZ_IMAGE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_image(const uint8_t *data, size_t size) {
  enum { MOST = 1 << 16 };
  uint8_t *bytes = malloc(size + !size); /* of just the size: a step too far is seen */
  if (!bytes) return;
  if (size) memcpy(bytes, data, size);
  image im;
  tribo_error err = {0};
  tribo_status status = image_parse("fuzz", bytes, size, MOST, &im, &err);
  free(bytes);
  if (status == TRIBO_OK) {
    size_t pixels = (size_t)im.width * (size_t)im.height;
    if (pixels == 0 || pixels > MOST || im.channels < 1 || im.channels > 4) abort();
    for (size_t i = 0; i < pixels * (size_t)im.channels; i++)
      if (!isfinite(im.pixels[i])) abort();
  } else if (err.status != status || !err.message[0] || im.pixels) {
    abort();
  }
  image_free(&im);
}

#endif
