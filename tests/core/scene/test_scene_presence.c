/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "base/file.h"
#include "scene/scene_file.h"
#include "scratch.h"
#include "small.h"

/* When a collider is there: in the scene, its hash, and the scene file. */

static int write_folder(void **state) {
  static const char ramp[] = "v 0 0 0\nv 1 0 0\nv 1 1 .5\nv 0 1 .5\nf 1 2 3\nf 1 3 4\n";
  if (scratch_create(state) != 0) return -1;
  claim_ok(file_write(scratch_path("ramp.obj"), ramp, strlen(ramp), err));
  return 0;
}

static tribo_scene *scene_with(const tribo_presence_def *presence) {
  tribo_scene *scene;
  small_shell ramp;
  small_ramp_make(&ramp);
  ramp.def.presence = *presence;
  claim_ok(scene_create(&scene, err));
  claim_ok(scene_add(scene, &ramp.def, NULL, err));
  return scene;
}

static void scene__owns_its_ranges(void **state) {
  (void)state;
  double ranges[] = {2, 5, 7.5, INFINITY};
  tribo_scene *scene = scene_with(&(tribo_presence_def){true, ranges, 2});
  memset(ranges, 0, sizeof ranges);
  const tribo_presence_def *mine = &scene->objects.data[0].presence;
  assert_true(mine->limited && mine->range_count == 2);
  assert_true(mine->ranges[2] == 7.5 && isinf(mine->ranges[3]));
  scene_free(scene);
}

static void hash__changes_with_presence(void **state) {
  (void)state;
  static const double a[] = {1, 5}, b[] = {1, 6}, c[] = {1, INFINITY}, d[] = {1, 5, 6, 9};
  const tribo_presence_def all[] = {{0},          {true, NULL, 0}, {true, a, 1},
                                    {true, b, 1}, {true, c, 1},    {true, d, 2}};
  uint64_t seen[6];
  for (int i = 0; i < 6; i++) {
    tribo_scene *scene = scene_with(&all[i]);
    seen[i] = scene_hash(scene);
    for (int before = 0; before < i; before++) assert_true(seen[before] != seen[i]);
    scene_free(scene);
  }
  /* not limited: the rest is not looked at */
  tribo_scene *scene = scene_with(&(tribo_presence_def){false, a, 1});
  assert_true(scene_hash(scene) == seen[0]);
  scene_free(scene);
}

static void presence__makes_the_round_trip(void **state) {
  (void)state;
  static const double ranges[] = {-3, 0.1 + 0.2, 1.0 / 3, 17, 1e6, INFINITY};
  for (size_t count = 0; count <= 3; count++) {
    tribo_scene *scene = scene_with(&(tribo_presence_def){true, ranges, count}), *again;
    char name[32];
    snprintf(name, sizeof name, "there%zu", count);
    claim_ok(scene_file_write(scene, scratch_path(name), err));
    snprintf(name, sizeof name, "there%zu/scene.json", count);
    claim_ok(scene_file_read(scratch_path(name), &again, err));
    const tribo_presence_def *read = &again->objects.data[0].presence;
    assert_true(read->limited && read->range_count == count);
    assert_true(scene_hash(scene) == scene_hash(again));
    scene_free(again);
    scene_free(scene);
  }
}

static void claim_bad(double from, double to, double next, double last, const char *words) {
  const double ranges[] = {from, to, next, last};
  tribo_scene *scene;
  small_shell ramp;
  small_ramp_make(&ramp);
  ramp.def.presence = (tribo_presence_def){true, ranges, 2};
  claim_ok(scene_create(&scene, err));
  claim_fails(scene_add(scene, &ramp.def, NULL, err), TRIBO_BAD_INPUT, words);
  assert_int_equal(scene->objects.count, 0);
  scene_free(scene);
}

