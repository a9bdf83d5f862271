/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include <sys/stat.h>

#include "base/file.h"
#include "io/image.h"
#include "io/image_exr.h"
#include "scene/scene_file.h"
#include "scratch.h"
#include "small.h"

static void write_text(const char *name, const char *text) {
  claim_ok(file_write(scratch_path(name), text, strlen(text), err));
}

/* 3 x 2 pixels of one colour. */
static void write_png(const char *name, int32_t channels, const float *colour) {
  image im;
  claim_ok(image_create(name, 3, 2, channels, 10, &im, err));
  for (int32_t i = 0; i < 6 * channels; i++) im.pixels[i] = colour[i % channels];
  claim_ok(image_write(scratch_path(name), &im, err));
  image_free(&im);
}

#define UVS    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static int write_folder(void **state) {
  if (scratch_create(state) != 0) return -1;
  write_text("uv.obj", SQUARE UVS "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n");
  write_text("bare.obj", SQUARE "f 1 2 3\nf 1 3 4\n");
  write_text("some.obj", SQUARE UVS "f 1/1 2/2 3/3\nf 1 3 4\n");
  write_text("flat.obj", SQUARE UVS "f 1/1 2/2 3/1\nf 1/1 3/3 4/1\n");
  write_text("text.png", "no image\n");
  write_text("block.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "4 0 0 1\n5 0 0 -1\n$EndNodes\n$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 1 3 2 5\n"
             "$EndElements\n");
  write_png("grain.png", 3, (float[]){1, 0, 0.2f});
  write_png("none.png", 3, (float[]){127 / 255.0f, 128 / 255.0f, 0});
  write_png("grey.png", 1, (float[]){0.2f});
  write_png("mu.png", 4, (float[]){0.2f, 0.4f, 0.6f, 0.8f});
  return 0;
}

static tribo_status parse(const char *text, tribo_scene **out, tribo_error *err) {
  return scene_file_parse("scene.json", scratch_folder, text, strlen(text), out, err);
}

static tribo_scene *parsed(const char *text) {
  tribo_scene *scene = NULL;
  claim_ok(parse(text, &scene, err));
  return scene;
}

#define claim_refused(text, words)                                                                 \
  do {                                                                                             \
    tribo_scene *scene_ = NULL;                                                                    \
    claim_fails(parse(text, &scene_, err), TRIBO_BAD_INPUT, words);                                \
  } while (0)

#define FLOOR(mesh, more)                                                                          \
  "{\"tribo\": 1, \"objects\": [{\"name\": \"floor\", \"kind\": \"collider\", \"mesh\": \"" mesh   \
  "\"" more "}]}"
#define STRUCTURE(file) ", \"structure_map\": \"" file "\""
#define FRICTION(file)  ", \"friction_map\": \"" file "\""

/* ---- reading --------------------------------------------------------------------------------- */

static void maps__are_read_beside_the_scene_file(void **state) {
  (void)state;
  tribo_scene *scene = parsed(
      FLOOR("uv.obj", STRUCTURE("grain.png") FRICTION(
                          "mu.png") ", \"maps\": {\"friction_channel\": \"b\", \"friction_scale\": "
                                    "2, \"wrap\": \"clamp\"}"));
  const tribo_object_def *o = &scene->objects.data[0];
  assert_int_equal(o->structure_map.width, 3);
  assert_int_equal(o->structure_map.height, 2);
  assert_int_equal(o->structure_map.channels, 3);
  claim_near((double)o->structure_map.pixels[0], 1, 0);
  assert_int_equal(o->friction_map.channels, 4);
  claim_near((double)o->friction_map.pixels[3], 0.8, 0.5 / 255);
  assert_int_equal(o->maps.friction_channel, TRIBO_CHANNEL_B);
  assert_int_equal(o->maps.wrap, TRIBO_WRAP_CLAMP);
  tribo_paint paint;
  claim_ok(tribo_scene_paint(scene, 0, &paint, err));
  assert_true(paint.structure && paint.friction);
  claim_near(paint.least, 2 * 0.6, 0.01);
  claim_near(paint.most, paint.least, 0);
  assert_int_equal(paint.islands, 1);
  assert_int_equal(paint.flat, 0);
  scene_free(scene);
}

