/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "base/hash.h"
#include "scene/params.h"
#include "scene/scene.h"
#include "small.h"

typedef struct fixture {
  tribo_scene *scene;
  small_sheet sheet;
  small_block block;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  small_sheet_make(&f->sheet);
  small_block_make(&f->block);
  *state = f;
  return scene_create(&f->scene, NULL) == TRIBO_OK ? 0 : -1;
}

static int tear_down(void **state) {
  fixture *f = *state;
  scene_free(f->scene);
  free(f);
  return 0;
}

/* The object is refused in these words and the scene stays as it was. */
#define claim_refused(f, def, words)                                                               \
  do {                                                                                             \
    uint64_t before_ = scene_hash((f)->scene);                                                     \
    size_t count_ = (f)->scene->objects.count, index_ = 77;                                        \
    claim_fails(scene_add((f)->scene, (def), &index_, err), TRIBO_BAD_INPUT, words);               \
    assert_int_equal((f)->scene->objects.count, count_);                                           \
    assert_int_equal(index_, 77);                                                                  \
    assert_true(scene_hash((f)->scene) == before_);                                                \
    assert_int_equal(scene_add((f)->scene, (def), NULL, NULL), TRIBO_BAD_INPUT);                   \
  } while (0)

static void scene_starts_with_the_defaults(void **state) {
  fixture *f = *state;
  assert_true(f->scene->world.gravity[2] == -9.81);
  assert_int_equal(f->scene->objects.count, 0);
  claim_ok(scene_check(f->scene, err));
  claim_near(scene_step_seconds(f->scene), 1.0 / 96, 1e-17);
}

static void scene_owns_copies(void **state) {
  fixture *f = *state;
  char name[] = "sheet";
  int32_t held[] = {0, 3};
  double targets[] = {0, 0, 1, 0, 1, 1};
  tribo_pin_def pin = {held, 2, targets, 1, 1, 1, tribo_pin_defaults()};
  f->sheet.def.name = name;
  f->sheet.def.uvs = f->sheet.uvs;
  f->sheet.def.pins = &pin;
  f->sheet.def.pin_count = 1;
  size_t index = 9;
  claim_ok(scene_add(f->scene, &f->sheet.def, &index, err));
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  assert_int_equal(index, 0);
  uint64_t hash = scene_hash(f->scene);
  memset(name, 'x', 5);
  memset(held, 0, sizeof held);
  memset(targets, 0, sizeof targets);
  memset(&f->sheet, 0, sizeof f->sheet);
  memset(&f->block, 0, sizeof f->block);
  assert_true(scene_hash(f->scene) == hash);
  assert_string_equal(f->scene->objects.data[0].name, "sheet");
  assert_int_equal(f->scene->objects.data[0].pins[0].vertices[1], 3);
  assert_true(f->scene->objects.data[0].pins[0].targets[5] == 1);
}

static void names_unfit_for_a_file_are_refused(void **state) {
  fixture *f = *state;
  tribo_object_def *def = &f->sheet.def;
  def->name = NULL;
  claim_refused(f, def, "objects[0] has no name; give one");
  def->name = "";
  claim_refused(f, def, "objects[0] has no name");
  def->name = "a/b";
  claim_refused(f, def, "object 'a/b': a name must not hold '/'");
  def->name = ".hidden";
  claim_refused(f, def, "object '.hidden': a name must not start with '.'");
  def->name = "a\nb";
  claim_refused(f, def, "objects[0]: the name holds the control character 0x0a at byte 1");
  def->name = "a\x7f";
  claim_refused(f, def, "control character 0x7f");
  char name[202];
  memset(name, 'n', 201);
  name[201] = 0;
  def->name = name;
  claim_refused(f, def, "the name has 201 bytes; give at most 200");
  name[200] = 0;
  claim_ok(scene_add(f->scene, def, NULL, err));
  def->name = "Stoff.001 \xc3\xa4";
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void names_must_differ_in_more_than_case(void **state) {
  fixture *f = *state;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
  claim_refused(f, &f->sheet.def, "object 'sheet': objects[0] has that name already");
  f->block.def.name = "Sheet";
  claim_refused(f, &f->block.def,
                "object 'Sheet': the name differs from objects[0] 'sheet' only in case");
}

static void vertex_that_is_not_finite_is_named(void **state) {
  fixture *f = *state;
  f->sheet.positions[3] = NAN;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': vertex 1 is (nan, 0, 0); every coordinate must "
                "be a finite number");
  f->sheet.positions[3] = -INFINITY;
  claim_refused(f, &f->sheet.def, "vertex 1 is (-inf, 0, 0)");
  f->sheet.positions[3] = 1e30;
  claim_refused(f, &f->sheet.def,
                "vertex 1 is (1e+30, 0, 0); keep every coordinate within 1e+09 m");
}

