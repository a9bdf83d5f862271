/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings of a scene from text, and what its hash depends on.
 */
#include "scene_fixture.h"

#include "base/hash.h"
#include "scene/params.h"

static void settings_are_set_from_text(void **state) {
  fixture *f = *state;
  claim_ok(scene_set(f->scene, "time.substeps", "8", err));
  claim_ok(scene_set(f->scene, "gravity", "0,0,-1", err));
  claim_ok(scene_set(f->scene, "solver.linear", "cg", err));
  assert_int_equal(f->scene->time.substeps, 8);
  assert_true(f->scene->world.gravity[2] == -1);
  assert_int_equal(f->scene->solver.linear, TRIBO_LINEAR_CG);
  claim_ok(scene_set(f->scene, "friction.default.mu", "0.3", err));
  claim_ok(scene_set(f->scene, "friction.combine", "minimum", err));
  assert_true(f->scene->friction.mu == 0.3);
  assert_int_equal(f->scene->combine.combine, TRIBO_COMBINE_MINIMUM);
  claim_fails(scene_set(f->scene, "friction.mu", "8", err), TRIBO_BAD_INPUT,
              "unknown setting 'friction.mu'; did you mean 'friction.default.mu'?");
}

static void unknown_settings_are_refused_with_a_suggestion(void **state) {
  fixture *f = *state;
  claim_fails(scene_set(f->scene, "time.substep", "8", err), TRIBO_BAD_INPUT,
              "unknown setting 'time.substep'; did you mean 'time.substeps'?");
  claim_fails(scene_set(f->scene, "substeps", "8", err), TRIBO_BAD_INPUT,
              "did you mean 'time.substeps'?");
  claim_fails(scene_set(f->scene, "grafity", "8", err), TRIBO_BAD_INPUT, "did you mean 'gravity'?");
  claim_fails(scene_set(f->scene, "elastic.density", "8", err), TRIBO_BAD_INPUT,
              "unknown setting 'elastic.density'; the settings are method, quality");
  claim_fails(scene_set(f->scene, "", "8", err), TRIBO_BAD_INPUT, "unknown setting ''");
  claim_fails(scene_set(f->scene, "time.fps", "-1", err), TRIBO_BAD_INPUT,
              "time.fps is -1 1/s; give 0.001 to 1e+06 1/s");
}

static void settings_that_contradict_are_refused(void **state) {
  fixture *f = *state;
  f->scene->time.end = 0;
  claim_fails(scene_check(f->scene, err), TRIBO_BAD_INPUT,
              "time.end is 0, before time.start 1; give a frame from 1 on");
  f->scene->time.end = 1;
  claim_ok(scene_check(f->scene, err));
  f->scene->solver.tolerance = 2;
  claim_fails(scene_check(f->scene, err), TRIBO_BAD_INPUT,
              "solver.tolerance is 2; give 1e-14 to 0.1");
}

/* Another value of the same field, not necessarily a valid one. */
static void disturb(const tribo_param_info *row, void *params) {
  char *field = (char *)params + row->offset;
  if (row->kind == TRIBO_PARAM_INT || row->kind == TRIBO_PARAM_CHOICE) {
    int value;
    memcpy(&value, field, sizeof value);
    value++;
    memcpy(field, &value, sizeof value);
  } else {
    if (row->kind == TRIBO_PARAM_VEC3) field += 2 * sizeof(double);
    double value;
    memcpy(&value, field, sizeof value);
    value = nextafter(value, 1e300);
    memcpy(field, &value, sizeof value);
  }
}

/* A quality counts by the numbers that it makes (scene/quality.h). */
static bool leaves_the_hash(const tribo_param_info *row) {
  return (strcmp(row->group, "time") == 0 && strcmp(row->name, "end") == 0) ||
         (strcmp(row->group, "world") == 0 && strcmp(row->name, "quality") == 0);
}

