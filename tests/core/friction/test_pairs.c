/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "friction/pairs.h"

/* Plain Coulomb. */
#define MU(value)                                                                                  \
  { .mu = value, .mu_along = -1, .mu_across = -1, .mu_dynamic = -1 }

enum { OBJECTS = 5 };
enum { RAMP, BLOCK, GLASS, CUP, SHEET };

typedef struct fixture {
  arena memory;
  tribo_object_def objects[OBJECTS];
  tribo_combine_params combine;
  tribo_friction_params standard;
  pairs table;
} fixture;

static int set_up(void **state) {
  static const char *const names[OBJECTS] = {"ramp", "block", "glass", "cup", "sheet"};
  fixture *f = calloc(1, sizeof *f);
  for (int i = 0; i < OBJECTS; i++) {
    f->objects[i] = tribo_object_default(TRIBO_RIGID);
    f->objects[i].name = names[i];
  }
  f->objects[RAMP].material = f->objects[BLOCK].material = "wood";
  f->objects[GLASS].material = f->objects[CUP].material = "silica";
  f->combine = tribo_combine_defaults();
  f->standard = tribo_friction_defaults();
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  arena_free(&f->memory);
  free(f);
  return 0;
}

static tribo_status build(fixture *f, const friction_pair_def *list, size_t count,
                          tribo_error *err) {
  return pairs_build(f->objects, OBJECTS, &f->combine, &f->standard, list, count, &f->memory,
                     &f->table, err);
}

#define BUILD(f, ...)                                                                              \
  do {                                                                                             \
    const friction_pair_def list_[] = {__VA_ARGS__};                                               \
    claim_ok(build(f, list_, sizeof list_ / sizeof *list_, err));                                  \
  } while (0)

/* The same both ways round, to the bit. */
static void claim_mu(const fixture *f, size_t a, size_t b, double mu) {
  assert_true(pairs_law(&f->table, a, b)->mu == pairs_law(&f->table, b, a)->mu);
  claim_near(pairs_law(&f->table, a, b)->mu, mu, 1e-16);
}

static void without_pairs_all_have_the_default(void **state) {
  fixture *f = *state;
  f->standard.mu = 0.3;
  claim_ok(build(f, NULL, 0, err));
  for (size_t a = 0; a < OBJECTS; a++)
    for (size_t b = 0; b < OBJECTS; b++) claim_mu(f, a, b, 0.3);
  assert_int_equal(f->table.class_count, 1);
}

static void own_coefficients_are_combined_by_the_rule(void **state) {
  fixture *f = *state;
  f->objects[GLASS].surface.mu = 0.2;
  f->objects[SHEET].surface.mu = 0.8;
  f->objects[CUP].surface.mu = 0;
  static const double expected[][3] = {
      [TRIBO_COMBINE_GEOMETRIC_MEAN] = {0.4, 0.63245553203367587, 0},
      [TRIBO_COMBINE_AVERAGE] = {0.5, 0.65, 0.4},
      [TRIBO_COMBINE_MINIMUM] = {0.2, 0.5, 0},
      [TRIBO_COMBINE_MAXIMUM] = {0.8, 0.8, 0.8},
      [TRIBO_COMBINE_PRODUCT] = {0.16, 0.4, 0}};
  for (int rule = 0; rule < 5; rule++) {
    f->combine.combine = rule;
    claim_ok(build(f, NULL, 0, err));
    claim_mu(f, GLASS, SHEET, expected[rule][0]);
    claim_mu(f, BLOCK, SHEET, expected[rule][1]); /* the block has the default, 0.5 */
    claim_mu(f, CUP, SHEET, expected[rule][2]);
    claim_mu(f, GLASS, GLASS, rule == TRIBO_COMBINE_PRODUCT ? 0.04 : 0.2);
  }
}

static void pair_of_materials_speaks_for_all_that_are_made_of_them(void **state) {
  fixture *f = *state;
  BUILD(f, {"silica", "wood", MU(0.1)}, {"wood", "wood", MU(0.7)});
  claim_mu(f, RAMP, GLASS, 0.1);
  claim_mu(f, RAMP, CUP, 0.1);
  claim_mu(f, BLOCK, CUP, 0.1);
  claim_mu(f, RAMP, BLOCK, 0.7);
  claim_mu(f, BLOCK, BLOCK, 0.7);
  claim_mu(f, GLASS, CUP, 0.5);
  claim_mu(f, RAMP, SHEET, 0.5);
}

static void name_serves_for_an_object_without_a_material(void **state) {
  fixture *f = *state;
  BUILD(f, {"sheet", "wood", MU(0.9)}, {"sheet", "sheet", MU(0.05)});
  claim_mu(f, SHEET, RAMP, 0.9);
  claim_mu(f, SHEET, BLOCK, 0.9);
  claim_mu(f, SHEET, SHEET, 0.05);
  claim_mu(f, SHEET, CUP, 0.5);
}

