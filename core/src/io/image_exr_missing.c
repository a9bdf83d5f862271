/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * image_exr_missing: what a build without OpenEXR has in place of image_exr.c.
 */
#include "io/image_exr.h"

bool image_exr_available(void) { return false; }

tribo_status image_exr_parse(const char *name, const void *data, size_t size, size_t most,
                             image *out, tribo_error *err) {
  (void)data, (void)size, (void)most;
  *out = (image){0};
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "'%.300s' is an EXR image, and this build has no OpenEXR: install "
                     "libopenexr-dev (scripts/setup does) and configure again, or save it as PNG",
                     name);
}

tribo_status image_exr_write(const char *path, const image *im, tribo_error *err) {
  (void)im;
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "cannot write '%.300s': its numbers do not fit the 16 bits of a PNG, and this "
                     "build has no OpenEXR: install libopenexr-dev (scripts/setup does) and "
                     "configure again",
                     path);
}
