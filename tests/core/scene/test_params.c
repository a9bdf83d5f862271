/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "scene/json.h"
#include "scene/params.h"
#include "scene/shortest.h"

static void table_holds_every_group_with_rows_together(void **state) {
  (void)state;
  size_t count, headings, in_groups = 0;
  const tribo_param_info *row = tribo_param_table(&count);
  const params_heading *heading = params_headings(&headings);
  assert_int_equal(headings, 14);
  for (size_t g = 0; g < headings; g++) {
    size_t n;
    const tribo_param_info *first = params_group(heading[g].group, &n);
    assert_non_null(first);
    for (size_t i = 0; i < n; i++) assert_string_equal(first[i].group, heading[g].group);
    for (size_t i = 0; i < n; i++) assert_string_equal(first[i].place, heading[g].place);
    in_groups += n;
  }
  assert_int_equal(in_groups, count);
  for (size_t i = 0; i < count; i++) assert_true(*row[i].help != 0);
  assert_non_null(tribo_param_table(NULL));
}

static void defaults_are_those_of_the_table_and_in_range(void **state) {
  (void)state;
  tribo_world_params world = tribo_world_defaults();
  tribo_cloth_params cloth = tribo_cloth_defaults();
  assert_true(world.gravity[2] == -9.81 && world.gravity[0] == 0);
  assert_true(cloth.density == 0.2 && cloth.warp_axis[0] == 1);
  assert_int_equal(tribo_time_defaults().substeps, 4);
  tribo_time_params time = tribo_time_defaults();
  tribo_solver_params solver = tribo_solver_defaults();
  tribo_object_params object = tribo_object_defaults();
  tribo_solid_params solid = tribo_solid_defaults();
  tribo_pin_params pin = tribo_pin_defaults();
  tribo_rigid_params rigid = tribo_rigid_defaults();
  tribo_surface_params surface = tribo_surface_defaults();
  tribo_combine_params combine = tribo_combine_defaults();
  tribo_friction_params friction = tribo_friction_defaults();
  claim_ok(params_check("rigid", &rigid, err));
  claim_ok(params_check("surface", &surface, err));
  claim_ok(params_check("combine", &combine, err));
  claim_ok(params_check("friction", &friction, err));
  claim_ok(params_check("world", &world, err));
  claim_ok(params_check("time", &time, err));
  claim_ok(params_check("solver", &solver, err));
  claim_ok(params_check("object", &object, err));
  claim_ok(params_check("solid", &solid, err));
  claim_ok(params_check("cloth", &cloth, err));
  claim_ok(params_check("pin", &pin, err));
}

static void default_object_has_defaults_and_no_geometry(void **state) {
  (void)state;
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  assert_int_equal(def.kind, TRIBO_SOLID);
  assert_true(def.solid.young == 1e5 && def.cloth.bend == 1e-4);
  assert_null(def.positions);
  assert_int_equal(def.pin_count, 0);
}

static void choices_are_found_by_whole_words(void **state) {
  (void)state;
  assert_int_equal(params_choice("auto|cholmod|cg", "auto"), 0);
  assert_int_equal(params_choice("auto|cholmod|cg", "cg"), 2);
  assert_int_equal(params_choice("auto|cholmod|cg", "c"), -1);
  assert_int_equal(params_choice("auto|cholmod|cg", ""), -1);
  assert_int_equal(params_choice("auto|cholmod|cg", "auto|cholmod"), -1);
}

static void value_out_of_range_is_named_with_range_and_unit(void **state) {
  (void)state;
  tribo_solid_params solid = tribo_solid_defaults();
  solid.density = -5;
  claim_fails(params_check("solid", &solid, err), TRIBO_BAD_INPUT,
              "elastic.density is -5 kg/m^3; give 1e-06 to 1e+06 kg/m^3");
  solid.density = NAN;
  claim_fails(params_check("solid", &solid, err), TRIBO_BAD_INPUT, "elastic.density is nan kg/m^3");
  tribo_world_params world = tribo_world_defaults();
  world.gravity[1] = INFINITY;
  claim_fails(params_check("world", &world, err), TRIBO_BAD_INPUT,
              "gravity is (0, inf, -9.81) m/s^2; every component must be a finite number");
  tribo_solver_params solver = tribo_solver_defaults();
  solver.linear = 9;
  claim_fails(params_check("solver", &solver, err), TRIBO_BAD_INPUT,
              "solver.linear is 9; give 0 to 3 (auto|cholmod|pardiso|cg)");
  tribo_object_params object = tribo_object_defaults();
  object.drag = -1;
  claim_fails(params_check("object", &object, err), TRIBO_BAD_INPUT, "drag is -1; give 0 to 1000");
}