/* Whatever the order in the list. */
static void closer_names_count_more(void **state) {
  fixture *f = *state;
  const friction_pair_def ranked[3] = {
      {"wood", "silica", MU(0.1)}, {"block", "silica", MU(0.2)}, {"cup", "block", MU(0.3)}};
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < 6; k++) {
    BUILD(f, ranked[orders[k][0]], ranked[orders[k][1]], ranked[orders[k][2]]);
    claim_mu(f, RAMP, GLASS, 0.1);
    claim_mu(f, RAMP, CUP, 0.1);
    claim_mu(f, BLOCK, GLASS, 0.2);
    claim_mu(f, BLOCK, CUP, 0.3);
  }
}

static void of_equally_close_names_the_later_counts(void **state) {
  fixture *f = *state;
  BUILD(f, {"block", "silica", MU(0.2)}, {"wood", "glass", MU(0.4)});
  claim_mu(f, BLOCK, GLASS, 0.4);
  claim_mu(f, BLOCK, CUP, 0.2);
  claim_mu(f, RAMP, GLASS, 0.4);
  BUILD(f, {"wood", "glass", MU(0.4)}, {"block", "silica", MU(0.2)});
  claim_mu(f, BLOCK, GLASS, 0.2);
}

/* An object named like another's material is meant by both. */
static void word_may_name_an_object_and_a_material(void **state) {
  fixture *f = *state;
  f->objects[SHEET].name = "wood", f->objects[SHEET].material = "linen";
  BUILD(f, {"wood", "glass", MU(0.6)});
  claim_mu(f, SHEET, GLASS, 0.6);
  claim_mu(f, BLOCK, GLASS, 0.6);
  BUILD(f, {"linen", "glass", MU(0.3)}, {"wood", "glass", MU(0.6)}, {"linen", "silica", MU(0.1)});
  claim_mu(f, SHEET, GLASS, 0.6); /* names both objects */
  claim_mu(f, SHEET, CUP, 0.1);
}

static void claim_law(const fixture *f, size_t a, size_t b, friction_law expected) {
  friction_law found = *pairs_law(&f->table, a, b), other = *pairs_law(&f->table, b, a);
  assert_memory_equal(&found, &other, sizeof found);
  claim_near(found.mu, expected.mu, 1e-16);
  claim_near(found.mu_along, expected.mu_along, 1e-16);
  claim_near(found.mu_across, expected.mu_across, 1e-16);
  claim_near(found.mu_dynamic, expected.mu_dynamic, 1e-16);
  claim_near(found.stribeck_velocity, expected.stribeck_velocity, 0);
  claim_near(found.mu_drill, expected.mu_drill, 0);
}

static void pair_gives_its_whole_law_and_what_it_leaves_out_is_mu(void **state) {
  fixture *f = *state;
  f->standard.mu_dynamic = 0.1,
  f->standard.mu_drill = 3; /* a pair takes nothing from the default */
  const friction_pair_def whole = {"wood",
                                   "glass",
                                   {.mu = 0.5,
                                    .mu_along = 0.1,
                                    .mu_across = 0.9,
                                    .mu_dynamic = 0.4,
                                    .stribeck_velocity = 0.02,
                                    .mu_drill = 0.003}},
                          along = {"cup",
                                   "ramp",
                                   {.mu = 0.5,
                                    .mu_along = 0,
                                    .mu_across = -1,
                                    .mu_dynamic = -1,
                                    .stribeck_velocity = 0.01,
                                    .mu_drill = 0}};
  BUILD(f, whole, along, {"sheet", "cup", MU(0.3)});
  claim_law(f, BLOCK, GLASS,
            (friction_law){.mu = 0.5,
                           .mu_along = 0.1,
                           .mu_across = 0.9,
                           .mu_dynamic = 0.4,
                           .stribeck_velocity = 0.02,
                           .mu_drill = 0.003});
  claim_law(f, RAMP, CUP,
            (friction_law){.mu = 0.5,
                           .mu_along = 0,
                           .mu_across = 0.5,
                           .mu_dynamic = 0.5,
                           .stribeck_velocity = 0.01,
                           .mu_drill = 0});
  claim_law(f, SHEET, CUP,
            (friction_law){.mu = 0.3,
                           .mu_along = 0.3,
                           .mu_across = 0.3,
                           .mu_dynamic = 0.3,
                           .stribeck_velocity = 0,
                           .mu_drill = 0});
}