static void hash_changes_with_every_parameter_but_not_with_the_last_frame(void **state) {
  fixture *f = *state;
  int32_t held[] = {0};
  tribo_pin_def pin = {held, 1, NULL, 0, 0, 0, tribo_pin_defaults()};
  f->sheet.def.pins = &pin, f->sheet.def.pin_count = 1;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  claim_ok(scene_add(f->scene, &f->stone.def, NULL, err));
  tribo_friction_params friction = tribo_friction_defaults();
  claim_ok(scene_set_pair(f->scene, "sheet", "block", &friction, err));
  tribo_object_def *sheet = &f->scene->objects.data[0], *block = &f->scene->objects.data[1],
                   *stone = &f->scene->objects.data[2];
  const struct {
    const char *group;
    void *params;
    size_t size;
  } groups[] = {{"world", &f->scene->world, sizeof f->scene->world},
                {"time", &f->scene->time, sizeof f->scene->time},
                {"solver", &f->scene->solver, sizeof f->scene->solver},
                {"object", &sheet->object, sizeof sheet->object},
                {"cloth", &sheet->cloth, sizeof sheet->cloth},
                {"solid", &block->solid, sizeof block->solid},
                {"rigid", &stone->rigid, sizeof stone->rigid},
                {"surface", &block->surface, sizeof block->surface},
                {"combine", &f->scene->combine, sizeof f->scene->combine},
                {"friction", &f->scene->friction, sizeof f->scene->friction},
                {"friction", &f->scene->pairs.data[0].friction, sizeof friction},
                {"pin", (void *)&sheet->pins[0].params, sizeof sheet->pins[0].params}};
  uint64_t hash = scene_hash(f->scene);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    size_t count;
    const tribo_param_info *row = params_group(groups[g].group, &count);
    for (size_t i = 0; i < count; i++) {
      char kept[512];
      memcpy(kept, groups[g].params, groups[g].size);
      disturb(&row[i], groups[g].params);
      if ((scene_hash(f->scene) == hash) != leaves_the_hash(&row[i])) fail_msg("%s", row[i].name);
      memcpy(groups[g].params, kept, groups[g].size);
    }
  }
  assert_true(scene_hash(f->scene) == hash);
}

static void hash_changes_with_geometry_and_targets(void **state) {
  fixture *f = *state;
  int32_t held[] = {0};
  double target[] = {0, 0, 0};
  tribo_pin_def pin = {held, 1, target, 1, 1, 1, tribo_pin_defaults()};
  f->sheet.def.pins = &pin, f->sheet.def.pin_count = 1, f->sheet.def.uvs = f->sheet.uvs;
  uint64_t seen[8];
  for (int change = 0; change < 8; change++) {
    if (change == 1) f->sheet.positions[2] = 1e-300;
    if (change == 2) f->sheet.uvs[0] = -1e-9;
    if (change == 3) target[2] = 1;
    if (change == 4) held[0] = 1;
    if (change == 5) pin.target_start = 2;
    if (change == 6) pin.target_interval = 0.5;
    if (change == 7) f->sheet.def.name = "other";
    tribo_scene *scene;
    claim_ok(scene_create(&scene, err));
    claim_ok(scene_add(scene, &f->sheet.def, NULL, err));
    seen[change] = scene_hash(scene);
    for (int before = 0; before < change; before++) assert_true(seen[before] != seen[change]);
    scene_free(scene);
  }
}

static void hash_changes_with_what_contact_needs(void **state) {
  fixture *f = *state;
  double transforms[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, points[12] = {0};
  uint64_t seen[10];
  tribo_object_def *ramp = &f->ramp.def, *jelly = &f->caged.block.def;
  for (int change = 0; change < 10; change++) {
    if (change == 1) ramp->material = "wood";
    if (change == 2) ramp->motion = (tribo_motion_def){transforms, NULL, 1, 1, 1};
    if (change == 3) transforms[3] = 1e-9;
    if (change == 4) ramp->motion.start = 2;
    if (change == 5) ramp->motion.interval = 2;
    if (change == 6) ramp->motion = (tribo_motion_def){NULL, points, 1, 2, 2};
    if (change == 7) points[5] = 1;
    if (change == 8) f->caged.block.positions[14] = -0.9;
    if (change == 9) f->caged.positions[2] = 0.2;
    tribo_scene *scene;
    claim_ok(scene_create(&scene, err));
    claim_ok(scene_add(scene, ramp, NULL, err));
    claim_ok(scene_add(scene, jelly, NULL, err));
    seen[change] = scene_hash(scene);
    for (int before = 0; before < change; before++) assert_true(seen[before] != seen[change]);
    scene_free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(settings_are_set_from_text),
      CLAIM(unknown_settings_are_refused_with_a_suggestion),
      CLAIM(settings_that_contradict_are_refused),
      CLAIM(hash_changes_with_every_parameter_but_not_with_the_last_frame),
      CLAIM(hash_changes_with_geometry_and_targets),
      CLAIM(hash_changes_with_what_contact_needs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
