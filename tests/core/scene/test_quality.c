/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "scene/quality.h"
#include "scene/scene_file.h"
#include "scratch.h"
#include "small.h"
#include "tribo/sim.h"

typedef struct stage {
  tribo_scene *scene;
  small_sheet sheet;
  small_shell ramp;
} stage;

/* A sheet, and a ramp that moves by (0, 0, way) between frames 1 and 2. */
static void put_up(stage *s, double speed, double way) {
  claim_ok(scene_create(&s->scene, err));
  small_sheet_make(&s->sheet)->object.velocity[2] = speed;
  claim_ok(scene_add(s->scene, &s->sheet.def, NULL, err));
  double moves[32] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1, [16] = 1, [21] = 1, [26] = 1, [31] = 1};
  moves[27] = way;
  small_ramp_make(&s->ramp)->motion =
      (tribo_motion_def){.transforms = moves, .sample_count = 2, .start = 1, .interval = 1};
  claim_ok(scene_add(s->scene, &s->ramp.def, NULL, err));
}

static tribo_choice choice_of(const tribo_scene *scene, double *thickness) {
  tribo_choice choice;
  claim_ok(tribo_scene_choice(scene, &choice, thickness, err));
  return choice;
}

static void set(tribo_scene *scene, const char *key, const char *value) {
  claim_ok(scene_set(scene, key, value, err));
}

static int substeps(const char *quality, double speed, double way) {
  stage s;
  put_up(&s, speed, way);
  set(s.scene, "quality", quality);
  int count = choice_of(s.scene, NULL).substeps;
  scene_free(s.scene);
  return count;
}

static void without_a_quality__nothing_is_chosen(void **unused) {
  (void)unused;
  stage s;
  double thickness[2];
  put_up(&s, 100, 10);
  tribo_choice choice = choice_of(s.scene, thickness);
  assert_int_equal(choice.quality, TRIBO_QUALITY_CUSTOM);
  assert_int_equal(choice.method, TRIBO_METHOD_FORWARDING);
  assert_int_equal(choice.substeps, 4);
  assert_true(thickness[0] == 0 && thickness[1] == 0);
  scene_free(s.scene);
}

static void quality__takes_shorter_steps_for_what_is_faster_within_limits(void **unused) {
  (void)unused;
  static const char *const levels[] = {"preview", "good", "final"};
  for (int i = 0; i < 3; i++) {
    int least = substeps(levels[i], 0, 0), most = substeps(levels[i], 1e6, 0);
    int thrown = substeps(levels[i], 75, 0), pushed = substeps(levels[i], 0, 75 / 24.0);
    assert_true(least < most);
    assert_true(least <= thrown && thrown <= most);
    assert_int_equal(thrown, pushed); /* a collider's samples count as a speed does */
    if (i) assert_true(substeps(levels[i - 1], 75, 0) < thrown);
    assert_int_equal(substeps(levels[i], 0, 1e6), most);
  }
}

static void quality__counts_a_fall_to_what_lies_below(void **unused) {
  (void)unused;
  stage s;
  put_up(&s, 0, 0);
  set(s.scene, "quality", "good");
  double near = choice_of(s.scene, NULL).speed;
  scene_free(s.scene);
  put_up(&s, 0, 0);
  set(s.scene, "quality", "good");
  for (size_t v = 0; v < 4; v++) ((double *)s.scene->objects.data[1].positions)[3 * v + 2] -= 5;
  double far = choice_of(s.scene, NULL).speed;
  claim_near(far, sqrt(2 * 9.81 * 5), 1e-9);
  assert_true(near < far);
  scene_free(s.scene);
}

static void quality__takes_shorter_steps_for_stiff_cloth(void **unused) {
  (void)unused;
  stage s;
  put_up(&s, 0, 0);
  set(s.scene, "quality", "good");
  int soft = choice_of(s.scene, NULL).substeps;
  s.scene->objects.data[0].cloth.stretch = 2e9;
  assert_true(choice_of(s.scene, NULL).substeps > soft);
  scene_free(s.scene);
}