static void vertex_keys__are_read_and_directions_turn_with_the_transform(void **state) {
  (void)state;
  tribo_scene *scene = parsed(FLOOR(
      "bare.obj",
      ", \"vertex_friction\": [1, 2, 3, 4.5], \"vertex_structure\": [[1, 0, 0], [0, 2, 0], [0, 0, "
      "0], [0, 0, 1]], \"transform\": [0, -0.01, 0, 5, 0.01, 0, 0, 6, 0, 0, 0.01, 7, 0, 0, 0, 1]"));
  const tribo_object_def *o = &scene->objects.data[0];
  claim_near(o->vertex_friction[3], 4.5, 0);
  const double expected[] = {0, 1, 0, -2, 0, 0, 0, 0, 0, 0, 0, 1};
  for (int i = 0; i < 12; i++) claim_near(o->vertex_structure[i], expected[i], 1e-15);
  scene_free(scene);
}

/* ---- refusing -------------------------------------------------------------------------------- */

static void uvs__that_are_missing_are_named_with_object_and_key(void **state) {
  (void)state;
  claim_refused(FLOOR("bare.obj", STRUCTURE("grain.png")),
                "object 'floor': structure_map needs UVs, and the mesh has none, or not at every "
                "corner; unwrap it and export it with its UVs, or use vertex_structure");
  claim_refused(FLOOR("some.obj", FRICTION("mu.png")), "object 'floor': friction_map needs UVs");
  claim_refused(FLOOR("flat.obj", STRUCTURE("grain.png")),
                "none of its 2 triangles has an area in them");
  claim_refused(
      "{\"tribo\": 1, \"objects\": [{\"name\": \"b\", \"kind\": \"solid\", \"mesh\": "
      "\"block.msh\", \"friction_map\": \"mu.png\"}]}",
      "object 'b': friction_map needs UVs, and a solid of tets has none; give it a "
      "surface with UVs and a cage, or use vertex_friction");
}

static void maps__that_do_not_fit_are_refused(void **state) {
  (void)state;
  claim_refused(FLOOR("uv.obj", STRUCTURE("gone.png")), "objects[0] 'floor': structure_map: ");
  claim_refused(FLOOR("uv.obj", FRICTION("text.png")),
                "text.png' is neither a PNG nor an EXR image");
  claim_refused(FLOOR("uv.obj", ", \"friction_map\": 3"),
                "friction_map must be a path in quotes, not a number");
  claim_refused(FLOOR("uv.obj", STRUCTURE("grey.png")), "structure_map is grey");
  claim_refused(FLOOR("uv.obj", STRUCTURE("none.png")),
                "object 'floor': structure_map has no structure in any pixel");
  claim_refused(FLOOR("uv.obj", FRICTION("grey.png") ", \"maps\": {\"friction_channel\": \"a\"}"),
                "maps.friction_channel is a, but friction_map has no alpha");
  claim_refused(FLOOR("uv.obj", ", \"maps\": {\"friction_chanel\": \"a\"}"),
                "maps: unknown key 'friction_chanel'; did you mean 'friction_channel'?");
  claim_refused(FLOOR("uv.obj", ", \"maps\": {\"wrap\": \"mirror\"}"),
                "maps.wrap is 'mirror'; give one of: auto, repeat, clamp");
  claim_refused(FLOOR("uv.obj", STRUCTURE("grain.png") ", \"vertex_structure\": [[1, 0, 0], [1, 0, "
                                                       "0], [1, 0, 0], [1, 0, 0]]"),
                "it has both structure_map and vertex_structure; keep one");
}