static void text_sets_every_kind_of_parameter(void **state) {
  (void)state;
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  tribo_solver_params solver = tribo_solver_defaults();
  claim_ok(params_set_text(params_find("time", "substeps"), "8", &time, err));
  assert_int_equal(time.substeps, 8);
  claim_ok(params_set_text(params_find("time", "fps"), "29.97", &time, err));
  assert_true(time.fps == 29.97);
  claim_ok(params_set_text(params_find("world", "gravity"), "[0, 0, -1]", &world, err));
  assert_true(world.gravity[2] == -1);
  claim_ok(params_set_text(params_find("world", "gravity"), "0,1.5,-2e0", &world, err));
  assert_true(world.gravity[1] == 1.5 && world.gravity[2] == -2);
  claim_ok(params_set_text(params_find("solver", "linear"), "cg", &solver, err));
  assert_int_equal(solver.linear, TRIBO_LINEAR_CG);
  claim_ok(params_set_text(params_find("solver", "linear"), "\"cholmod\"", &solver, err));
  assert_int_equal(solver.linear, TRIBO_LINEAR_CHOLMOD);
}

static void refused_value_leaves_the_field(void **state) {
  (void)state;
  tribo_time_params time = tribo_time_defaults();
  const tribo_param_info *substeps = params_find("time", "substeps");
  claim_fails(params_set_text(substeps, "0", &time, err), TRIBO_BAD_INPUT,
              "time.substeps is 0; give 1 to 10000");
  claim_fails(params_set_text(substeps, "2.5", &time, err), TRIBO_BAD_INPUT,
              "time.substeps is 2.5; give a whole number");
  claim_fails(params_set_text(substeps, "1e40", &time, err), TRIBO_BAD_INPUT,
              "time.substeps is 1e+40; give 1 to 10000");
  claim_fails(params_set_text(substeps, "1e999", &time, err), TRIBO_BAD_INPUT,
              "time.substeps is inf");
  claim_fails(params_set_text(substeps, "many", &time, err), TRIBO_BAD_INPUT,
              "time.substeps cannot be 'many'");
  claim_fails(params_set_text(substeps, "", &time, err), TRIBO_BAD_INPUT, "cannot be ''");
  claim_fails(params_set_text(substeps, "8 9", &time, err), TRIBO_BAD_INPUT, "cannot be '8 9'");
  claim_fails(params_set_text(substeps, "[8]", &time, err), TRIBO_BAD_INPUT,
              "time.substeps must be a whole number, not an array of 1 value");
  assert_int_equal(time.substeps, 4);

  tribo_world_params world = tribo_world_defaults();
  claim_fails(params_set_text(params_find("world", "gravity"), "0,0", &world, err), TRIBO_BAD_INPUT,
              "gravity must be three numbers [x, y, z], not an array of 2 values");
  tribo_solver_params solver = tribo_solver_defaults();
  claim_fails(params_set_text(params_find("solver", "linear"), "pardizo", &solver, err),
              TRIBO_BAD_INPUT,
              "solver.linear is 'pardizo'; give one of: auto, cholmod, pardiso, cg");
}

