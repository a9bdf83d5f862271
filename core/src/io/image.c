/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/image_exr.h"
#include "io/image_png.h"

void image_free(image *im) {
  free(im->pixels);
  *im = (image){0};
}

tribo_status image_check_size(const char *name, uint64_t width, uint64_t height, size_t most,
                              tribo_error *err) {
  if (width == 0 || height == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%.300s' is empty: %llu x %llu pixels", name,
                       (unsigned long long)width, (unsigned long long)height);
  if (width > INT32_MAX || height > INT32_MAX || width > most / height)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.300s' has %llu x %llu pixels, more than %zu; scale it down", name,
                       (unsigned long long)width, (unsigned long long)height, most);
  return TRIBO_OK;
}

tribo_status image_create(const char *name, uint64_t width, uint64_t height, int32_t channels,
                          size_t most, image *out, tribo_error *err) {
  *out = (image){0};
  TRY(image_check_size(name, width, height, most, err));
  size_t count = (size_t)(width * height) * (size_t)channels;
  float *pixels = malloc(count * sizeof *pixels);
  if (!pixels) return status_no_memory(err, name);
  *out = (image){(int32_t)width, (int32_t)height, channels, pixels};
  return TRIBO_OK;
}

static tribo_status check_finite(const char *name, const image *im, tribo_error *err) {
  static const char *const grey[] = {"grey", "alpha"};
  static const char *const colour[] = {"red", "green", "blue", "alpha"};
  size_t channels = (size_t)im->channels, width = (size_t)im->width;
  for (size_t i = 0; i < width * (size_t)im->height * channels; i++) {
    if (isfinite(im->pixels[i])) continue;
    size_t pixel = i / channels, channel = i % channels;
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.300s': %s of the pixel in column %zu, row %zu from the top left is %g; "
                       "paint over it, every value must be a finite number",
                       name, (channels < 3 ? grey : colour)[channel], pixel % width, pixel / width,
                       (double)im->pixels[i]);
  }
  return TRIBO_OK;
}

tribo_status image_parse(const char *name, const void *data, size_t size, size_t most, image *out,
                         tribo_error *err) {
  static const unsigned char png[] = {0x89, 'P', 'N', 'G'}, exr[] = {0x76, 0x2f, 0x31, 0x01};
  *out = (image){0};
  tribo_status status;
  if (size == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%.300s' is an empty file; save the image again",
                       name);
  if (size >= sizeof png && memcmp(data, png, sizeof png) == 0)
    status = image_png_parse(name, data, size, most, out, err);
  else if (size >= sizeof exr && memcmp(data, exr, sizeof exr) == 0)
    status = image_exr_parse(name, data, size, most, out, err);
  else
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.300s' is neither a PNG nor an EXR image; save it as one of them", name);
  if (status == TRIBO_OK) status = check_finite(name, out, err);
  if (status != TRIBO_OK) image_free(out);
  return status;
}

tribo_status image_read(const char *path, image *out, tribo_error *err) {
  *out = (image){0};
  file_text text;
  TRY(file_read(path, &text, err));
  tribo_status status = image_parse(path, text.data, text.size, IMAGE_MOST_PIXELS, out, err);
  free(text.data);
  return status;
}

static bool fits(const image *im, unsigned largest) {
  size_t count = (size_t)im->width * (size_t)im->height * (size_t)im->channels;
  for (size_t i = 0; i < count; i++) {
    float x = im->pixels[i];
    if (!(x >= 0 && x <= 1) || signbit(x)) return false;
    if (image_png_share(image_png_step(x, largest), largest) != x) return false;
  }
  return true;
}

int image_bits(const image *im) { return fits(im, 255) ? 8 : fits(im, 65535) ? 16 : 0; }

const char *image_extension(const image *im) { return image_bits(im) ? ".png" : ".exr"; }

tribo_status image_write(const char *path, const image *im, tribo_error *err) {
  int bits = image_bits(im);
  return bits ? image_png_write(path, im, bits, err) : image_exr_write(path, im, err);
}
