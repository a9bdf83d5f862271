/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A start inside something is told of, with object, vertex, depth and surface; any other is not.
 */
#include "physics/lab.h"
#include "scenes/scenes_contact.h"
#include "scenes/shapes_turned.h"

typedef struct heard {
  int warnings;
  char words[1024]; /* all of them */
} heard;

static void listen(void *user, tribo_log_level level, const char *message) {
  heard *h = user;
  if (level != TRIBO_LOG_WARNING) return;
  h->warnings++;
  size_t length = strlen(h->words);
  snprintf(h->words + length, sizeof h->words - length, "%s\n", message);
}

static heard start(tribo_scene *scene) {
  heard h = {0};
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, 1, &(log_sink){listen, &h}, &s, err));
  simulation_free(s);
  tribo_scene_free(scene);
  return h;
}

/* A square of cloth at this height above the top of a globe of 1 m. */
static tribo_scene *thick_in_globe(double height, double thickness) {
  tribo_scene *scene = lab_scene();
  mesh sheet = shape_sheet(2, 2, 0.2, 0.2), globe = shape_globe(12, 1);
  shape_move(&sheet, -0.1, -0.1, 1 + height);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def round = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "cloth";
  round.name = "globe";
  round.surface.contact = TRIBO_CONTACT_SPHERE;
  cloth.surface.thickness = round.surface.thickness = thickness;
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  claim_ok(scenes_add(scene, round, &globe, NULL, err));
  return scene;
}

static tribo_scene *cloth_in_globe(double height) { return thick_in_globe(height, 0); }

static void what_starts_inside__is_told_of(void **unused) {
  (void)unused;
  heard h = start(cloth_in_globe(-0.05));
  assert_int_equal(h.warnings, 1);
  assert_non_null(strstr(h.words, "object 'cloth': vertex 4 starts 0.05"));
  assert_non_null(strstr(h.words, "inside the surface of 'globe', and 9 of all"));
}

static void what_starts_outside__is_not(void **unused) {
  (void)unused;
  assert_int_equal(start(cloth_in_globe(0.001)).warnings, 0);
  assert_int_equal(start(cloth_in_globe(0.5)).warnings, 0);
}

/* On it, nearer than the thickness that both keep: as what is put on a table. Below it by more:
 * inside. */
static void what_starts_nearer_than_its_thickness__is_no_warning(void **unused) {
  (void)unused;
  assert_int_equal(start(thick_in_globe(0, 0.004)).warnings, 0);
  assert_int_equal(start(thick_in_globe(0.003, 0.004)).warnings, 0);
  heard h = start(thick_in_globe(-0.003, 0.004));
  assert_int_equal(h.warnings, 1);
  assert_non_null(strstr(h.words, "inside the surface of 'globe'"));
}

/* A block through a sheet, which has no inside: told, but as a note where the block is held. */
static void what_starts_through_a_sheet__is_told_of(void **unused) {
  (void)unused;
  for (int held = 0; held < 2; held++) {
    tribo_scene *scene = lab_scene();
    mesh cube = shape_block(2, 2, 2, 0.4, 0.4, 0.4), sheet = shape_sheet(1, 1, 4, 4);
    shape_move(&cube, 0, 0, -0.05);
    shape_move(&sheet, -2, -2, 0);
    tribo_object_def soft = tribo_object_default(TRIBO_SOLID);
    tribo_object_def ground = tribo_object_default(TRIBO_COLLIDER);
    soft.name = "soft";
    ground.name = "ground";
    int32_t vertex = 0;
    tribo_pin_def pin = {.vertices = &vertex, .vertex_count = 1};
    if (held) soft.pins = &pin, soft.pin_count = 1;
    claim_ok(scenes_add(scene, soft, &cube, NULL, err));
    claim_ok(scenes_add(scene, ground, &sheet, NULL, err));
    heard h = start(scene);
    assert_int_equal(h.warnings, !held);
    if (!held) assert_non_null(strstr(h.words, "starts through 'ground'"));
  }
}

/* Two sheets that cross, one that is folded through itself, and both pinned: nobody pins one cloth
 * in another. Flush on each other they do not cross. */
static void what_starts_through_cloth__is_told_of(void **unused) {
  (void)unused;
  enum { CROSSED, PINNED, FOLDED, FLUSH, CASES };
  for (int k = 0; k < CASES; k++) {
    tribo_scene *scene = lab_scene();
    mesh low = shape_sheet(4, 4, 1, 1), high = shape_sheet(4, 4, 1, 1);
    if (k == CROSSED || k == PINNED) shape_turn(&high, 0, 0.5);
    shape_move(&high, 0.1, 0.1, k == FOLDED ? 0.9 : k == FLUSH ? 0 : -0.2);
    for (double *x = low.positions; k == FOLDED && x < low.positions + 75; x += 3)
      if (x[0] > 0.6) x[0] = 1.3 - x[0], x[2] = x[1] - 0.4;
    tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
    int32_t vertex = 0;
    tribo_pin_def pin = {.vertices = &vertex, .vertex_count = 1};
    if (k == PINNED) cloth.pins = &pin, cloth.pin_count = 1;
    cloth.surface.thickness = 0.004;
    cloth.name = "low";
    claim_ok(scenes_add(scene, cloth, &low, NULL, err));
    cloth.name = "high";
    claim_ok(scenes_add(scene, cloth, &high, NULL, err));
    tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
    heard h = start(scene);
    if (h.warnings != (k != FLUSH)) print_message("%d: %s\n", k, h.words);
    assert_int_equal(h.warnings, k != FLUSH);
    if (k == FOLDED) assert_non_null(strstr(h.words, "object 'low' starts through itself"));
    if (k < FOLDED) assert_non_null(strstr(h.words, "object 'low' starts through 'high'"));
  }
}

/* Nor any of the paper's scenes. */
static void scenes__start_outside(void **unused) {
  (void)unused;
  static const char *const names[] = {"block_slide", "cloth_cylinder", "ball_on_trampoline",
                                      "stool_chatter"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    tribo_scene *scene = NULL;
    claim_ok(scenes_make(names[k], 0, &scene, err));
    heard h = start(scene);
    if (h.warnings) print_message("%s: %s\n", names[k], h.words);
    assert_int_equal(h.warnings, 0);
  }
}

/* A coarse cylinder with caps and not long enough: its smooth surface bulges near the ends. */
static void a_smooth_surface_that_lies_off_its_mesh__is_told_of(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  mesh sheet = shape_sheet(5, 1, 1, 0.05), cylinder = shape_cylinder(7, 0.5, 1.6);
  shape_move(&sheet, -0.5, -0.025, 0.51);
  shape_turn(&cylinder, 1, 0.5 * 3.14159265358979323846);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def round = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "cloth";
  round.name = "cylinder";
  round.surface.contact = TRIBO_CONTACT_MLS;
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  claim_ok(scenes_add(scene, round, &cylinder, NULL, err));
  heard h = start(scene);
  assert_int_equal(h.warnings, 2);
  assert_non_null(strstr(h.words, "object 'cylinder': its smooth surface is off its mesh, by"));
  assert_non_null(strstr(h.words, "inside the surface of 'cylinder'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_starts_inside__is_told_of),
      cmocka_unit_test(what_starts_outside__is_not),
      cmocka_unit_test(what_starts_through_a_sheet__is_told_of),
      cmocka_unit_test(what_starts_through_cloth__is_told_of),
      cmocka_unit_test(what_starts_nearer_than_its_thickness__is_no_warning),
      cmocka_unit_test(scenes__start_outside),
      cmocka_unit_test(a_smooth_surface_that_lies_off_its_mesh__is_told_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