static void index_out_of_range_is_named(void **state) {
  fixture *f = *state;
  f->sheet.triangles[4] = 900;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': triangle 1 uses vertex 900, but the object has 4 vertices");
  f->sheet.triangles[4] = -1;
  claim_refused(f, &f->sheet.def, "triangle 1 uses vertex -1");
  f->block.tets[7] = 5;
  claim_refused(f, &f->block.def,
                "object 'block': tet 1 uses vertex 5, but the object has 5 vertices");
}

static void element_with_a_vertex_twice_is_named(void **state) {
  fixture *f = *state;
  f->sheet.triangles[5] = 0;
  claim_refused(f, &f->sheet.def, "object 'sheet': triangle 1 uses vertex 0 twice");
  f->block.tets[3] = 2;
  claim_refused(f, &f->block.def, "object 'block': tet 0 uses vertex 2 twice");
}

static void inverted_tet_is_named(void **state) {
  fixture *f = *state;
  f->block.tets[4] = 2, f->block.tets[5] = 0;
  claim_refused(f, &f->block.def,
                "object 'block': tet 1 (vertices 2, 0, 1, 4) is inverted, volume "
                "-0.166667 m^3; swap two of its vertices");
}

static void flat_tet_is_named_at_any_scale(void **state) {
  fixture *f = *state;
  f->block.positions[11] = 0;
  f->block.positions[9] = 0.3;
  claim_refused(f, &f->block.def, "object 'block': tet 0 (vertices 0, 1, 2, 3) is flat, volume 0");
  f->block.positions[11] = -1e-12; /* inverted only by rounding: flat */
  claim_refused(f, &f->block.def, "tet 0 (vertices 0, 1, 2, 3) is flat");

  small_block tiny;
  small_block_make(&tiny);
  for (int i = 0; i < 15; i++) tiny.positions[i] *= 1e-6;
  claim_ok(scene_add(f->scene, &tiny.def, NULL, err));
}

static void triangle_without_area_is_named(void **state) {
  fixture *f = *state;
  f->sheet.positions[9] = 0.5, f->sheet.positions[10] = 0.5;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': triangle 1 (vertices 0, 2, 3) has no area (0 "
                "m^2 at a longest edge of 1.41421 m)");
}

static void vertex_of_no_element_is_named(void **state) {
  fixture *f = *state;
  f->sheet.def.triangle_count = 1;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': vertex 3 belongs to no triangle; remove it or connect it");
  f->block.def.tet_count = 1;
  claim_refused(f, &f->block.def, "object 'block': vertex 4 belongs to no tet");
}

static void geometry_of_another_kind_is_refused(void **state) {
  fixture *f = *state;
  f->sheet.def.tets = f->block.tets, f->sheet.def.tet_count = 2;
  claim_refused(f, &f->sheet.def, "object 'sheet': a cloth has no tets");
  f->block.def.uvs = f->sheet.uvs;
  claim_refused(f, &f->block.def, "object 'block': a solid has no uvs");
  f->block.def.triangles = f->sheet.triangles, f->block.def.triangle_count = 2;
  claim_refused(f, &f->block.def, "object 'block': a solid takes tets only");
  f->block.def.kind = (tribo_kind)7;
  claim_refused(f, &f->block.def, "object 'block': kind 7 is unknown");
}

static void missing_geometry_is_refused(void **state) {
  fixture *f = *state;
  f->sheet.def.triangle_count = 0;
  claim_refused(f, &f->sheet.def, "object 'sheet': it has no triangles");
  f->block.def.tets = NULL;
  claim_refused(f, &f->block.def, "object 'block': it has no tets");
  f->block.def.positions = NULL;
  claim_refused(f, &f->block.def, "object 'block': it has no vertices");
}

static void too_many_vertices_are_refused_before_they_are_read(void **state) {
  fixture *f = *state;
  f->sheet.def.vertex_count = ((size_t)1 << 27) + 1;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': 134217729 vertices are too many; a scene takes "
                "134217728, and 0 are in use");
  f->sheet.def.vertex_count = SIZE_MAX;
  claim_refused(f, &f->sheet.def, "vertices are too many");
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  f->sheet.def.vertex_count = ((size_t)1 << 27) - 4;
  claim_refused(f, &f->sheet.def, "134217728, and 5 are in use");
  f->sheet.def.vertex_count = 4;
  f->sheet.def.triangle_count = (size_t)1 << 27;
  claim_refused(f, &f->sheet.def, "134217728 triangles are too many");
}

