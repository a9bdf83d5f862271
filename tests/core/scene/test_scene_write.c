/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a scene writes as a bundle comes back to the last bit.
 */
#include <sys/stat.h>

#include "scene_folder.h"
#include "small.h"

static bool is_there(const char *name) {
  struct stat about;
  return stat(scratch_path(name), &about) == 0;
}

static void claim_same_after_a_round_trip(const tribo_scene *scene) {
  claim_ok(scene_file_write(scene, scratch_path("bundle/inner"), err));
  tribo_scene *again;
  claim_ok(scene_file_read(scratch_path("bundle/inner/scene.json"), &again, err));
  assert_true(scene_hash(scene) == scene_hash(again));
  assert_int_equal(scene->time.end, again->time.end);
  scene_free(again);
}

static void written_scene_reads_back_to_the_same_bits(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int round = 0; round < 20; round++) {
    tribo_scene *scene;
    claim_ok(scene_create(&scene, err));
    small_sheet sheet;
    small_block block;
    small_sheet_make(&sheet);
    small_block_make(&block);
    for (int i = 0; i < 12; i++) sheet.positions[i] += claim_between(&seed, -0.1, 0.1);
    for (int i = 0; i < 15; i++) block.positions[i] += claim_between(&seed, -0.1, 0.1);
    for (int i = 0; i < 12; i++) sheet.uvs[i] += claim_between(&seed, -0.1, 0.1);
    sheet.positions[2] = -0.0;
    if (round % 2) sheet.def.uvs = sheet.uvs;

    int32_t floats[] = {3}, doubles[] = {2, 0}, still[] = {1};
    double rounded[6], exact[6];
    for (int i = 0; i < 6; i++) rounded[i] = (double)(float)claim_between(&seed, -1, 1);
    for (int i = 0; i < 6; i++) exact[i] = claim_between(&seed, -1, 1);
    tribo_pin_def pins[] = {{floats, 1, rounded, 2, 1.5, 0.25, {0}},
                            {doubles, 2, exact, 1, 1.1, 0.1, {.stiffness = 1.0 / 3}},
                            {still, 1, NULL, 0, 0, 0, {.stiffness = 12.5}}};
    sheet.def.pins = pins, sheet.def.pin_count = 3;
    sheet.def.name = "a 'b' \xc3\xa4";
    sheet.def.cloth.bend = claim_between(&seed, 0, 1);
    sheet.def.cloth.rest_angle = TRIBO_REST_ANGLE_FLAT;
    block.def.solid.young = claim_between(&seed, 1, 1e6);
    block.def.object.velocity[1] = claim_between(&seed, -1, 1);
    scene->world.gravity[0] = 1e-300;
    scene->time.fps = 24000.0 / 1001;
    scene->time.end = 77;
    scene->solver.linear = TRIBO_LINEAR_CG;
    claim_ok(scene_add(scene, &sheet.def, NULL, err));
    claim_ok(scene_add(scene, &block.def, NULL, err));
    claim_same_after_a_round_trip(scene);
    scene_free(scene);
  }
}