static void vertex_keys__that_do_not_fit_are_refused(void **state) {
  (void)state;
  claim_refused(FLOOR("uv.obj", ", \"vertex_friction\": [1, 2]"),
                "vertex_friction has 2 entries; give 4, one for each vertex");
  claim_refused(FLOOR("uv.obj", ", \"vertex_friction\": [1, 2, 3, [4]]"),
                "vertex_friction[3] must be a number, not an array of 1 value");
  claim_refused(FLOOR("uv.obj", ", \"vertex_friction\": [1, 2, 3, -1]"),
                "object 'floor': vertex_friction of vertex 3 is -1; a multiplier is from 0");
  claim_refused(FLOOR("uv.obj", ", \"vertex_structure\": [1, 2, 3, 4]"),
                "vertex_structure[0] must be [x, y, z], not a number");
  claim_refused(FLOOR("uv.obj", ", \"vertex_structure\": 4"),
                "vertex_structure must be an array, not a number");
}

/* From arrays, where no reader has looked at them before. */
static void arrays__that_do_not_fit_are_refused(void **state) {
  (void)state;
  small_sheet sheet;
  tribo_object_def *def = small_sheet_make(&sheet);
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  float pixels[24] = {0};
  def->uvs = sheet.uvs;
#define refused(words) claim_fails(scene_add(scene, def, NULL, err), TRIBO_BAD_INPUT, words)

  def->friction_map = (tribo_map_def){pixels, 0, 2, 3};
  refused("object 'sheet': friction_map is empty: 0 x 2 pixels");
  def->friction_map = (tribo_map_def){pixels, 1 << 20, 1 << 20, 3};
  refused("friction_map has 1048576 x 1048576 pixels, more than 67108864; scale it down");
  def->friction_map = (tribo_map_def){pixels, 2, 4, 5};
  refused("friction_map has 5 channels; give 1 (grey) to 4 (RGBA)");
  def->friction_map = (tribo_map_def){pixels, 4, 2, 3};
  pixels[3 * 6 + 1] = NAN;
  refused("friction_map: channel 1 of the pixel in column 2, row 1 from the top left is nan");
  pixels[3 * 6 + 1] = -1;
  refused("friction_map: the pixel in column 2, row 1 from the top left is -0.7152");
  pixels[3 * 6 + 1] = 2e6f;
  refused("a multiplier is from 0 to 1e+06");
  pixels[3 * 6 + 1] = 1;
  def->structure_map = def->friction_map;
  pixels[0] = INFINITY;
  refused("structure_map: channel 0 of the pixel in column 0, row 0");
  pixels[0] = 0;
  double structure[12] = {0}, friction[4] = {0, 1, NAN, 1};
  def->structure_map = def->friction_map = (tribo_map_def){0};
  def->vertex_friction = friction;
  refused("vertex_friction of vertex 2 is nan");
  friction[2] = 1;
  structure[10] = INFINITY;
  def->vertex_structure = structure;
  refused("vertex_structure of vertex 3 is (0, inf, 0)");
  structure[10] = 1;
  claim_ok(scene_add(scene, def, NULL, err));
#undef refused
  scene_free(scene);
}

/* ---- bundles --------------------------------------------------------------------------------- */

static bool is_there(const char *name) {
  struct stat about;
  return stat(scratch_path(name), &about) == 0;
}

static void claim_round_trip(const tribo_object_def *def, const char *file) {
  tribo_scene *scene, *again;
  claim_ok(scene_create(&scene, err));
  claim_ok(scene_add(scene, def, NULL, err));
  claim_ok(scene_file_write(scene, scratch_path("bundle"), err));
  if (file) assert_true(is_there(file));
  claim_ok(scene_file_read(scratch_path("bundle/scene.json"), &again, err));
  assert_true(scene_hash(scene) == scene_hash(again));
  scene_free(again);
  scene_free(scene);
}

