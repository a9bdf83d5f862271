/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "../scene/small.h"
#include "tribo/scene.h"

static tribo_scene *scene_of_three(void) {
  tribo_scene *scene;
  small_shell ramp, stone;
  small_sheet sheet;
  small_ramp_make(&ramp)->material = "wood";
  small_stone_make(&stone);
  small_sheet_make(&sheet);
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &ramp.def, NULL, err));
  claim_ok(tribo_scene_add(scene, &stone.def, NULL, err));
  claim_ok(tribo_scene_add(scene, &sheet.def, NULL, err));
  return scene;
}

static void outline_tells_what_contact_sees(void **state) {
  (void)state;
  tribo_scene *scene = scene_of_three();
  tribo_outline ramp, stone, sheet;
  claim_ok(tribo_scene_outline(scene, 0, &ramp, err));
  claim_ok(tribo_scene_outline(scene, 1, &stone, err));
  claim_ok(tribo_scene_outline(scene, 2, &sheet, err));
  assert_true(ramp.is_touched && !ramp.touches && !ramp.closed);
  assert_true(stone.is_touched && stone.touches && stone.closed);
  assert_true(!sheet.is_touched && sheet.touches && !sheet.closed);
  assert_int_equal(ramp.contact, TRIBO_CONTACT_MESH);
  assert_int_equal(stone.triangle_count, 4);
  assert_int_equal(stone.vertex_count, 4);
  claim_near(stone.spacing, (1 + sqrt(2)) / 2, 1e-15);
  claim_fails(tribo_scene_outline(scene, 3, &ramp, err), TRIBO_BAD_INPUT,
              "there is no object 3; the scene has 3");
  claim_fails(tribo_scene_outline(NULL, 0, &ramp, err), TRIBO_BAD_INPUT, "scene is NULL");
  claim_fails(tribo_scene_outline(scene, 0, NULL, err), TRIBO_BAD_INPUT, "out is NULL");
  tribo_scene_free(scene);
}

static void friction_of_two_objects_can_be_asked(void **state) {
  (void)state;
  tribo_scene *scene = scene_of_three();
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = 0.125;
  double mu;
  tribo_scene_friction(scene)->mu = 0.75;
  claim_ok(tribo_scene_set_pair(scene, "stone", "wood", &friction, err));
  claim_ok(tribo_scene_mu(scene, 0, 1, &mu, err));
  assert_true(mu == 0.125);
  claim_ok(tribo_scene_mu(scene, 0, 2, &mu, err));
  assert_true(mu == 0.75);
  tribo_friction_params whole;
  claim_ok(tribo_scene_pair_friction(scene, 0, 1, &whole, err));
  assert_true(whole.mu == 0.125 && whole.mu_along == 0.125 && whole.mu_across == 0.125);
  assert_true(whole.mu_dynamic == 0.125 && whole.mu_drill == 0);
  claim_fails(tribo_scene_pair_friction(scene, 0, 1, NULL, err), TRIBO_BAD_INPUT, "out is NULL");
  tribo_scene_combine(scene)->combine = TRIBO_COMBINE_MINIMUM;
  claim_ok(tribo_scene_mu(scene, 2, 2, &mu, err));
  assert_true(mu == 0.75);
  claim_fails(tribo_scene_mu(scene, 0, 3, &mu, err), TRIBO_BAD_INPUT, "there is no object 3");
  claim_ok(tribo_scene_set_pair(scene, "stone", "woood", &friction, err));
  claim_fails(tribo_scene_mu(scene, 0, 1, &mu, err), TRIBO_BAD_INPUT, "did you mean 'wood'?");
  claim_fails(tribo_scene_set_pair(scene, NULL, "wood", &friction, err), TRIBO_BAD_INPUT,
              "a or b is NULL");
  claim_fails(tribo_scene_set_pair(scene, "stone", "wood", NULL, err), TRIBO_BAD_INPUT,
              "friction is NULL");
  tribo_scene_free(scene);
}

static void what_is_painted_can_be_asked_and_maps_read(void **state) {
  (void)state;
  tribo_scene *scene = scene_of_three();
  tribo_paint paint;
  claim_ok(tribo_scene_paint(scene, 0, &paint, err));
  assert_false(paint.structure || paint.friction);
  claim_fails(tribo_scene_paint(scene, 3, &paint, err), TRIBO_BAD_INPUT, "there is no object 3");
  claim_fails(tribo_scene_paint(NULL, 0, &paint, err), TRIBO_BAD_INPUT, "scene is NULL");
  claim_fails(tribo_scene_paint(scene, 0, NULL, err), TRIBO_BAD_INPUT, "out is NULL");
  tribo_scene_free(scene);
  tribo_map_def map;
  claim_ok(tribo_map_read(TRIBO_SOURCE_DIR "/tests/fuzz/corpus/png/rgb8.png", &map, err));
  assert_int_equal(map.width, 6);
  assert_int_equal(map.height, 4);
  assert_int_equal(map.channels, 3);
  tribo_map_free(&map);
  assert_null(map.pixels);
  tribo_map_free(&map);
  tribo_map_free(NULL);
  claim_fails(tribo_map_read("gone.png", &map, err), TRIBO_BAD_INPUT, "gone.png");
  claim_fails(tribo_map_read(NULL, &map, err), TRIBO_BAD_INPUT, "path is NULL");
  claim_fails(tribo_map_read("gone.png", NULL, err), TRIBO_BAD_INPUT, "out is NULL");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outline_tells_what_contact_sees),
      cmocka_unit_test(friction_of_two_objects_can_be_asked),
      cmocka_unit_test(what_is_painted_can_be_asked_and_maps_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