static void parameters_out_of_range_are_named(void **state) {
  fixture *f = *state;
  f->block.def.solid.density = -5;
  claim_refused(f, &f->block.def,
                "object 'block': elastic.density is -5 kg/m^3; give 1e-06 to 1e+06 kg/m^3");
  f->sheet.def.cloth.bend = NAN;
  claim_refused(f, &f->sheet.def, "object 'sheet': elastic.bend is nan N m; give 0 to 1e+09 N m");
  f->sheet.def.object.velocity[2] = NAN;
  claim_refused(f, &f->sheet.def, "object 'sheet': velocity is (0, 0, nan) m/s");
}

static void parameters_of_the_other_kind_do_not_matter(void **state) {
  fixture *f = *state;
  f->sheet.def.solid.density = -5;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
}

static void warp_that_cannot_be_found_is_refused(void **state) {
  fixture *f = *state;
  tribo_object_def *def = &f->sheet.def;
  def->cloth.warp_from = TRIBO_WARP_FROM_UV;
  claim_refused(f, def, "object 'sheet': elastic.warp_from is uv, but the mesh has no uvs");
  def->uvs = f->sheet.uvs;
  f->sheet.uvs[10] = 0.5, f->sheet.uvs[11] = 0.5;
  claim_refused(f, def, "elastic.warp_from is uv, but triangle 1 has no area in the uvs");
  f->sheet.uvs[10] = NAN;
  claim_refused(f, def, "uv of corner 2 of triangle 1 is (nan, 0.5)");
  f->sheet.uvs[10] = 0, f->sheet.uvs[11] = 1;
  def->cloth.warp_from = TRIBO_WARP_FROM_AXIS;
  def->cloth.warp_axis[0] = 0;
  claim_refused(f, def, "object 'sheet': elastic.warp_axis is (0, 0, 0); give a direction");
  def->cloth.warp_axis[2] = 2;
  claim_refused(f, def,
                "object 'sheet': elastic.warp_axis (0, 0, 2) is perpendicular to triangle 0 "
                "(vertices 0, 1, 2)");
  def->cloth.warp_from = TRIBO_WARP_FROM_UV;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void pins_are_checked(void **state) {
  fixture *f = *state;
  int32_t first[] = {0, 1}, second[] = {2, 1};
  tribo_pin_def pins[] = {{first, 2, NULL, 0, 0, 0, tribo_pin_defaults()},
                          {second, 2, NULL, 0, 0, 0, tribo_pin_defaults()}};
  tribo_object_def *def = &f->sheet.def;
  def->pins = pins, def->pin_count = 2;
  claim_refused(f, def, "object 'sheet': vertex 1 is held by pin 0 and by pin 1; keep it in one");
  second[1] = 2;
  claim_refused(f, def, "object 'sheet': pin 1 names vertex 2 twice");
  second[1] = 4;
  claim_refused(f, def, "object 'sheet': pin 1 holds vertex 4, but the object has 4 vertices");
  second[1] = -1;
  claim_refused(f, def, "object 'sheet': pin 1 holds vertex -1");
  second[1] = 3;
  pins[1].params.stiffness = -1;
  claim_refused(f, def, "object 'sheet': pin 1: pin.stiffness is -1 N/m; give 0 to 1e+12 N/m");
  pins[1].params.stiffness = 0;
  pins[1].vertex_count = 0;
  claim_refused(f, def, "object 'sheet': pin 1 has no vertices");
  pins[1].vertex_count = 2;
  def->pins = NULL;
  claim_refused(f, def, "object 'sheet': pin_count is 2, but pins is NULL");
  def->pins = pins;
  def->pin_count = 5;
  claim_refused(f, def, "object 'sheet': 5 pins for 4 vertices");
  def->pin_count = 2;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void pin_targets_are_checked(void **state) {
  fixture *f = *state;
  int32_t held[] = {0, 3};
  double targets[] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1};
  tribo_pin_def pin = {held, 2, targets, 2, 1, 1, tribo_pin_defaults()};
  tribo_object_def *def = &f->sheet.def;
  def->pins = &pin, def->pin_count = 1;
  targets[10] = NAN;
  claim_refused(f, def,
                "object 'sheet': pin 0: target of vertex 3 in sample 1 is (0, nan, 1); "
                "every coordinate must be a finite number");
  targets[10] = -1e12;
  claim_refused(f, def, "pin 0: target of vertex 3 in sample 1 is (0, -1e+12, 1); keep");
  targets[10] = 1;
  pin.target_interval = 0;
  claim_refused(f, def, "object 'sheet': pin 0: target_interval is 0; give a number of frames");
  pin.target_interval = NAN;
  claim_refused(f, def, "target_interval is nan");
  pin.target_interval = 1, pin.target_start = INFINITY;
  claim_refused(f, def, "object 'sheet': pin 0: target_start is inf");
  pin.target_start = 1, pin.target_count = 0;
  claim_refused(f, def, "pin 0: targets are given, but target_count is 0");
  pin.target_count = 2, pin.targets = NULL;
  claim_refused(f, def, "pin 0: targets are missing, but target_count is 2");
  pin.targets = targets, pin.target_count = SIZE_MAX / 2;
  claim_refused(f, def, "targets are too many");
  pin.target_count = 2;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void settings_are_set_from_text(void **state) {
  fixture *f = *state;
  claim_ok(scene_set(f->scene, "time.substeps", "8", err));
  claim_ok(scene_set(f->scene, "gravity", "0,0,-1", err));
  claim_ok(scene_set(f->scene, "solver.linear", "cg", err));
  assert_int_equal(f->scene->time.substeps, 8);
  assert_true(f->scene->world.gravity[2] == -1);
  assert_int_equal(f->scene->solver.linear, TRIBO_LINEAR_CG);
}

static void unknown_settings_are_refused_with_a_suggestion(void **state) {
  fixture *f = *state;
  claim_fails(scene_set(f->scene, "time.substep", "8", err), TRIBO_BAD_INPUT,
              "unknown setting 'time.substep'; did you mean 'time.substeps'?");
  claim_fails(scene_set(f->scene, "substeps", "8", err), TRIBO_BAD_INPUT,
              "did you mean 'time.substeps'?");
  claim_fails(scene_set(f->scene, "grafity", "8", err), TRIBO_BAD_INPUT, "did you mean 'gravity'?");
  claim_fails(scene_set(f->scene, "elastic.density", "8", err), TRIBO_BAD_INPUT,
              "unknown setting 'elastic.density'; the settings are method, gravity");
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

static void hash_changes_with_every_parameter_but_not_with_the_last_frame(void **state) {
  fixture *f = *state;
  int32_t held[] = {0};
  tribo_pin_def pin = {held, 1, NULL, 0, 0, 0, tribo_pin_defaults()};
  f->sheet.def.pins = &pin, f->sheet.def.pin_count = 1;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  tribo_object_def *sheet = &f->scene->objects.data[0], *block = &f->scene->objects.data[1];
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
                {"pin", (void *)&sheet->pins[0].params, sizeof sheet->pins[0].params}};
  uint64_t hash = scene_hash(f->scene);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    size_t count;
    const tribo_param_info *row = params_group(groups[g].group, &count);
    for (size_t i = 0; i < count; i++) {
      char kept[512];
      memcpy(kept, groups[g].params, groups[g].size);
      disturb(&row[i], groups[g].params);
      bool last_frame = strcmp(groups[g].group, "time") == 0 && strcmp(row[i].name, "end") == 0;
      if ((scene_hash(f->scene) == hash) != last_frame) fail_msg("%s", row[i].name);
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

static void freeing_nothing_is_fine(void **state) {
  (void)state;
  scene_free(NULL);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(scene_starts_with_the_defaults),
      CLAIM(scene_owns_copies),
      CLAIM(names_unfit_for_a_file_are_refused),
      CLAIM(names_must_differ_in_more_than_case),
      CLAIM(vertex_that_is_not_finite_is_named),
      CLAIM(index_out_of_range_is_named),
      CLAIM(element_with_a_vertex_twice_is_named),
      CLAIM(inverted_tet_is_named),
      CLAIM(flat_tet_is_named_at_any_scale),
      CLAIM(triangle_without_area_is_named),
      CLAIM(vertex_of_no_element_is_named),
      CLAIM(geometry_of_another_kind_is_refused),
      CLAIM(missing_geometry_is_refused),
      CLAIM(too_many_vertices_are_refused_before_they_are_read),
      CLAIM(parameters_out_of_range_are_named),
      CLAIM(parameters_of_the_other_kind_do_not_matter),
      CLAIM(warp_that_cannot_be_found_is_refused),
      CLAIM(pins_are_checked),
      CLAIM(pin_targets_are_checked),
      CLAIM(settings_are_set_from_text),
      CLAIM(unknown_settings_are_refused_with_a_suggestion),
      CLAIM(settings_that_contradict_are_refused),
      CLAIM(hash_changes_with_every_parameter_but_not_with_the_last_frame),
      CLAIM(hash_changes_with_geometry_and_targets),
      CLAIM(freeing_nothing_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
