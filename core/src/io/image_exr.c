/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/image_exr.h"

#include <math.h>
#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

bool image_exr_available(void) { return true; }

/* ---- reading --------------------------------------------------------------------------------- */

enum { CHANNELS = 4 };

typedef struct reader {
  const char *name;
  const unsigned char *data;
  size_t size, most;
  exr_context_t file;
  exr_attr_box2i_t window;
  const char *wanted[CHANNELS]; /* names of the file's channels, in the order of the image's */
  image *out;
  tribo_error *err;
} reader;

/* OpenEXR's own words go nowhere: the status is what counts, and it prints by itself otherwise. */
static void on_error(exr_const_context_t file, exr_result_t code, const char *message) {
  (void)file, (void)code, (void)message;
}

static int64_t take_bytes(exr_const_context_t file, void *user, void *out, uint64_t count,
                          uint64_t offset, exr_stream_error_func_ptr_t fail) {
  (void)file, (void)fail;
  const reader *r = user;
  if (offset >= r->size) return 0;
  uint64_t there = r->size - offset;
  if (count > there) count = there;
  memcpy(out, r->data + offset, count);
  return (int64_t)count;
}

static int64_t tell_size(exr_const_context_t file, void *user) {
  (void)file;
  return (int64_t)((const reader *)user)->size;
}

static tribo_status damaged(const reader *r, exr_result_t code) {
  if (code == EXR_ERR_OUT_OF_MEMORY) return status_no_memory(r->err, r->name);
  return status_fail(r->err, TRIBO_BAD_INPUT,
                     "'%.300s' is a damaged EXR image, or cut off (%s); save it again", r->name,
                     exr_get_default_error_message(code));
}

#define EXR(call)                                                                                  \
  do {                                                                                             \
    exr_result_t code_ = (call);                                                                   \
    if (code_ != EXR_ERR_SUCCESS) return damaged(r, code_);                                        \
  } while (0)

static tribo_status refuse(const reader *r, const char *what) {
  return status_fail(r->err, TRIBO_BAD_INPUT, "'%.300s' %s", r->name, what);
}

static tribo_status check_kind(const reader *r, exr_storage_t *storage) {
  exr_compression_t compression;
  EXR(exr_get_storage(r->file, 0, storage));
  if (*storage != EXR_STORAGE_SCANLINE && *storage != EXR_STORAGE_TILED)
    return refuse(r, "is a deep EXR image; save a flat one");
  EXR(exr_get_compression(r->file, 0, &compression));
  if (compression > EXR_COMPRESSION_PIZ)
    return refuse(r,
                  "is an EXR image with lossy compression, which changes directions; save it "
                  "with ZIP, PIZ or none");
  return TRIBO_OK;
}

/* The window of an EXR image may be any rectangle of the plane. */
static tribo_status find_window(reader *r) {
  exr_attr_box2i_t shown;
  EXR(exr_get_data_window(r->file, 0, &r->window));
  EXR(exr_get_display_window(r->file, 0, &shown));
  if (memcmp(&r->window, &shown, sizeof shown) == 0) return TRIBO_OK;
  return status_fail(r->err, TRIBO_BAD_INPUT,
                     "'%.300s' is cropped: it has the pixels (%d, %d) to (%d, %d), and shows (%d, "
                     "%d) to (%d, %d); save all of it",
                     r->name, r->window.min.x, r->window.min.y, r->window.max.x, r->window.max.y,
                     shown.min.x, shown.min.y, shown.max.x, shown.max.y);
}

static const exr_attr_chlist_entry_t *find_channel(const exr_attr_chlist_t *list,
                                                   const char *name) {
  for (int i = 0; i < list->num_channels; i++)
    if (strcmp(list->entries[i].name.str, name) == 0) return &list->entries[i];
  return NULL;
}

static tribo_status check_channel(const reader *r, const exr_attr_chlist_entry_t *c) {
  if (c->pixel_type == EXR_PIXEL_UINT)
    return status_fail(r->err, TRIBO_BAD_INPUT,
                       "'%.300s' holds whole numbers in its channel %s; save halves or floats",
                       r->name, c->name.str);
  if (c->x_sampling != 1 || c->y_sampling != 1)
    return status_fail(r->err, TRIBO_BAD_INPUT,
                       "'%.300s' has its channel %s for some pixels only; save it as RGB", r->name,
                       c->name.str);
  return TRIBO_OK;
}