static void ranges_that_make_no_sense__are_refused(void **state) {
  (void)state;
  claim_bad(NAN, 2, 3, 4, "object 'ramp': present, range 0: it begins at frame nan");
  claim_bad(1, 2, INFINITY, 4, "object 'ramp': present, range 1: it begins at frame inf");
  claim_bad(1, NAN, 3, 4, "object 'ramp': present, range 0: it ends at frame nan");
  claim_bad(1, INFINITY, 3, 4, "object 'ramp': present, range 0: it ends at frame inf");
  claim_bad(1, 2, 3, -INFINITY, "object 'ramp': present, range 1: it ends at frame -inf");
  claim_bad(5, 5, 6, 7, "range 0: it ends at frame 5, but begins at 5; let it end later");
  claim_bad(5, 4, 6, 7, "range 0: it ends at frame 4, but begins at 5; let it end later");
  claim_bad(1, 5, 4, 7, "range 1: it begins at frame 4, but range 0 ends at 5; give ranges in ord");
  claim_bad(1, 5, 5, 7, "and join those that meet");
}

static void presence_of_what_is_simulated__is_refused(void **state) {
  (void)state;
  static const double range[] = {1, 5};
  tribo_scene *scene;
  small_sheet sheet;
  small_shell ramp;
  small_sheet_make(&sheet);
  small_ramp_make(&ramp);
  claim_ok(scene_create(&scene, err));
  sheet.def.presence = (tribo_presence_def){true, range, 1};
  claim_fails(scene_add(scene, &sheet.def, NULL, err), TRIBO_BAD_INPUT,
              "object 'sheet': present belongs to a collider, and a cloth is always there");
  ramp.def.presence = (tribo_presence_def){true, NULL, 1};
  claim_fails(scene_add(scene, &ramp.def, NULL, err), TRIBO_BAD_INPUT,
              "object 'ramp': it has 1 ranges of presence, but ranges is NULL");
  scene_free(scene);
}

static void claim_unread(const char *kind, const char *present, const char *words) {
  char text[512];
  snprintf(text, sizeof text,
           "{\"tribo\": 1, \"objects\": [{\"name\": \"ramp\", \"kind\": \"%s\", \"mesh\": "
           "\"ramp.obj\", \"present\": %s}]}",
           kind, present);
  tribo_scene *scene = NULL;
  claim_fails(scene_file_parse("scene.json", scratch_folder, text, strlen(text), &scene, err),
              TRIBO_BAD_INPUT, words);
  assert_null(scene);
}

static void scene_file__names_what_is_no_range(void **state) {
  (void)state;
  claim_unread("collider", "5", "objects[0] 'ramp': present must be an array of ranges");
  claim_unread("collider", "true", "not true");
  claim_unread("collider", "[1, 2]",
               "present[0] must be two frames [from, to], or one [from], not");
  claim_unread("collider", "[[1, 2], []]", "present[1] must be two frames");
  claim_unread("collider", "[[1, 2, 3]]", "present[0] must be two frames");
  claim_unread("collider", "[[1, null]]", "present[0] must be two frames");
  claim_unread("collider", "[[\"a\"]]", "present[0] must be two frames");
  claim_unread("collider", "[[3], [4, 5]]", "present, range 0: it ends at frame inf");
  claim_unread("collider", "[[3, 2]]", "object 'ramp': present, range 0: it ends at frame 2");
  claim_unread("cloth", "[[1, 2]]", "kind 'cloth' has no key 'present'; remove it, or make it a");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scene__owns_its_ranges),
      cmocka_unit_test(hash__changes_with_presence),
      cmocka_unit_test(presence__makes_the_round_trip),
      cmocka_unit_test(ranges_that_make_no_sense__are_refused),
      cmocka_unit_test(presence_of_what_is_simulated__is_refused),
      cmocka_unit_test(scene_file__names_what_is_no_range),
  };
  return cmocka_run_group_tests(tests, write_folder, scratch_remove);
}