/* Whichever way round it is asked, an object has the tensor that the pair gives to its word. */
static void tensors_go_with_the_words_that_they_were_given_to(void **state) {
  fixture *f = *state;
  tribo_friction_params p = {.mu = 1, .mu_along = -1, .mu_across = -1, .mu_dynamic = -1};
  p.tensor_a[0] = p.tensor_a[1] = 0.25;
  p.tensor_b[0] = p.tensor_b[1] = 0.5;
  BUILD(f, {"wood", "glass", p}, {"cup", "ramp", p});
  claim_near(pairs_law(&f->table, BLOCK, GLASS)->tensor_a[0], 0.25, 0);
  claim_near(pairs_law(&f->table, GLASS, BLOCK)->tensor_a[0], 0.5, 0);
  claim_near(pairs_law(&f->table, GLASS, BLOCK)->tensor_b[1], 0.25, 0);
  claim_near(pairs_law(&f->table, CUP, RAMP)->tensor_a[0], 0.25, 0);
  claim_near(pairs_law(&f->table, RAMP, CUP)->tensor_a[0], 0.5, 0);
}

static void without_a_pair_every_coefficient_is_combined(void **state) {
  fixture *f = *state;
  f->standard = (tribo_friction_params){.mu = 0.5,
                                        .mu_along = 0.1,
                                        .mu_across = 0.9,
                                        .mu_dynamic = 0.4,
                                        .stribeck_velocity = 0.02,
                                        .mu_drill = 0.003};
  f->objects[CUP].surface.mu = 0.2; /* plain Coulomb, though the default is not */
  f->objects[SHEET].surface.mu = 0;
  f->combine.combine = TRIBO_COMBINE_AVERAGE;
  claim_ok(build(f, NULL, 0, err));
  claim_law(f, RAMP, GLASS,
            (friction_law){.mu = 0.5,
                           .mu_along = 0.1,
                           .mu_across = 0.9,
                           .mu_dynamic = 0.4,
                           .stribeck_velocity = 0.02,
                           .mu_drill = 0.003});
  claim_law(f, RAMP, CUP,
            (friction_law){.mu = 0.35,
                           .mu_along = 0.15,
                           .mu_across = 0.55,
                           .mu_dynamic = 0.3,
                           .stribeck_velocity = 0.02,
                           .mu_drill = 0.003});
  claim_law(f, SHEET, CUP,
            (friction_law){.mu = 0.1,
                           .mu_along = 0.1,
                           .mu_across = 0.1,
                           .mu_dynamic = 0.1,
                           .stribeck_velocity = 0.02,
                           .mu_drill = 0.003});
  assert_int_equal(f->table.class_count, 3);
}

static void unknown_names_are_refused_with_a_suggestion(void **state) {
  fixture *f = *state;
  const friction_pair_def typo[] = {{"wood", "glass", MU(1)}, {"wod", "cup", MU(1)}};
  claim_fails(build(f, typo, 2, err), TRIBO_BAD_INPUT,
              "friction.pairs[1]: no object or material is named 'wod'; did you mean 'wood'?");
  const friction_pair_def strange[] = {{"cup", "something else", MU(1)}};
  claim_fails(build(f, strange, 1, err), TRIBO_BAD_INPUT,
              "friction.pairs[0]: no object or material is named 'something else'; name one of the "
              "scene, or remove the pair");
}

static void many_objects_of_few_materials_make_a_small_table(void **state) {
  fixture *f = *state;
  enum { MANY = 3000 };
  tribo_object_def *objects = calloc(MANY, sizeof *objects);
  char(*names)[24] = calloc(MANY, sizeof *names);
  for (int i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "stone%d", i);
    objects[i] = tribo_object_default(TRIBO_RIGID);
    objects[i].name = names[i];
    objects[i].material = i % 2 ? "granite" : "chalk";
  }
  const friction_pair_def list[] = {{"granite", "chalk", MU(0.4)}, {"stone7", "chalk", MU(0.6)}};
  claim_ok(
      pairs_build(objects, MANY, &f->combine, &f->standard, list, 2, &f->memory, &f->table, err));
  assert_int_equal(f->table.class_count, 3);
  claim_mu(f, 2998, 2999, 0.4);
  claim_mu(f, 2998, 7, 0.6);
  claim_mu(f, 2999, 7, 0.5);
  free(names);
  free(objects);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(without_pairs_all_have_the_default),
      CLAIM(own_coefficients_are_combined_by_the_rule),
      CLAIM(pair_of_materials_speaks_for_all_that_are_made_of_them),
      CLAIM(name_serves_for_an_object_without_a_material),
      CLAIM(closer_names_count_more),
      CLAIM(of_equally_close_names_the_later_counts),
      CLAIM(word_may_name_an_object_and_a_material),
      CLAIM(pair_gives_its_whole_law_and_what_it_leaves_out_is_mu),
      CLAIM(tensors_go_with_the_words_that_they_were_given_to),
      CLAIM(without_a_pair_every_coefficient_is_combined),
      CLAIM(unknown_names_are_refused_with_a_suggestion),
      CLAIM(many_objects_of_few_materials_make_a_small_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