/* R and G make a colour image, Y a grey one. */
static tribo_status choose_channels(reader *r, int32_t *count) {
  const exr_attr_chlist_t *list;
  EXR(exr_get_channels(r->file, 0, &list));
  bool colour = find_channel(list, "R") && find_channel(list, "G");
  bool grey = !colour && find_channel(list, "Y");
  if (!colour && !grey)
    return refuse(r, "has neither the channels R and G nor a channel Y; save it as RGB or grey");
  const char *const rgb[] = {"R", "G", "B"};
  *count = colour ? 3 : 1;
  for (int i = 0; i < *count; i++) r->wanted[i] = colour ? rgb[i] : "Y";
  if (find_channel(list, "A")) r->wanted[(*count)++] = "A";
  for (int i = 0; i < *count; i++) {
    const exr_attr_chlist_entry_t *c = find_channel(list, r->wanted[i]);
    if (c) TRY(check_channel(r, c));
  }
  return TRIBO_OK;
}

static float half_to_float(unsigned h) {
  int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
  double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                : exponent == 0 ? ldexp(fraction, -24)
                                : ldexp(1024 + fraction, exponent - 25);
  return (float)(h >> 15 ? -size : size);
}

static float read_value(const unsigned char *p, int bytes) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): data of a chunk that is there */
  if (bytes == 2) return half_to_float((unsigned)p[0] | (unsigned)p[1] << 8);
  uint32_t bits =
      /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
      (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Where a chunk goes: its first pixel is in column x and row y of the image. */
typedef struct target {
  const reader *r;
  int32_t x, y;
} target;

static void spread_line(const target *to, const exr_coding_channel_info_t *channel, int32_t line,
                        const unsigned char *from) {
  const image *im = to->r->out;
  if (channel->x_samples != 1 || channel->y_samples != 1) return; /* none of those wanted */
  for (int32_t k = 0; k < im->channels; k++) {
    if (strcmp(channel->channel_name, to->r->wanted[k]) != 0) continue;
    size_t pixel = (size_t)(to->y + line) * (size_t)im->width + (size_t)to->x;
    float *out = im->pixels + pixel * (size_t)im->channels + k;
    for (int32_t i = 0; i < channel->width; i++, out += im->channels)
      *out = read_value(from + (size_t)i * (size_t)channel->bytes_per_element,
                        channel->bytes_per_element);
  }
}

/* In place of OpenEXR 3.1's own: some of those mix up the channels of halves that are to lie side
 * by side, and some write through the null pointer of a channel that is not wanted. A chunk holds
 * line after line, and in a line channel after channel. */
static exr_result_t unpack(exr_decode_pipeline_t *pipe) {
  const target *to = pipe->decoding_user_data;
  uint64_t size = pipe->unpacked_buffer == pipe->packed_buffer ? pipe->chunk.packed_size
                                                               : pipe->chunk.unpacked_size;
  const unsigned char *at = pipe->unpacked_buffer, *end = at + (at ? size : 0);
  for (int32_t line = 0; line < pipe->chunk.height; line++)
    for (int c = 0; c < pipe->channel_count; c++) {
      const exr_coding_channel_info_t *channel = &pipe->channels[c];
      int32_t row = pipe->chunk.start_y + line;
      if (channel->y_samples > 1 && row % channel->y_samples != 0) continue;
      size_t bytes = (size_t)channel->width * (size_t)channel->bytes_per_element;
      if (bytes > (size_t)(end - at)) return EXR_ERR_CORRUPT_CHUNK;
      spread_line(to, channel, line, at);
      at += bytes;
    }
  return EXR_ERR_SUCCESS;
}

static tribo_status decode_chunk(const reader *r, const exr_chunk_info_t *chunk, int32_t x,
                                 int32_t y, exr_decode_pipeline_t *pipe, bool *first) {
  const image *im = r->out;
  if (x < 0 || y < 0 || chunk->width > im->width - x || chunk->height > im->height - y)
    return damaged(r, EXR_ERR_BAD_CHUNK_LEADER);
  target to = {r, x, y};
  EXR(*first ? exr_decoding_initialize(r->file, 0, chunk, pipe)
             : exr_decoding_update(r->file, 0, chunk, pipe));
  if (*first) EXR(exr_decoding_choose_default_routines(r->file, 0, pipe));
  *first = false;
  pipe->decoding_user_data = &to;
  pipe->unpack_and_convert_fn = unpack;
  EXR(exr_decoding_run(r->file, 0, pipe));
  return TRIBO_OK;
}

static tribo_status decode_scanlines(const reader *r, exr_decode_pipeline_t *pipe, bool *first) {
  int32_t lines;
  EXR(exr_get_scanlines_per_chunk(r->file, 0, &lines));
  if (lines < 1) return damaged(r, EXR_ERR_BAD_CHUNK_LEADER);
  for (int32_t y = 0; y < r->out->height; y += lines) {
    exr_chunk_info_t chunk;
    EXR(exr_read_scanline_chunk_info(r->file, 0, r->window.min.y + y, &chunk));
    TRY(decode_chunk(r, &chunk, 0, y, pipe, first));
  }
  return TRIBO_OK;
}

static tribo_status decode_tiles(const reader *r, exr_decode_pipeline_t *pipe, bool *first) {
  int32_t wide, high;
  EXR(exr_get_tile_sizes(r->file, 0, 0, 0, &wide, &high));
  if (wide < 1 || high < 1) return damaged(r, EXR_ERR_BAD_CHUNK_LEADER);
  for (int32_t y = 0; y < r->out->height; y += high)
    for (int32_t x = 0; x < r->out->width; x += wide) {
      exr_chunk_info_t chunk;
      EXR(exr_read_tile_chunk_info(r->file, 0, x / wide, y / high, 0, 0, &chunk));
      TRY(decode_chunk(r, &chunk, x, y, pipe, first));
    }
  return TRIBO_OK;
}

static tribo_status read_pixels(reader *r) {
  exr_storage_t storage;
  int32_t channels = 0;
  TRY(check_kind(r, &storage));
  TRY(find_window(r));
  TRY(choose_channels(r, &channels));
  int64_t width = (int64_t)r->window.max.x - r->window.min.x + 1;
  int64_t height = (int64_t)r->window.max.y - r->window.min.y + 1;
  if (width < 0 || height < 0) width = height = 0;
  TRY(image_create(r->name, (uint64_t)width, (uint64_t)height, channels, r->most, r->out, r->err));
  memset(r->out->pixels, 0, (size_t)(width * height * channels) * sizeof *r->out->pixels);
  exr_decode_pipeline_t pipe = EXR_DECODE_PIPELINE_INITIALIZER;
  bool first = true;
  tribo_status status = storage == EXR_STORAGE_TILED ? decode_tiles(r, &pipe, &first)
                                                     : decode_scanlines(r, &pipe, &first);
  exr_decoding_destroy(r->file, &pipe);
  return status;
}

tribo_status image_exr_parse(const char *name, const void *data, size_t size, size_t most,
                             image *out, tribo_error *err) {
  *out = (image){0};
  reader r = {.name = name, .data = data, .size = size, .most = most, .out = out, .err = err};
  exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
  start.error_handler_fn = on_error;
  start.user_data = &r;
  start.read_fn = take_bytes;
  start.size_fn = tell_size;
  exr_result_t code = exr_start_read(&r.file, name, &start);
  tribo_status status = code == EXR_ERR_SUCCESS ? read_pixels(&r) : damaged(&r, code);
  exr_finish(&r.file);
  if (status != TRIBO_OK) image_free(out);
  return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct writer {
  exr_context_t file;
  const image *image;
  ARRAY(unsigned char) bytes;
} writer;

/* The table of chunks is written last, and stands near the start. */
static int64_t give_bytes(exr_const_context_t file, void *user, const void *data, uint64_t count,
                          uint64_t offset, exr_stream_error_func_ptr_t fail) {
  (void)file, (void)fail;
  writer *w = user;
  size_t end = (size_t)(offset + count);
  if (end > w->bytes.count) {
    if (!ARRAY_RESERVE(w->bytes, end)) return -1;
    memset(w->bytes.data + w->bytes.count, 0, end - w->bytes.count);
    w->bytes.count = end;
  }
  memcpy(w->bytes.data + offset, data, count);
  return (int64_t)count;
}

static const char *channel_name(const image *im, int32_t channel) {
  static const char *const grey[] = {"Y", "A"}, *const colour[] = {"R", "G", "B", "A"};
  /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): channel < channels */
  return (im->channels < 3 ? grey : colour)[channel];
}

static exr_result_t write_chunk(writer *w, int32_t y, exr_encode_pipeline_t *pipe) {
  const image *im = w->image;
  size_t channels = (size_t)im->channels;
  exr_chunk_info_t chunk;
  exr_result_t code = exr_write_scanline_chunk_info(w->file, 0, y, &chunk);
  if (code == EXR_ERR_SUCCESS)
    code = y == 0 ? exr_encoding_initialize(w->file, 0, &chunk, pipe)
                  : exr_encoding_update(w->file, 0, &chunk, pipe);
  if (code != EXR_ERR_SUCCESS) return code;
  for (int c = 0; c < pipe->channel_count; c++) {
    exr_coding_channel_info_t *channel = &pipe->channels[c];
    int32_t k = 0;
    while (strcmp(channel->channel_name, channel_name(im, k)) != 0) k++;
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = (int32_t)(channels * sizeof(float));
    channel->user_line_stride = im->width * channel->user_pixel_stride;
    channel->encode_from_ptr =
        (const uint8_t *)(im->pixels + (size_t)y * (size_t)im->width * channels + (size_t)k);
  }
  if (y == 0) code = exr_encoding_choose_default_routines(w->file, 0, pipe);
  return code == EXR_ERR_SUCCESS ? exr_encoding_run(w->file, 0, pipe) : code;
}

static exr_result_t write_image(writer *w) {
  const image *im = w->image;
  int part;
  exr_result_t code = exr_add_part(w->file, NULL, EXR_STORAGE_SCANLINE, &part);
  if (code == EXR_ERR_SUCCESS)
    code = exr_initialize_required_attr_simple(w->file, part, im->width, im->height,
                                               EXR_COMPRESSION_ZIP);
  for (int32_t k = 0; k < im->channels && code == EXR_ERR_SUCCESS; k++)
    code = exr_add_channel(w->file, part, channel_name(im, k), EXR_PIXEL_FLOAT,
                           EXR_PERCEPTUALLY_LINEAR, 1, 1);
  if (code == EXR_ERR_SUCCESS) code = exr_write_header(w->file);
  int32_t lines = 1;
  if (code == EXR_ERR_SUCCESS) code = exr_get_scanlines_per_chunk(w->file, part, &lines);
  exr_encode_pipeline_t pipe = EXR_ENCODE_PIPELINE_INITIALIZER;
  for (int32_t y = 0; y < im->height && code == EXR_ERR_SUCCESS; y += lines)
    code = write_chunk(w, y, &pipe);
  exr_encoding_destroy(w->file, &pipe);
  return code;
}

tribo_status image_exr_write(const char *path, const image *im, tribo_error *err) {
  writer w = {.image = im};
  exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
  start.error_handler_fn = on_error;
  start.user_data = &w;
  start.write_fn = give_bytes;
  exr_result_t code = exr_start_write(&w.file, path, EXR_WRITE_FILE_DIRECTLY, &start);
  if (code == EXR_ERR_SUCCESS) code = write_image(&w);
  exr_result_t closed = exr_finish(&w.file);
  if (code == EXR_ERR_SUCCESS) code = closed;
  tribo_status status =
      code == EXR_ERR_SUCCESS
          ? file_write(path, w.bytes.data, w.bytes.count, err)
          : status_fail(err, code == EXR_ERR_OUT_OF_MEMORY ? TRIBO_NO_MEMORY : TRIBO_IO,
                        "cannot write '%.300s': %s", path, exr_get_default_error_message(code));
  ARRAY_FREE(w.bytes);
  return status;
}
