/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libpng leaves a fault by longjmp. Whatever lives across it stands in a struct that the caller
 * holds, so that nothing is lost or torn, and no frame of ours is jumped over but the one that
 * called setjmp.
 */
#include "io/image_png.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

typedef struct fault {
  char message[160];
} fault;

static void on_error(png_structp png, png_const_charp message) {
  fault *f = png_get_error_ptr(png);
  snprintf(f->message, sizeof f->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
  const char *name;
  const unsigned char *at, *end;
  size_t most;
  png_structp png;
  png_infop info;
  unsigned char *bytes; /* the whole image, as libpng hands it over */
  png_bytep *rows;
  int bits;
  image *out;
  tribo_status status; /* of what is not libpng's fault */
  tribo_error *err;
  fault fault;
} reader;

static void take_bytes(png_structp png, png_bytep out, size_t count) {
  reader *r = png_get_io_ptr(png);
  if (count > (size_t)(r->end - r->at)) png_error(png, "it ends too early");
  memcpy(out, r->at, count);
  r->at += count;
}

/* To 8 or 16 bits a channel and 1 to 4 channels. */
static void expand(reader *r) {
  png_byte type = png_get_color_type(r->png, r->info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(r->png);
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(r->png);
  if (png_get_valid(r->png, r->info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(r->png);
  png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
}

/* Before libpng asks for a row of that width. */
static tribo_status check_size(const reader *r) {
  return image_check_size(r->name, png_get_image_width(r->png, r->info),
                          png_get_image_height(r->png, r->info), r->most, r->err);
}

static tribo_status reserve(reader *r) {
  size_t width = png_get_image_width(r->png, r->info);
  size_t height = png_get_image_height(r->png, r->info);
  size_t stride = png_get_rowbytes(r->png, r->info);
  r->bits = png_get_bit_depth(r->png, r->info);
  TRY(image_create(r->name, width, height, png_get_channels(r->png, r->info), r->most, r->out,
                   r->err));
  r->bytes = malloc(stride * height);
  r->rows = malloc(height * sizeof *r->rows);
  if (!r->bytes || !r->rows) return status_no_memory(r->err, r->name);
  for (size_t y = 0; y < height; y++) r->rows[y] = r->bytes + y * stride;
  return TRIBO_OK;
}

static void read_bytes(reader *r) {
  if (setjmp(png_jmpbuf(r->png))) {
    r->status =
        status_fail(r->err, TRIBO_BAD_INPUT, "'%.300s' is a damaged PNG image (%s); save it again",
                    r->name, r->fault.message);
    return;
  }
  png_set_read_fn(r->png, r, take_bytes);
  /* sizes are judged below, in words of our own */
  png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(r->png, r->info);
  r->status = check_size(r);
  if (r->status != TRIBO_OK) return;
  expand(r);
  r->status = reserve(r);
  if (r->status != TRIBO_OK) return;
  png_read_image(r->png, r->rows);
  png_read_end(r->png, NULL);
}

static void to_floats(const reader *r) {
  size_t count = (size_t)r->out->width * (size_t)r->out->channels;
  for (size_t y = 0; y < (size_t)r->out->height; y++) {
    const unsigned char *from = r->rows[y];
    float *to = r->out->pixels + y * count;
    for (size_t i = 0; i < count; i++)
      to[i] = r->bits == 16 ? image_png_share((unsigned)from[2 * i] << 8 | from[2 * i + 1], 65535)
                            : image_png_share(from[i], 255);
  }
}

tribo_status image_png_parse(const char *name, const void *data, size_t size, size_t most,
                             image *out, tribo_error *err) {
  *out = (image){0};
  reader r = {.name = name, .at = data, .most = most, .out = out, .err = err};
  r.end = r.at + size;
  r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r.fault, on_error, on_warning);
  if (r.png) r.info = png_create_info_struct(r.png);
  if (r.info)
    read_bytes(&r);
  else
    r.status = status_no_memory(err, name);
  if (r.status == TRIBO_OK) to_floats(&r);
  png_destroy_read_struct(&r.png, &r.info, NULL);
  free(r.bytes);
  free(r.rows);
  if (r.status != TRIBO_OK) image_free(out);
  return r.status;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct writer {
  const char *path;
  const image *image;
  int bits;
  png_structp png;
  png_infop info;
  unsigned char *row;
  ARRAY(unsigned char) bytes;
  tribo_status status;
  tribo_error *err;
  fault fault;
} writer;

static void give_bytes(png_structp png, png_bytep data, size_t count) {
  writer *w = png_get_io_ptr(png);
  if (!ARRAY_RESERVE(w->bytes, w->bytes.count + count)) png_error(png, "out of memory");
  memcpy(w->bytes.data + w->bytes.count, data, count);
  w->bytes.count += count;
}

static void flush(png_structp png) { (void)png; }

static void fill_row(const writer *w, int32_t y) {
  size_t count = (size_t)w->image->width * (size_t)w->image->channels;
  const float *from = w->image->pixels + (size_t)y * count;
  for (size_t i = 0; i < count; i++) {
    unsigned step = image_png_step(from[i], w->bits == 16 ? 65535 : 255);
    if (w->bits == 16) {
      w->row[2 * i] = (unsigned char)(step >> 8);
      w->row[2 * i + 1] = (unsigned char)(step & 255);
    } else {
      w->row[i] = (unsigned char)step;
    }
  }
}

static void write_bytes(writer *w) {
  static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(w->png))) {
    w->status =
        status_fail(w->err, TRIBO_IO, "cannot write '%.300s': %s", w->path, w->fault.message);
    return;
  }
  png_set_write_fn(w->png, w, give_bytes, flush);
  png_set_IHDR(w->png, w->info, (png_uint_32)w->image->width, (png_uint_32)w->image->height,
               w->bits, types[w->image->channels - 1], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(w->png, w->info);
  for (int32_t y = 0; y < w->image->height; y++) {
    fill_row(w, y);
    png_write_row(w->png, w->row);
  }
  png_write_end(w->png, NULL);
}

tribo_status image_png_write(const char *path, const image *im, int bits, tribo_error *err) {
  writer w = {.path = path, .image = im, .bits = bits, .err = err};
  w.row = malloc((size_t)im->width * (size_t)im->channels * 2);
  w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w.fault, on_error, on_warning);
  if (w.png) w.info = png_create_info_struct(w.png);
  if (w.row && w.info)
    write_bytes(&w);
  else
    w.status = status_no_memory(err, path);
  png_destroy_write_struct(&w.png, &w.info);
  if (w.status == TRIBO_OK) w.status = file_write(path, w.bytes.data, w.bytes.count, err);
  free(w.row);
  ARRAY_FREE(w.bytes);
  return w.status;
}
