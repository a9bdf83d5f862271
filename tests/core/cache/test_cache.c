/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bakes.h"

#include "cache/export.h"
#include "io/obj.h"
#include "io/pc2.h"

static tribo_cache *open_stopped(const char *folder, int frame) {
  stop_after(folder, frame);
  tribo_cache *cache = NULL;
  claim_ok(cache_open(scratch_path(folder), &cache, err));
  assert_int_equal(cache->info.frames, frame);
  assert_string_equal(cache->info.status, "cancelled");
  return cache;
}

static void cache__of_a_part_gives_its_frames_and_no_others(void **unused) {
  (void)unused;
  tribo_cache *cache = open_stopped("part", 3);
  double positions[3 * 32];
  claim_ok(cache_positions(cache, 0, 3, positions, err));
  claim_fails(cache_positions(cache, 0, 4, positions, err), TRIBO_BAD_INPUT, "frames 1 to 3");
  claim_fails(cache_positions(cache, 0, 0, positions, err), TRIBO_BAD_INPUT, "frames 1 to 3");
  claim_fails(cache_positions(cache, 2, 1, positions, err), TRIBO_BAD_INPUT, "object number 2");
  tribo_cache_object object;
  claim_ok(cache_object_at(cache, 1, &object, err));
  assert_string_equal(object.name, "cube");
  assert_int_equal(object.kind, TRIBO_SOLID);
  assert_int_equal(object.vertex_count, 8);
  assert_int_equal(object.frames, 3);
  cache_free(cache);
  claim_fails(cache_open(scratch_path("nowhere"), &cache, err), TRIBO_BAD_INPUT, "holds no bake");
  assert_null(cache);
}

static void export__writes_the_frames_asked_for(void **unused) {
  (void)unused;
  tribo_cache *cache = open_stopped("shown", 4);
  const char *out = scratch_path("exported");
  for (int format = TRIBO_EXPORT_MDD; format <= TRIBO_EXPORT_PC2; format++)
    for (size_t object = 0; object < 2; object++)
      claim_ok(export_run(cache, object, (tribo_export_format)format, 2, 4, out, err));
  static const char *const files[] = {"sheet.mdd",     "cube.mdd",       "sheet.pc2",
                                      "cube.pc2",      "sheet.0002.obj", "sheet.0004.obj",
                                      "cube.0003.obj", "sheet.0003.geo", "cube.0004.geo"};
  for (size_t i = 0; i < 9; i++) assert_true(exists(in("exported", files[i])));
  assert_false(exists(in("exported", "sheet.0001.obj")));
  assert_false(exists(in("exported", "sheet.0005.obj")));

  double wanted[3 * 32], got[3 * 32];
  claim_ok(cache_positions(cache, 1, 3, wanted, err));
  pc2 file;
  claim_ok(pc2_open(in("exported", "cube.pc2"), &file, err));
  assert_int_equal(file.samples, 3);
  assert_true(file.start == 2);
  claim_ok(pc2_read_sample(&file, 1, got, err));
  assert_memory_equal(got, wanted, 3 * 8 * sizeof(double));
  pc2_close(&file);

  /* A solid goes out as its surface: 12 triangles of a cube, with every vertex in its place. */
  mesh surface;
  claim_ok(obj_read(in("exported", "cube.0003.obj"), &surface, err));
  assert_int_equal(surface.vertex_count, 8);
  assert_int_equal(surface.triangle_count, 12);
  assert_memory_equal(surface.positions, wanted, 3 * 8 * sizeof(double));
  mesh_free(&surface);
  cache_free(cache);
}

static void export__leaves_the_bake_alone(void **unused) {
  (void)unused;
  tribo_cache *cache = open_stopped("own", 2);
  const char *own = scratch_path("own/../own");
  claim_fails(export_run(cache, 0, TRIBO_EXPORT_PC2, 1, 2, own, err), TRIBO_BAD_INPUT,
              "a file of the bake itself");
  claim_ok(export_run(cache, 0, TRIBO_EXPORT_OBJ, 1, 2, own, err));
  claim_fails(export_run(cache, 0, TRIBO_EXPORT_OBJ, 1, 3, own, err), TRIBO_BAD_INPUT,
              "3 is not among them");
  claim_fails(export_run(cache, 0, TRIBO_EXPORT_OBJ, 2, 1, own, err), TRIBO_BAD_INPUT,
              "the smaller one first");
  cache_free(cache);
  resume_to_the_end("own");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cache__of_a_part_gives_its_frames_and_no_others),
      cmocka_unit_test(export__writes_the_frames_asked_for),
      cmocka_unit_test(export__leaves_the_bake_alone),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