static void written_contact_reads_back_to_the_same_bits(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int round = 0; round < 12; round++) {
    tribo_scene *scene;
    claim_ok(scene_create(&scene, err));
    small_shell ramp, stone, door;
    small_caged jelly;
    small_ramp_make(&ramp);
    small_stone_make(&stone);
    small_stone_make(&door);
    small_caged_make(&jelly);
    double points[24], uvs[24], transforms[32] = {0};
    bool floats = round % 2 == 0;
    for (int i = 0; i < 24; i++) {
      double p = claim_between(&seed, -1, 1);
      points[i] = floats ? (double)(float)p : p;
      uvs[i] = claim_between(&seed, 0, 1);
    }
    for (int s = 0; s < 2; s++) {
      double angle = claim_between(&seed, -3, 3), c = cos(angle), n = sin(angle);
      const double m[16] = {c, -n, 0, angle, n, c, 0, 2, 0, 0, 1, 1.0 / 3, 0, 0, 0, 1};
      memcpy(transforms + 16 * s, m, sizeof m);
    }
    ramp.def.material = "oak \"old\" \\";
    ramp.def.surface.contact = TRIBO_CONTACT_MESH;
    ramp.def.surface.radius = claim_between(&seed, 0, 1);
    ramp.def.motion = (tribo_motion_def){NULL, points, 2, 1.5, 0.25};
    ramp.def.uvs = uvs;
    stone.def.rigid.density = claim_between(&seed, 1, 1e4);
    stone.def.object.spin[1] = claim_between(&seed, -1, 1);
    stone.def.object.velocity[2] = 1.0 / 3;
    door.def.kind = TRIBO_COLLIDER, door.def.name = "door";
    door.def.motion = (tribo_motion_def){transforms, NULL, 2, 0.1, 1.0 / 3};
    if (round % 3 == 0) door.def.motion = (tribo_motion_def){0};
    scene->combine.combine = TRIBO_COMBINE_MINIMUM;
    scene->friction.mu = claim_between(&seed, 0, 1);
    claim_ok(scene_add(scene, &ramp.def, NULL, err));
    claim_ok(scene_add(scene, &stone.def, NULL, err));
    claim_ok(scene_add(scene, &door.def, NULL, err));
    claim_ok(scene_add(scene, &jelly.block.def, NULL, err));
    tribo_friction_params friction = tribo_friction_defaults();
    friction.mu = claim_between(&seed, 0, 1), friction.mu_along = claim_between(&seed, 0, 1);
    friction.mu_dynamic = friction.mu / 3, friction.mu_drill = 1.0 / 7;
    claim_ok(scene_set_pair(scene, "oak \"old\" \\", "stone", &friction, err));
    claim_ok(scene_set_pair(scene, "door", "stone", &friction, err));
    char folder[32];
    snprintf(folder, sizeof folder, "contact%d", round);
    claim_ok(scene_file_write(scene, scratch_path(folder), err));
    char name[64];
    snprintf(name, sizeof name, "%s/ramp.motion.pc2", folder);
    assert_int_equal(is_there(name), floats);
    snprintf(name, sizeof name, "%s/scene.json", folder);
    tribo_scene *again;
    claim_ok(scene_file_read(scratch_path(name), &again, err));
    assert_true(scene_hash(scene) == scene_hash(again));
    scene_free(again);
    scene_free(scene);
  }
}

static void targets_that_are_floats_go_to_a_pc2_file(void **state) {
  (void)state;
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  small_sheet sheet;
  small_sheet_make(&sheet);
  int32_t first[] = {0}, second[] = {1}, third[] = {2};
  double floats[] = {0.5, 0.25, -1}, doubles[] = {0.1, 0, 0};
  tribo_pin_def pins[] = {{first, 1, floats, 1, 1, 1, {0}},
                          {second, 1, doubles, 1, 1, 1, {0}},
                          {third, 1, floats, 1, 1, 0.1, {0}}};
  sheet.def.pins = pins, sheet.def.pin_count = 3;
  claim_ok(scene_add(scene, &sheet.def, NULL, err));
  claim_ok(scene_file_write(scene, scratch_path("pinned"), err));
  assert_true(is_there("pinned/sheet.pin0.pc2"));
  assert_false(is_there("pinned/sheet.pin1.pc2"));
  assert_false(is_there("pinned/sheet.pin2.pc2")); /* its interval is no float */
  tribo_scene *again;
  claim_ok(scene_file_read(scratch_path("pinned/scene.json"), &again, err));
  assert_true(scene_hash(scene) == scene_hash(again));
  scene_free(again);
  scene_free(scene);
}

static void empty_scene_makes_the_round_trip(void **state) {
  (void)state;
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  claim_same_after_a_round_trip(scene);
  scene->time.end = -5;
  claim_fails(scene_file_write(scene, scratch_path("bad"), err), TRIBO_BAD_INPUT, "time.end is -5");
  assert_false(is_there("bad"));
  scene_free(scene);
}

static void folder_that_cannot_be_made_is_named(void **state) {
  (void)state;
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  claim_fails(scene_file_write(scene, scratch_path("sheet.obj"), err), TRIBO_IO, "sheet.obj");
  claim_fails(scene_file_write(scene, scratch_path("sheet.obj/inner"), err), TRIBO_IO, "sheet.obj");
  scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_scene_reads_back_to_the_same_bits),
      cmocka_unit_test(written_contact_reads_back_to_the_same_bits),
      cmocka_unit_test(targets_that_are_floats_go_to_a_pc2_file),
      cmocka_unit_test(empty_scene_makes_the_round_trip),
      cmocka_unit_test(folder_that_cannot_be_made_is_named),
  };
  return cmocka_run_group_tests(tests, write_folder, scratch_remove);
}