static void what_is_given__counts_beside_a_quality(void **unused) {
  (void)unused;
  stage s;
  double thickness[2];
  put_up(&s, 0, 0);
  s.scene->objects.data[0].surface.thickness = 0; /* none, and that is meant */
  s.scene->objects.data[1].surface.thickness = 0.25;
  set(s.scene, "quality", "good");
  set(s.scene, "time.substeps", "3");
  tribo_choice choice = choice_of(s.scene, thickness);
  assert_int_equal(choice.method, TRIBO_METHOD_PROJECTIVE);
  assert_int_equal(choice.substeps, 3);
  assert_true(thickness[0] == 0 && thickness[1] == 0.25);
  set(s.scene, "method", "forwarding");
  assert_int_equal(choice_of(s.scene, NULL).method, TRIBO_METHOD_FORWARDING);
  scene_free(s.scene);
}

static void quality__gives_cloth_a_thickness_and_colliders_none(void **unused) {
  (void)unused;
  stage s;
  double thickness[2];
  put_up(&s, 0, 0);
  set(s.scene, "quality", "good");
  tribo_choice choice = choice_of(s.scene, thickness);
  assert_true(thickness[0] > 0 && thickness[0] <= 0.01);
  assert_true(thickness[1] == 0);
  assert_true(choice.thickness == thickness[0]);
  assert_true(s.scene->objects.data[0].surface.thickness < 0); /* the scene itself is as given */
  scene_free(s.scene);
}

static void quality__takes_the_method_that_moves_rigid_bodies(void **unused) {
  (void)unused;
  stage s;
  small_shell stone;
  put_up(&s, 0, 0);
  claim_ok(scene_add(s.scene, small_stone_make(&stone), NULL, err));
  set(s.scene, "quality", "good");
  tribo_choice mixed = choice_of(s.scene, NULL); /* with the cloth */
  assert_int_equal(mixed.method, TRIBO_METHOD_BARRIER);
  assert_int_equal(mixed.substeps, 8);
  s.scene->friction.mu_drill = 0.01; /* which barrier has not */
  assert_int_equal(choice_of(s.scene, NULL).method, TRIBO_METHOD_FORWARDING);
  s.scene->friction.mu_drill = 0;
  s.scene->objects.data[1].surface.contact = TRIBO_CONTACT_MLS; /* a collider, felt so */
  assert_int_equal(choice_of(s.scene, NULL).method, TRIBO_METHOD_BARRIER);
  s.scene->objects.data[2].surface.contact = TRIBO_CONTACT_MLS; /* the stone, felt as a mesh */
  assert_int_equal(choice_of(s.scene, NULL).method, TRIBO_METHOD_FORWARDING);
  scene_free(s.scene);

  tribo_scene *alone = NULL;
  small_shell other;
  claim_ok(tribo_scene_create(&alone, err));
  claim_ok(scene_add(alone, small_stone_make(&other), NULL, err));
  set(alone, "quality", "good");
  assert_int_equal(choice_of(alone, NULL).method, TRIBO_METHOD_FORWARDING);
  scene_free(alone);
}

/* So that a bake says what it is, and one of the same numbers may go on with it. */
/* Rods are moved by what lets them touch each other, and are as thick as they are, with a quality
 * and without; a scene that is written and read back is the same. */
static void quality__takes_barrier_for_rods(void **unused) {
  (void)unused;
  static const double points[] = {0, 0, 1, 0.1, 0, 1, 0.2, 0, 1};
  static const int32_t segments[] = {0, 1, 1, 2};
  tribo_object_def rod = tribo_object_default(TRIBO_ROD);
  rod.name = "rope";
  rod.positions = points, rod.vertex_count = 3;
  rod.segments = segments, rod.segment_count = 2;
  rod.rod.radius = 0.004;
  stage s;
  double thickness[3];
  put_up(&s, 0, 0);
  claim_ok(scene_add(s.scene, &rod, NULL, err));
  choice_of(s.scene, thickness);
  claim_near(thickness[2], 0.004, 0);
  set(s.scene, "quality", "good");
  assert_int_equal(choice_of(s.scene, thickness).method, TRIBO_METHOD_BARRIER);
  claim_near(thickness[2], 0.004, 0);
  claim_ok(scene_file_write(s.scene, scratch_path("rope"), err));
  tribo_scene *read;
  claim_ok(scene_file_read(scratch_path("rope/scene.json"), &read, err));
  assert_true(tribo_scene_hash(read) == tribo_scene_hash(s.scene));
  scene_free(read);
  scene_free(s.scene);
}