static void bundle__brings_maps_and_vertices_back_to_the_bit(void **state) {
  (void)state;
  uint64_t seed = 17;
  small_sheet sheet;
  tribo_object_def *def = small_sheet_make(&sheet);
  def->uvs = sheet.uvs;
  float eight[60], sixteen[60], floats[60];
  for (int i = 0; i < 60; i++) {
    eight[i] = (float)(floor(claim_between(&seed, 0, 256)) / 255);
    sixteen[i] = (float)(floor(claim_between(&seed, 0, 65536)) / 65535);
    floats[i] = (float)claim_between(&seed, 0, 3);
  }
  def->maps.friction_scale = 1.0 / 3;
  def->maps.wrap = TRIBO_WRAP_REPEAT;
  def->structure_map = (tribo_map_def){eight, 5, 4, 3};
  claim_round_trip(def, "bundle/sheet.structure.png");
  def->friction_map = (tribo_map_def){sixteen, 4, 5, 3};
  claim_round_trip(def, "bundle/sheet.friction.png");
  def->friction_map = (tribo_map_def){sixteen, 6, 10, 1};
  claim_round_trip(def, NULL);
  if (image_exr_available()) {
    def->friction_map = (tribo_map_def){floats, 5, 3, 4};
    claim_round_trip(def, "bundle/sheet.friction.exr");
  }
  double friction[4], structure[12], stiffness[4];
  for (int i = 0; i < 4; i++) friction[i] = claim_between(&seed, 0, 2);
  for (int i = 0; i < 4; i++) stiffness[i] = claim_between(&seed, 0, 9);
  for (int i = 0; i < 12; i++) structure[i] = claim_between(&seed, -1, 1);
  structure[4] = -0.0;
  def->structure_map = def->friction_map = (tribo_map_def){0};
  def->vertex_friction = friction;
  def->vertex_structure = structure;
  def->vertex_stiffness = stiffness;
  claim_round_trip(def, NULL);
}

static void hash__sees_every_part_of_what_is_painted(void **state) {
  (void)state;
  small_sheet sheet;
  uint64_t seen[9];
  float pixels[12] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1};
  double friction[4] = {1, 1, 1, 1}, structure[12] = {1};
  for (int i = 0; i < 9; i++) {
    tribo_object_def *def = small_sheet_make(&sheet);
    def->uvs = sheet.uvs;
    pixels[4] = i == 3 ? 0.5f : 1;
    if (i >= 1 && i <= 5) def->friction_map = (tribo_map_def){pixels, 2, 2, 3};
    if (i == 2) def->friction_map = (tribo_map_def){pixels, 4, 1, 3};
    if (i == 4) def->maps.friction_scale = 2;
    if (i == 5) def->structure_map = def->friction_map;
    if (i == 6) def->vertex_friction = friction;
    if (i == 7) def->vertex_structure = structure;
    if (i == 8) def->vertex_stiffness = friction;
    tribo_scene *scene;
    claim_ok(scene_create(&scene, err));
    claim_ok(scene_add(scene, def, NULL, err));
    seen[i] = scene_hash(scene);
    for (int k = 0; k < i; k++) assert_true(seen[k] != seen[i]);
    scene_free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps__are_read_beside_the_scene_file),
      cmocka_unit_test(vertex_keys__are_read_and_directions_turn_with_the_transform),
      cmocka_unit_test(uvs__that_are_missing_are_named_with_object_and_key),
      cmocka_unit_test(maps__that_do_not_fit_are_refused),
      cmocka_unit_test(vertex_keys__that_do_not_fit_are_refused),
      cmocka_unit_test(arrays__that_do_not_fit_are_refused),
      cmocka_unit_test(bundle__brings_maps_and_vertices_back_to_the_bit),
      cmocka_unit_test(hash__sees_every_part_of_what_is_painted),
  };
  return cmocka_run_group_tests(tests, write_folder, scratch_remove);
}
