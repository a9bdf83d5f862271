/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "small.h"
#include "tribo/sim.h"

/* What is told when a simulation is made, all in one text. */
typedef struct told {
  size_t count;
  char text[4000];
} told;

static void hear(void *user, tribo_log_level level, const char *message) {
  told *t = user;
  if (level != TRIBO_LOG_WARNING) return;
  t->count++;
  size_t length = strlen(t->text);
  snprintf(t->text + length, sizeof t->text - length, "%s\n", message);
}

static told what_is_told(const tribo_scene *scene) {
  told t = {0};
  tribo_sim_options options = {.threads = 1, .log = hear, .log_user = &t};
  tribo_sim *sim;
  claim_ok(tribo_sim_create(scene, &options, &sim, err));
  tribo_sim_free(sim);
  return t;
}

static void claim_told(const tribo_scene *scene, size_t count, const char *words) {
  told t = what_is_told(scene);
  if (t.count != count || !strstr(t.text, words)) {
    print_error("told %zu times, wanted %zu with \"%s\":\n%s", t.count, count, words, t.text);
    fail();
  }
  tribo_doubt *doubts;
  size_t found;
  claim_ok(tribo_scene_doubts(scene, &doubts, &found, err));
  size_t warnings = 0;
  for (size_t i = 0; i < found; i++) {
    if (doubts[i].kind == TRIBO_DOUBT_FALLS) continue; /* a note; its own test is below */
    warnings++;
    assert_non_null(strstr(t.text, doubts[i].message));
  }
  assert_int_equal(warnings, count);
  free(doubts);
}

static tribo_scene *empty(void) {
  tribo_scene *scene;
  claim_ok(tribo_scene_create(&scene, err));
  return scene;
}

static void add(tribo_scene *scene, const tribo_object_def *def) {
  claim_ok(tribo_scene_add(scene, def, NULL, err));
}

static void shift(double *positions, size_t vertices, double x, double y, double z) {
  for (size_t v = 0; v < vertices; v++)
    positions[3 * v] += x, positions[3 * v + 1] += y, positions[3 * v + 2] += z;
}

static void sound_scene_raises_no_doubt(void **unused) {
  (void)unused;
  tribo_scene *scene = empty();
  small_sheet sheet;
  small_shell ramp, stone;
  add(scene, small_sheet_make(&sheet));
  add(scene, small_ramp_make(&ramp));
  small_stone_make(&stone);
  shift(stone.positions, 4, 0, 0, 2);
  add(scene, &stone.def);
  shift(sheet.positions, 4, 0, 0, 9);
  claim_told(scene, 0, "");
  tribo_scene_free(scene);
}

