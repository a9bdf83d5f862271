/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include <cjson/cJSON.h>

#include "base/file.h"
#include "cache/stats.h"
#include "model/kinematics.h"

/* Two bodies by hand: 1 kg and 3 kg at the ends of a stick, and one without mass. */
static double masses[] = {1, 3, 0};
static vec3 positions[] = {{0, 0, 0}, {4, 0, 8}, {1, 1, 1}};
static vec3 velocities[] = {{2, 0, 0}, {0, 0, 2}, {5, 5, 5}};
static model_body bodies[] = {{.name = "stick",
                               .kind = TRIBO_CLOTH,
                               .vertex_count = 2,
                               .node_count = 2,
                               .kinematics = &kinematics_nodes},
                              {.name = "a \"ghost\"",
                               .kind = TRIBO_SOLID,
                               .first_vertex = 2,
                               .vertex_count = 1,
                               .first_node = 2,
                               .node_count = 1,
                               .kinematics = &kinematics_nodes}};

static model make_model(void) {
  return (model){.bodies = bodies, .body_count = 2, .node_count = 3, .mass = masses};
}

static state make_state(void) {
  return (state){.step = 8, .node_count = 3, .x = positions, .v = velocities};
}

static const tribo_report REPORT = {.steps = 5,
                                    .cuts = 1,
                                    .newton_iterations = 17,
                                    .linear_iterations = 23,
                                    .residual = 1.0 / 3.0 * 1e-7,
                                    .converged = true,
                                    .contacts = 6,
                                    .max_penetration = 0.001,
                                    .cloth_contacts = 4,
                                    .cloth_depth = 0.002,
                                    .held_back = 0.003,
                                    .friction_iterations = 9,
                                    .friction_residual = 1e-8,
                                    .kinetic_energy = 8,
                                    .elastic_energy = 0.1,
                                    .linear_seconds = 0.25,
                                    .assembly_seconds = 0.125};

static void append(lines *s, int frame, tribo_report report) {
  model m = make_model();
  state moving = make_state();
  claim_ok(stats_append(s, frame, 0.5, &report, &m, &moving, err));
}

static file_text content(const char *name) {
  file_text text;
  claim_ok(file_read(scratch_path(name), &text, err));
  return text;
}

static double number(const cJSON *line, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, key);
  if (!cJSON_IsNumber(item)) fail_msg("%s is no number", key);
  return item->valuedouble;
}

static void claim_vector(const cJSON *object, const char *key, double x, double y, double z) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
  assert_int_equal(cJSON_GetArraySize(list), 3);
  assert_true(cJSON_GetArrayItem(list, 0)->valuedouble == x);
  assert_true(cJSON_GetArrayItem(list, 1)->valuedouble == y);
  assert_true(cJSON_GetArrayItem(list, 2)->valuedouble == z);
}

static void stats__line_says_it_all_and_reads_back_exactly(void **unused) {
  (void)unused;
  lines s;
  claim_ok(lines_create(scratch_path("one.jsonl"), &s, err));
  append(&s, 12, REPORT);
  lines_close(&s);

  file_text text = content("one.jsonl");
  assert_ptr_equal(strchr(text.data, '\n'), text.data + text.size - 1);
  cJSON *line = cJSON_Parse(text.data);
  assert_non_null(line);
  assert_true(number(line, "frame") == 12);
  assert_true(number(line, "seconds") == 0.5);
  assert_true(number(line, "substeps") == 5);
  assert_true(number(line, "cuts") == 1);
  assert_true(number(line, "newton_iterations") == 17);
  assert_true(number(line, "linear_iterations") == 23);
  assert_true(number(line, "residual") == REPORT.residual);
  assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "converged")));
  assert_true(number(line, "contacts") == 6);
  assert_true(number(line, "max_penetration") == 0.001);
  assert_true(number(line, "cloth_contacts") == 4);
  assert_true(number(line, "cloth_depth") == 0.002);
  assert_true(number(line, "held_back") == 0.003);
  assert_true(number(line, "friction_iterations") == 9);
  assert_true(number(line, "friction_residual") == 1e-8);
  assert_true(number(line, "kinetic_energy") == 8);
  assert_true(number(line, "elastic_energy") == 0.1);
  assert_true(number(line, "linear_seconds") == 0.25);
  assert_true(number(line, "assembly_seconds") == 0.125);

  const cJSON *objects = cJSON_GetObjectItemCaseSensitive(line, "objects");
  const cJSON *stick = cJSON_GetObjectItemCaseSensitive(objects, "stick");
  claim_vector(stick, "com", 3, 0, 6);
  claim_vector(stick, "com_velocity", 0.5, 0, 1.5);
  assert_true(number(stick, "kinetic_energy") == 8);
  const cJSON *ghost = cJSON_GetObjectItemCaseSensitive(objects, "a \"ghost\"");
  claim_vector(ghost, "com", 0, 0, 0);
  assert_true(number(ghost, "kinetic_energy") == 0);
  cJSON_Delete(line);
  free(text.data);
}

/* 2 kg at (1, 2, 3), turned a quarter about z, spinning at 3 rad/s about the world's x: that is the
 * body's -y, whose moment is 5. */
static void stats__of_a_rigid_body_know_its_turning(void **unused) {
  (void)unused;
  model_rigid rigid = {.node = 0, .mass = 2, .inertia = {4, 5, 6}, .length = 0.5};
  model_body body = {
      .name = "top", .vertex_count = 8, .node_count = 2, .kinematics = &kinematics_rigid};
  double mass[2] = {2, 0};
  vec3 x[2] = {{1, 2, 3}, {0, 0, 0}}, v[2] = {{0, 4, 0}, {0.5 * 3, 0, 0}};
  quat turn = quat_exp(vec3_make(0, 0, 1.57079632679489661923));
  model m = {.bodies = &body,
             .body_count = 1,
             .node_count = 2,
             .mass = mass,
             .rigids = &rigid,
             .rigid_count = 1};
  state moving = {.node_count = 2, .x = x, .v = v, .rigid_count = 1, .turns = &turn};
  stats_body found = stats_of_body(&m, &body, &moving);
  assert_memory_equal(&found.com, x, sizeof *x);
  assert_memory_equal(&found.com_velocity, v, sizeof *v);
  claim_near(found.kinetic_energy, 0.5 * 2 * 16 + 0.5 * 5 * 9, 1e-13);
}

static void stats__line_is_valid_json_when_numbers_are_not_finite(void **unused) {
  (void)unused;
  lines s;
  claim_ok(lines_create(scratch_path("nan.jsonl"), &s, err));
  tribo_report broken = REPORT;
  broken.residual = NAN;
  broken.elastic_energy = INFINITY;
  append(&s, 1, broken);
  lines_close(&s);
  file_text text = content("nan.jsonl");
  cJSON *line = cJSON_Parse(text.data);
  assert_non_null(line);
  assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(line, "residual")));
  assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(line, "elastic_energy")));
  cJSON_Delete(line);
  free(text.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stats__line_says_it_all_and_reads_back_exactly),
      cmocka_unit_test(stats__of_a_rigid_body_know_its_turning),
      cmocka_unit_test(stats__line_is_valid_json_when_numbers_are_not_finite),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