static void quality__has_the_hash_of_its_numbers(void **unused) {
  (void)unused;
  stage s, by_hand;
  double thickness[2];
  put_up(&s, 75, 0);
  put_up(&by_hand, 75, 0);
  uint64_t plain = tribo_scene_hash(s.scene);
  set(s.scene, "quality", "good");
  tribo_choice choice = choice_of(s.scene, thickness);
  char count[16];
  snprintf(count, sizeof count, "%d", choice.substeps);
  set(by_hand.scene, "method", "projective");
  set(by_hand.scene, "time.substeps", count);
  by_hand.scene->objects.data[0].surface.thickness = thickness[0];
  assert_true(tribo_scene_hash(s.scene) == tribo_scene_hash(by_hand.scene));
  assert_true(tribo_scene_hash(s.scene) != plain);
  scene_free(s.scene);
  scene_free(by_hand.scene);
}

static void frame_of_a_quality__has_its_substeps(void **unused) {
  (void)unused;
  stage s;
  tribo_sim *sim;
  put_up(&s, 75, 0);
  set(s.scene, "quality", "preview");
  claim_ok(tribo_sim_create(s.scene, &(tribo_sim_options){.threads = 1}, &sim, err));
  tribo_report report;
  claim_ok(tribo_sim_frame(sim, &report, err));
  assert_int_equal(report.steps, choice_of(s.scene, NULL).substeps);
  claim_near(tribo_sim_time(sim), 1 / 24.0, 1e-12);
  tribo_sim_free(sim);
  scene_free(s.scene);
}

static void bundle__keeps_what_was_not_given_open(void **unused) {
  (void)unused;
  stage s;
  put_up(&s, 75, 0);
  set(s.scene, "quality", "final");
  claim_ok(scene_file_write(s.scene, scratch_path("open"), err));
  set(s.scene, "time.substeps", "5");
  claim_ok(scene_file_write(s.scene, scratch_path("given"), err));
  tribo_scene *open, *given;
  claim_ok(scene_file_read(scratch_path("open/scene.json"), &open, err));
  claim_ok(scene_file_read(scratch_path("given/scene.json"), &given, err));
  assert_int_equal(choice_of(given, NULL).substeps, 5);
  assert_true(tribo_scene_hash(given) == tribo_scene_hash(s.scene));
  assert_int_equal(choice_of(open, NULL).substeps, substeps("final", 75, 0));
  assert_int_equal(choice_of(open, NULL).method, TRIBO_METHOD_PROJECTIVE);
  scene_free(open);
  scene_free(given);
  scene_free(s.scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_quality__nothing_is_chosen),
      cmocka_unit_test(quality__takes_shorter_steps_for_what_is_faster_within_limits),
      cmocka_unit_test(quality__counts_a_fall_to_what_lies_below),
      cmocka_unit_test(quality__takes_shorter_steps_for_stiff_cloth),
      cmocka_unit_test(what_is_given__counts_beside_a_quality),
      cmocka_unit_test(quality__gives_cloth_a_thickness_and_colliders_none),
      cmocka_unit_test(quality__takes_the_method_that_moves_rigid_bodies),
      cmocka_unit_test(quality__takes_barrier_for_rods),
      cmocka_unit_test(quality__has_the_hash_of_its_numbers),
      cmocka_unit_test(frame_of_a_quality__has_its_substeps),
      cmocka_unit_test(bundle__keeps_what_was_not_given_open),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