static void cloth_in_loose_triangles_is_told_with_its_pieces(void **unused) {
  (void)unused;
  tribo_scene *scene = empty();
  double positions[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
  int32_t triangles[6] = {0, 1, 2, 3, 4, 5};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "rag";
  def.positions = positions, def.vertex_count = 6;
  def.triangles = triangles, def.triangle_count = 2;
  add(scene, &def);
  claim_told(scene, 1, "object 'rag': 2 separate pieces; 1 edge of its mesh lies on others");
  tribo_scene_free(scene);
}

static void turned_triangle_and_collider_inside_out_are_told(void **unused) {
  (void)unused;
  tribo_scene *scene = empty();
  small_sheet sheet;
  small_shell stone;
  small_sheet_make(&sheet);
  sheet.triangles[1] = 2, sheet.triangles[2] = 1;
  shift(sheet.positions, 4, 0, 0, 2);
  small_stone_make(&stone)->kind = TRIBO_COLLIDER;
  for (int t = 0; t < 4; t++) {
    int32_t second = stone.triangles[3 * t + 1];
    stone.triangles[3 * t + 1] = stone.triangles[3 * t + 2];
    stone.triangles[3 * t + 2] = second;
  }
  add(scene, &sheet.def);
  add(scene, &stone.def);
  claim_told(scene, 2, "object 'sheet': 1 of its 2 triangles are wound against the others");
  claim_told(scene, 2, "object 'stone': it is inside out");
  tribo_scene_free(scene);
}

static void sizes_of_another_unit_are_told(void **unused) {
  (void)unused;
  for (int large = 0; large < 2; large++) {
    tribo_scene *scene = empty();
    small_sheet sheet;
    small_sheet_make(&sheet);
    for (int i = 0; i < 12; i++) sheet.positions[i] *= large ? 200 : 2e-3;
    add(scene, &sheet.def);
    claim_told(scene, 1, large ? "'sheet' is 283 m across" : "'sheet' is 0.00283 m across");
    tribo_scene_free(scene);
  }
}

/* A sheet of 28 m is told alone, and not beside one of 1.4 m. */
static void a_scene_without_anything_small_is_told(void **unused) {
  (void)unused;
  for (int beside = 0; beside < 2; beside++) {
    tribo_scene *scene = empty();
    small_sheet large, small;
    small_sheet_make(&large);
    small_sheet_make(&small);
    for (int i = 0; i < 12; i++) large.positions[i] *= 20;
    small.def.name = "small";
    small.def.surface.contact = TRIBO_CONTACT_NONE;
    add(scene, &large.def);
    if (beside) add(scene, &small.def);
    claim_told(scene, beside ? 0 : 1, beside ? "" : "'sheet' is 28.3 m across");
    tribo_scene_free(scene);
  }
}

/* Two sheets one above the other, and a third far to the side. */
static tribo_scene *sheets(double thickness, int role, tribo_object_def **first) {
  static small_sheet sheet[3];
  static const char *const names[] = {"low", "high", "aside"};
  tribo_scene *scene = empty();
  for (int i = 0; i < 3; i++) {
    tribo_object_def *def = small_sheet_make(&sheet[i]);
    def->name = names[i];
    def->surface.thickness = i == 1 ? thickness : 0.01;
    def->surface.role = role;
    shift(sheet[i].positions, 4, i == 2 ? 30 : 0, 0, 3 * i);
    add(scene, def);
  }
  *first = &sheet[0].def;
  return scene;
}

/* Blocks 1 m wide and 2 m high, of 0.3 MPa and 1,050 kg/m3: h^3 = 7.84 E a^2 / (12 rho g), 2.67 m
 * stand. */
static void soft_bodies_that_cannot_stand_are_told(void **unused) {
  (void)unused;
  static const char *const names[] = {"low", "middle", "high"};
  for (int count = 1; count <= 3; count++) {
    tribo_scene *scene = empty();
    for (int k = 0; k < count; k++) {
      small_block b;
      small_block_make(&b);
      b.def.name = names[k];
      b.def.solid.young = count == 3 ? 1e7 : 3e5;
      b.def.solid.density = 1050;
      shift(b.positions, b.def.vertex_count, 0.1 * k, 0, 2.2 * k);
      add(scene, &b.def);
    }
    tribo_doubt *doubts;
    size_t found;
    claim_ok(tribo_scene_doubts(scene, &doubts, &found, err));
    assert_int_equal(found, (count == 2) + count); /* they fall, too */
    if (count == 2) {
      assert_int_equal(doubts[0].kind, TRIBO_DOUBT_SOFT);
      assert_int_equal(doubts[0].object, 0);
      assert_int_equal(doubts[0].other, 1);
      claim_near(doubts[0].metres, 2.67, 0.01);
      assert_non_null(strstr(doubts[0].message, "objects 'low' to 'middle', 2 of them"));
    }
    free(doubts);
    tribo_scene_free(scene);
  }
}

/* As after a copy in place; but not of stones that stand side by side and share three of four. */
static void the_same_thing_twice_is_told(void **unused) {
  (void)unused;
  for (int apart = 0; apart < 2; apart++) {
    tribo_scene *scene = empty();
    small_sheet sheet[2];
    for (int i = 0; i < 2; i++) {
      small_sheet_make(&sheet[i])->name = i ? "copy" : "rag";
      shift(sheet[i].positions, 4, i * apart, 0, 0); /* then they share an edge */
      sheet[i].def.surface.contact = TRIBO_CONTACT_NONE;
      add(scene, &sheet[i].def);
    }
    claim_told(scene, !apart, apart ? "" : "objects 'rag' and 'copy' lie in one place: 4 of");
    tribo_scene_free(scene);
  }
}

static bool falls(const tribo_scene *scene) {
  tribo_doubt *doubts;
  size_t found;
  bool any = false;
  claim_ok(tribo_scene_doubts(scene, &doubts, &found, err));
  for (size_t i = 0; i < found; i++) any |= doubts[i].kind == TRIBO_DOUBT_FALLS;
  free(doubts);
  return any;
}

/* A sheet over nothing; over a ramp, or in it; under it; beside it; over one that nothing touches;
 * pinned; thrown; without gravity. */
static void what_nothing_will_stop_is_noted(void **unused) {
  (void)unused;
  enum { ALONE, OVER, IN, UNDER, BESIDE, IDLE, PINNED, THROWN, FREE, CASES };
  for (int k = 0; k < CASES; k++) {
    tribo_scene *scene = empty();
    small_sheet sheet;
    small_shell ramp;
    int32_t vertex = 0;
    tribo_pin_def pin = {.vertices = &vertex, .vertex_count = 1};
    small_sheet_make(&sheet);
    shift(sheet.positions, 4, k == BESIDE ? 9 : 0, 0, k == UNDER ? -2 : k == IN ? 0 : 2);
    if (k == PINNED) sheet.def.pins = &pin, sheet.def.pin_count = 1;
    if (k == THROWN) sheet.def.object.velocity[2] = 3;
    add(scene, &sheet.def);
    small_ramp_make(&ramp);
    if (k == IDLE) ramp.def.surface.contact = TRIBO_CONTACT_NONE;
    if (k == FREE) tribo_scene_world(scene)->gravity[2] = 0;
    if (k >= OVER && k <= IDLE) add(scene, &ramp.def);
    assert_int_equal(falls(scene), k == ALONE || k == UNDER || k == BESIDE || k == IDLE);
    claim_told(scene, k == IDLE,
               k == IDLE ? "object 'ramp' is a collider that nothing touches" : "");
    tribo_scene_free(scene);
  }
}

static void cloth_that_is_pinned_everywhere_is_told(void **unused) {
  (void)unused;
  for (int count = 3; count <= 4; count++) {
    for (int soft = 0; soft < 2; soft++) {
      tribo_scene *scene = empty();
      small_sheet sheet;
      int32_t vertices[4] = {0, 1, 2, 3};
      tribo_pin_def pin = {.vertices = vertices, .vertex_count = (size_t)count};
      pin.params.stiffness = soft ? 10 : 0;
      small_sheet_make(&sheet);
      sheet.def.pins = &pin, sheet.def.pin_count = 1;
      add(scene, &sheet.def);
      bool held = count == 4 && !soft;
      claim_told(scene, held, held ? "object 'sheet': all of its 4 vertices are pinned" : "");
      tribo_scene_free(scene);
    }
  }
}

static void cloths_that_pass_through_each_other_are_told(void **unused) {
  (void)unused;
  tribo_object_def *first;
  tribo_scene *scene = sheets(0, TRIBO_ROLE_AUTO, &first);
  claim_told(scene, 1, "objects 'low' and 'high' pass through each other: with the method forw");
  bool broad_phase = true;
  claim_ok(tribo_scene_meet(scene, 0, 1, &broad_phase, err));
  assert_false(broad_phase);
  tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  claim_told(scene, 1, "both have a surface.thickness, and that of 'high' is 0");
  claim_ok(tribo_scene_meet(scene, 0, 0, &broad_phase, err));
  assert_true(broad_phase);
  tribo_scene_world(scene)->method = TRIBO_METHOD_ELASTIC;
  claim_told(scene, 0, "");
  tribo_scene_free(scene);
  scene = sheets(0.01, TRIBO_ROLE_AUTO, &first);
  tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  claim_told(scene, 0, "");
  tribo_scene_free(scene);
  scene = sheets(0, TRIBO_ROLE_SURFACE, &first);
  claim_told(scene, 0, "");
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_scene_raises_no_doubt),
      cmocka_unit_test(cloth_in_loose_triangles_is_told_with_its_pieces),
      cmocka_unit_test(turned_triangle_and_collider_inside_out_are_told),
      cmocka_unit_test(sizes_of_another_unit_are_told),
      cmocka_unit_test(a_scene_without_anything_small_is_told),
      cmocka_unit_test(soft_bodies_that_cannot_stand_are_told),
      cmocka_unit_test(the_same_thing_twice_is_told),
      cmocka_unit_test(what_nothing_will_stop_is_noted),
      cmocka_unit_test(cloth_that_is_pinned_everywhere_is_told),
      cmocka_unit_test(cloths_that_pass_through_each_other_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
