/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "tribo/cache.h"

static void cache_api__refuses_null_by_name(void **state) {
  (void)state;
  tribo_cache *cache = (tribo_cache *)&cache;
  tribo_cache_object object;
  double position[3];
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_fails(tribo_bake(NULL, "x", NULL, err), TRIBO_BAD_INPUT, "scene is NULL");
  claim_fails(tribo_bake(scene, NULL, NULL, err), TRIBO_BAD_INPUT, "folder is NULL");
  claim_fails(tribo_bake(scene, "", NULL, err), TRIBO_BAD_INPUT, "has no name");
  tribo_scene_free(scene);
  claim_fails(tribo_cache_open("x", NULL, err), TRIBO_BAD_INPUT, "out is NULL");
  claim_fails(tribo_cache_open(NULL, &cache, err), TRIBO_BAD_INPUT, "folder is NULL");
  assert_null(cache);
  claim_fails(tribo_cache_object_at(NULL, 0, &object, err), TRIBO_BAD_INPUT, "cache is NULL");
  claim_fails(tribo_cache_positions(NULL, 0, 1, position, err), TRIBO_BAD_INPUT, "cache is NULL");
  claim_fails(tribo_cache_export(NULL, 0, TRIBO_EXPORT_OBJ, 1, 1, "x", err), TRIBO_BAD_INPUT,
              "cache is NULL");
  assert_null(tribo_cache_about(NULL));
  tribo_cache_free(NULL);
}

static void cache_api__does_without_an_error_to_fill(void **state) {
  (void)state;
  tribo_cache *cache = NULL;
  assert_int_equal(tribo_cache_open("nowhere", &cache, NULL), TRIBO_BAD_INPUT);
  assert_int_equal(tribo_bake(NULL, NULL, NULL, NULL), TRIBO_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cache_api__refuses_null_by_name),
      cmocka_unit_test(cache_api__does_without_an_error_to_fill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