static void printed_values_read_back_to_the_same_bits(void **state) {
  (void)state;
  uint64_t seed = 7;
  const tribo_param_info *stretch = params_find("cloth", "stretch");
  for (int i = 0; i < 1000; i++) {
    tribo_cloth_params a = tribo_cloth_defaults(), b = tribo_cloth_defaults();
    a.stretch = claim_between(&seed, 0, 1) * pow(10, claim_between(&seed, -300, 11));
    char text[PARAMS_VALUE_SIZE];
    claim_ok(params_set_text(stretch, params_print(stretch, &a, text), &b, err));
    assert_memory_equal(&a.stretch, &b.stretch, sizeof a.stretch);
  }
  tribo_world_params world = tribo_world_defaults(), other = world;
  world.wind[0] = 0.1;
  world.wind[1] = -0.0;
  world.wind[2] = 1.0 / 3;
  const tribo_param_info *wind = params_find("world", "wind");
  char text[PARAMS_VALUE_SIZE];
  assert_string_equal(params_print(wind, &world, text), "[0.1, -0, 0.3333333333333333]");
  claim_ok(params_set_text(wind, text, &other, err));
  assert_memory_equal(world.wind, other.wind, sizeof world.wind);
  tribo_solver_params solver = tribo_solver_defaults();
  solver.linear = TRIBO_LINEAR_PARDISO;
  assert_string_equal(params_print(params_find("solver", "linear"), &solver, text), "\"pardiso\"");
}

static void numbers_print_short_where_they_can(void **state) {
  (void)state;
  char text[SHORTEST_SIZE];
  assert_string_equal(shortest_text(0.1, text), "0.1");
  assert_string_equal(shortest_text(1e-6, text), "1e-06");
  assert_string_equal(shortest_text(-9.81, text), "-9.81");
  assert_string_equal(shortest_text(1234567.5, text), "1234567.5");
  assert_string_equal(shortest_text(NAN, text), "nan");
  assert_string_equal(shortest_text(-INFINITY, text), "-inf");
}

static void json_faults_have_line_and_column(void **state) {
  (void)state;
  cJSON *json;
  const char *comma = "{\n  \"a\": 1,\n}";
  claim_fails(json_parse(comma, strlen(comma), &json, err), TRIBO_BAD_INPUT,
              "line 3, column 1: not JSON: a bracket that does not fit here");
  const char *bare = "{ ab: 1 }", *missing = "{ \"a\" 1 }", *word = "[1,\n nul]";
  claim_fails(json_parse(bare, strlen(bare), &json, err), TRIBO_BAD_INPUT, "line 1, column 3");
  claim_fails(json_parse(missing, strlen(missing), &json, err), TRIBO_BAD_INPUT,
              "line 1, column 7: not JSON from here on");
  claim_fails(json_parse(word, strlen(word), &json, err), TRIBO_BAD_INPUT, "line 2, column 2");
  const char *open = "{ \"a\": [1, 2";
  claim_fails(json_parse(open, strlen(open), &json, err), TRIBO_BAD_INPUT,
              "the file ends in the middle of a value");
  const char *comment = "{\n // hm\n}";
  claim_fails(json_parse(comment, strlen(comment), &json, err), TRIBO_BAD_INPUT,
              "line 2, column 2: not JSON: comments are not allowed");
  const char *after = "{} x";
  claim_fails(json_parse(after, strlen(after), &json, err), TRIBO_BAD_INPUT, "line 1, column 4");
  claim_fails(json_parse("", 0, &json, err), TRIBO_BAD_INPUT, "line 1, column 1");
}

static void characters_of_value_0_are_refused(void **state) {
  (void)state;
  cJSON *json;
  claim_fails(json_parse("{}\0{}", 5, &json, err), TRIBO_BAD_INPUT, "line 1, column 3");
  const char *escaped = "{\"a\": \"b\\u0000c\"}", *kept = "{\"a\": \"b\\\\u0000c\"}";
  claim_fails(json_parse(escaped, strlen(escaped), &json, err), TRIBO_BAD_INPUT, "value 0");
  claim_ok(json_parse(kept, strlen(kept), &json, err));
  cJSON_Delete(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_holds_every_group_with_rows_together),
      cmocka_unit_test(defaults_are_those_of_the_table_and_in_range),
      cmocka_unit_test(default_object_has_defaults_and_no_geometry),
      cmocka_unit_test(choices_are_found_by_whole_words),
      cmocka_unit_test(value_out_of_range_is_named_with_range_and_unit),
      cmocka_unit_test(text_sets_every_kind_of_parameter),
      cmocka_unit_test(refused_value_leaves_the_field),
      cmocka_unit_test(printed_values_read_back_to_the_same_bits),
      cmocka_unit_test(numbers_print_short_where_they_can),
      cmocka_unit_test(json_faults_have_line_and_column),
      cmocka_unit_test(characters_of_value_0_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
