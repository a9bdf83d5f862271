/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The images in tests/fuzz/corpus were made by Blender, the tiled one by OpenEXR's exrmaketiled:
 * six columns, four rows, at column x and row y from the top (x/8, y/4, 1/2, 1).
 */
#include <png.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "claims.h"
#include "io/image.h"
#include "io/image_exr.h"

#define CORPUS TRIBO_SOURCE_DIR "/tests/fuzz/corpus/"

static void claim_ramp(const char *path, int channels, double tolerance) {
  image im;
  claim_ok(image_read(path, &im, err));
  assert_int_equal(im.width, 6);
  assert_int_equal(im.height, 4);
  assert_int_equal(im.channels, channels);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 6; x++) {
      const float *p = im.pixels + (6 * y + x) * channels;
      double expected[] = {x / 8.0, y / 4.0, 0.5, 1};
      for (int c = 0; c < channels; c++) claim_near((double)p[c], expected[c], tolerance);
    }
  image_free(&im);
}

static bool no_exr(void) {
  if (image_exr_available()) return false;
  print_message("without OpenEXR: skipped\n");
  skip();
  return true;
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void png__reads_what_blender_wrote_in_8_and_16_bits(void **state) {
  (void)state;
  claim_ramp(CORPUS "png/rgb8.png", 3, 0.5 / 255 + 1e-7);
  claim_ramp(CORPUS "png/rgba16.png", 4, 0.5 / 65535 + 1e-7);
}

static void exr__reads_what_blender_wrote_to_the_bit(void **state) {
  (void)state;
  if (no_exr()) return;
  claim_ramp(CORPUS "exr/half_zip.exr", 4, 0);
  claim_ramp(CORPUS "exr/half_rle.exr", 3, 0);
  claim_ramp(CORPUS "exr/float_piz.exr", 4, 0);
  claim_ramp(CORPUS "exr/float_none.exr", 3, 0);
  claim_ramp(CORPUS "exr/tiled.exr", 4, 0);
}

/* Halves R and G, and a channel Z of floats that nobody asks for. */
static void exr__passes_over_other_channels_and_a_missing_blue_is_0(void **state) {
  (void)state;
  if (no_exr()) return;
  image im;
  claim_ok(image_read(CORPUS "exr/depth.exr", &im, err));
  assert_int_equal(im.channels, 3);
  for (int i = 0; i < 24; i++) {
    claim_near((double)im.pixels[3 * i], (i % 6) / 8.0, 0);
    claim_near((double)im.pixels[3 * i + 1], (i / 6) / 4.0, 0);
    claim_near((double)im.pixels[3 * i + 2], 0, 0);
  }
  image_free(&im);
}

/* A PNG of any kind that libpng can make, in memory. */
typedef struct made {
  ARRAY(unsigned char) bytes;
} made;

static void add_bytes(png_structp png, png_bytep data, size_t count) {
  made *m = png_get_io_ptr(png);
  for (size_t i = 0; i < count; i++) assert_true(ARRAY_PUSH(m->bytes, data[i]));
}

static void no_flush(png_structp png) { (void)png; }

static made make_png(int width, int height, int bits, int type, int interlace,
                     const unsigned char *bytes, const png_color *palette, int colours) {
  made m = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  assert_non_null(info);
  png_set_write_fn(png, &m, add_bytes, no_flush);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, type, interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (palette) png_set_PLTE(png, info, palette, colours);
  png_set_gAMA(png, info, 0.45455);
  png_write_info(png, info);
  png_bytep rows[8];
  size_t stride = png_get_rowbytes(png, info);
  for (int y = 0; y < height; y++) rows[y] = (png_bytep)bytes + (size_t)y * stride;
  png_write_image(png, rows);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return m;
}

static image parse_made(made *m) {
  image im;
  claim_ok(image_parse("made.png", m->bytes.data, m->bytes.count, IMAGE_MOST_PIXELS, &im, err));
  ARRAY_FREE(m->bytes);
  return im;
}

static void png__palettes_are_expanded_and_gamma_is_passed_over(void **state) {
  (void)state;
  const png_color palette[] = {{10, 20, 30}, {255, 128, 0}};
  const unsigned char bytes[] = {1, 0};
  made m = make_png(2, 1, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, bytes, palette, 2);
  image im = parse_made(&m);
  assert_int_equal(im.channels, 3);
  const int expected[] = {255, 128, 0, 10, 20, 30};
  for (int i = 0; i < 6; i++) claim_near((double)im.pixels[i], expected[i] / 255.0, 1e-7);
  image_free(&im);
}

static void png__interlaced_and_plain_are_the_same_image(void **state) {
  (void)state;
  unsigned char bytes[8 * 8 * 2];
  for (int i = 0; i < 128; i++) bytes[i] = (unsigned char)(2 * i);
  made a = make_png(8, 8, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE, bytes, NULL, 0);
  made b = make_png(8, 8, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_ADAM7, bytes, NULL, 0);
  image plain = parse_made(&a), laced = parse_made(&b);
  assert_int_equal(laced.channels, 2);
  assert_memory_equal(plain.pixels, laced.pixels, sizeof bytes * sizeof(float));
  for (int i = 0; i < 128; i++) claim_near((double)laced.pixels[i], 2 * i / 255.0, 1e-7);
  image_free(&plain);
  image_free(&laced);
}

static void png__greys_of_one_bit_are_0_and_1(void **state) {
  (void)state;
  const unsigned char bytes[] = {0x50}; /* 0101 */
  made m = make_png(4, 1, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, bytes, NULL, 0);
  image im = parse_made(&m);
  for (int i = 0; i < 4; i++) claim_near((double)im.pixels[i], i % 2, 0);
  image_free(&im);
}

/* ---- round trips ----------------------------------------------------------------------------- */

static void claim_round_trip(const image *im, const char *extension) {
  char path[64];
  snprintf(path, sizeof path, "image_%ld%s", (long)getpid(), extension);
  assert_string_equal(image_extension(im), extension);
  claim_ok(image_write(path, im, err));
  image back;
  claim_ok(image_read(path, &back, err));
  assert_int_equal(back.width, im->width);
  assert_int_equal(back.height, im->height);
  assert_int_equal(back.channels, im->channels);
  assert_memory_equal(back.pixels, im->pixels,
                      (size_t)(im->width * im->height * im->channels) * sizeof(float));
  image_free(&back);
  unlink(path);
}

/* 5 x 7 of 1 to 4 channels; steps 0: any float. */
static void claim_round_trips(unsigned steps, int bits, const char *extension) {
  uint64_t seed = 11 + steps;
  for (int32_t channels = 1; channels <= 4; channels++) {
    image im;
    claim_ok(image_create("test", 5, 7, channels, 100, &im, err));
    for (int i = 0; i < 35 * channels; i++)
      im.pixels[i] = steps ? (float)(floor(claim_between(&seed, 0, steps + 0.999)) / steps)
                           : (float)claim_between(&seed, -10, 10);
    assert_int_equal(image_bits(&im), bits);
    claim_round_trip(&im, extension);
    image_free(&im);
  }
}

static void write__8_bits_16_bits_and_floats_come_back_to_the_bit(void **state) {
  (void)state;
  claim_round_trips(255, 8, ".png");
  claim_round_trips(65535, 16, ".png");
  if (image_exr_available()) claim_round_trips(0, 0, ".exr");
}

static void write__without_openexr_says_what_to_install(void **state) {
  (void)state;
  if (image_exr_available()) return;
  float half[] = {0.3f};
  image im = {1, 1, 1, half};
  claim_fails(image_write("x.exr", &im, err), TRIBO_UNAVAILABLE, "libopenexr-dev");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void claim_refused(const char *path, size_t keep, size_t most, const char *words) {
  file_text text;
  claim_ok(file_read(path, &text, err));
  image im;
  if (keep > text.size) keep = text.size;
  claim_fails(image_parse("map", text.data, keep, most, &im, err), TRIBO_BAD_INPUT, words);
  assert_null(im.pixels);
  free(text.data);
}

static void read__refuses_what_is_cut_off_wherever_the_cut_is(void **state) {
  (void)state;
  const char *const files[] = {CORPUS "png/rgb8.png", CORPUS "png/rgba16.png",
                               CORPUS "exr/half_zip.exr", CORPUS "exr/float_piz.exr",
                               CORPUS "exr/tiled.exr"};
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    if (f >= 2 && !image_exr_available()) return;
    file_text text;
    claim_ok(file_read(files[f], &text, err));
    for (size_t keep = 4; keep < text.size; keep += 7)
      claim_refused(files[f], keep, 100, "'map' is a damaged");
    free(text.data);
  }
}

static void read__refuses_what_is_no_image(void **state) {
  (void)state;
  image im;
  const char text[] = "# an obj file\nv 0 0 0\n";
  claim_fails(image_parse("cube.obj", text, sizeof text, 100, &im, err), TRIBO_BAD_INPUT,
              "'cube.obj' is neither a PNG nor an EXR image; save it as one of them");
  claim_fails(image_parse("none", text, 0, 100, &im, err), TRIBO_BAD_INPUT, "is an empty file");
  claim_fails(image_read("not_there.png", &im, err), TRIBO_BAD_INPUT, "not_there.png");
}

static void read__refuses_too_many_pixels_before_it_takes_memory(void **state) {
  (void)state;
  claim_refused(CORPUS "png/rgb8.png", SIZE_MAX, 23, "has 6 x 4 pixels, more than 23; scale it");
  if (image_exr_available())
    claim_refused(CORPUS "exr/tiled.exr", SIZE_MAX, 23, "has 6 x 4 pixels, more than 23");
}

static void read__refuses_a_png_without_pixels(void **state) {
  (void)state;
  /* the width in IHDR set to 0, with its checksum */
  const unsigned char bytes[] = {0x89, 'P', 'N', 'G', 13,  10, 26, 10,   0,    0,    0,
                                 13,   'I', 'H', 'D', 'R', 0,  0,  0,    0,    0,    0,
                                 0,    1,   8,   0,   0,   0,  0,  0x5f, 0x9f, 0xc6, 0x53};
  image im;
  claim_fails(image_parse("zero.png", bytes, sizeof bytes, 100, &im, err), TRIBO_BAD_INPUT,
              "'zero.png'");
}

static void exr__refuses_lossy_compression(void **state) {
  (void)state;
  if (no_exr()) return;
  claim_refused(CORPUS "exr/lossy.exr", SIZE_MAX, 100, "lossy compression");
}

static void exr__names_the_pixel_that_is_not_a_number(void **state) {
  (void)state;
  if (no_exr()) return;
  image im;
  claim_ok(image_create("test", 3, 2, 3, 100, &im, err));
  for (int i = 0; i < 18; i++) im.pixels[i] = 0.5f;
  im.pixels[3 * (3 * 1 + 2) + 1] = NAN;
  claim_ok(image_write("image_nan.exr", &im, err));
  image_free(&im);
  claim_fails(image_read("image_nan.exr", &im, err), TRIBO_BAD_INPUT,
              "green of the pixel in column 2, row 1 from the top left is nan");
  unlink("image_nan.exr");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(png__reads_what_blender_wrote_in_8_and_16_bits),
      cmocka_unit_test(exr__reads_what_blender_wrote_to_the_bit),
      cmocka_unit_test(exr__passes_over_other_channels_and_a_missing_blue_is_0),
      cmocka_unit_test(png__palettes_are_expanded_and_gamma_is_passed_over),
      cmocka_unit_test(png__interlaced_and_plain_are_the_same_image),
      cmocka_unit_test(png__greys_of_one_bit_are_0_and_1),
      cmocka_unit_test(write__8_bits_16_bits_and_floats_come_back_to_the_bit),
      cmocka_unit_test(write__without_openexr_says_what_to_install),
      cmocka_unit_test(read__refuses_what_is_cut_off_wherever_the_cut_is),
      cmocka_unit_test(read__refuses_what_is_no_image),
      cmocka_unit_test(read__refuses_too_many_pixels_before_it_takes_memory),
      cmocka_unit_test(read__refuses_a_png_without_pixels),
      cmocka_unit_test(exr__refuses_lossy_compression),
      cmocka_unit_test(exr__names_the_pixel_that_is_not_a_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
