/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/geo.h"

#include <cjson/cJSON.h>

#include "base/file.h"
#include "claims.h"
#include "scratch.h"

/* Houdini writes its objects as arrays of key, value, key, value. */
static const cJSON *value_of(const cJSON *pairs, const char *key) {
  assert_true(cJSON_IsArray(pairs));
  for (int i = 0; i + 1 < cJSON_GetArraySize(pairs); i += 2) {
    const cJSON *name = cJSON_GetArrayItem(pairs, i);
    if (cJSON_IsString(name) && strcmp(name->valuestring, key) == 0)
      return cJSON_GetArrayItem(pairs, i + 1);
  }
  print_error("no key '%s'\n", key);
  fail();
  return NULL;
}

static void claim_number(const cJSON *item, double expected) {
  assert_true(cJSON_IsNumber(item));
  claim_near(item->valuedouble, expected, 0);
}

static void claim_numbers(const cJSON *list, const double *expected, int count) {
  assert_int_equal(cJSON_GetArraySize(list), count);
  for (int i = 0; i < count; i++) claim_number(cJSON_GetArrayItem(list, i), expected[i]);
}

static void claim_word(const cJSON *item, const char *expected) {
  assert_true(cJSON_IsString(item));
  assert_string_equal(item->valuestring, expected);
}

static cJSON *written(const mesh *m, const double *positions, const double *velocities) {
  const char *path = scratch_path("frame.geo");
  claim_ok(geo_write(path, m, positions, velocities, err));
  file_text text;
  claim_ok(file_read(path, &text, err));
  const char *end = NULL;
  cJSON *root = cJSON_ParseWithOpts(text.data, &end, true);
  if (!root) print_error("not JSON at: %s\n", end);
  assert_non_null(root);
  free(text.data);
  return root;
}

static void claim_counts(const cJSON *root, double points, double vertices, double primitives) {
  claim_number(value_of(root, "pointcount"), points);
  claim_number(value_of(root, "vertexcount"), vertices);
  claim_number(value_of(root, "primitivecount"), primitives);
}

static const cJSON *indices(const cJSON *root) {
  return value_of(value_of(value_of(root, "topology"), "pointref"), "indices");
}

static const cJSON *run(const cJSON *root, const char *type) {
  const cJSON *primitives = value_of(root, "primitives");
  assert_int_equal(cJSON_GetArraySize(primitives), 1);
  const cJSON *first = cJSON_GetArrayItem(primitives, 0);
  claim_word(value_of(cJSON_GetArrayItem(first, 0), "type"), type);
  const cJSON *values = cJSON_GetArrayItem(first, 1);
  claim_number(value_of(values, "startvertex"), 0);
  return values;
}

static double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.25};
static int32_t two_triangles[] = {0, 1, 2, 0, 2, 3};

static mesh sheet(void) {
  return (mesh){
      .vertex_count = 4, .triangle_count = 2, .positions = square, .triangles = two_triangles};
}

static void geo__writes_triangles_as_a_polygon_run(void **state) {
  (void)state;
  mesh m = sheet();
  cJSON *root = written(&m, square, NULL);
  claim_word(value_of(root, "fileversion"), "20.5.278");
  assert_true(cJSON_IsFalse(value_of(root, "hasindex")));
  assert_true(cJSON_IsObject(value_of(root, "info")));
  claim_counts(root, 4, 6, 2);
  claim_numbers(indices(root), (double[]){0, 2, 1, 0, 3, 2}, 6); /* clockwise, as in Houdini */
  const cJSON *values = run(root, "Polygon_run");
  claim_number(value_of(values, "nprimitives"), 2);
  claim_numbers(value_of(values, "nvertices_rle"), (double[]){3, 2}, 2);
  cJSON_Delete(root);
}

static void claim_attribute(const cJSON *attribute, const char *name, const char *type,
                            const double *expected, int points) {
  const cJSON *about = cJSON_GetArrayItem(attribute, 0), *data = cJSON_GetArrayItem(attribute, 1);
  claim_word(value_of(about, "scope"), "public");
  claim_word(value_of(about, "type"), "numeric");
  claim_word(value_of(about, "name"), name);
  const cJSON *option = cJSON_GetObjectItem(value_of(about, "options"), "type");
  claim_word(cJSON_GetObjectItem(option, "type"), "string");
  claim_word(cJSON_GetObjectItem(option, "value"), type);
  claim_number(value_of(data, "size"), 3);
  claim_word(value_of(data, "storage"), "fpreal32");
  const cJSON *values = value_of(data, "values");
  claim_number(value_of(values, "size"), 3);
  claim_word(value_of(values, "storage"), "fpreal32");
  const cJSON *tuples = value_of(values, "tuples");
  assert_int_equal(cJSON_GetArraySize(tuples), points);
  for (int i = 0; i < points; i++)
    for (int k = 0; k < 3; k++) {
      const cJSON *number = cJSON_GetArrayItem(cJSON_GetArrayItem(tuples, i), k);
      claim_near((double)(float)number->valuedouble, (double)(float)expected[3 * i + k], 0);
    }
}

static void geo__writes_positions_and_velocities_as_floats(void **state) {
  (void)state;
  double positions[12], velocities[12];
  uint64_t seed = 9;
  for (int i = 0; i < 12; i++) {
    positions[i] = claim_between(&seed, -10, 10);
    velocities[i] = claim_between(&seed, -1e-6, 1e-6);
  }
  mesh m = sheet();
  cJSON *root = written(&m, positions, velocities);
  const cJSON *attributes = value_of(value_of(root, "attributes"), "pointattributes");
  assert_int_equal(cJSON_GetArraySize(attributes), 2);
  claim_attribute(cJSON_GetArrayItem(attributes, 0), "P", "point", positions, 4);
  claim_attribute(cJSON_GetArrayItem(attributes, 1), "v", "vector", velocities, 4);
  cJSON_Delete(root);
}

static void geo__leaves_velocities_out_when_there_are_none(void **state) {
  (void)state;
  mesh m = sheet();
  cJSON *root = written(&m, square, NULL);
  const cJSON *attributes = value_of(value_of(root, "attributes"), "pointattributes");
  assert_int_equal(cJSON_GetArraySize(attributes), 1);
  claim_attribute(cJSON_GetArrayItem(attributes, 0), "P", "point", square, 4);
  cJSON_Delete(root);
}

static void geo__writes_tets_before_anything_else(void **state) {
  (void)state;
  int32_t tet[] = {3, 2, 1, 0};
  mesh m = sheet();
  m.tet_count = 1;
  m.tets = tet;
  cJSON *root = written(&m, square, NULL);
  claim_counts(root, 4, 4, 1);
  claim_numbers(indices(root), (double[]){3, 2, 1, 0}, 4);
  claim_number(value_of(run(root, "Tetrahedron_run"), "nprimitives"), 1);
  cJSON_Delete(root);
}

static void geo__joins_edges_into_curves(void **state) {
  (void)state;
  int32_t edges[] = {0, 1, 1, 2, 3, 0, 2, 3};
  mesh m = {.vertex_count = 4, .edge_count = 4, .edges = edges};
  cJSON *root = written(&m, square, NULL);
  claim_counts(root, 4, 7, 3);
  claim_numbers(indices(root), (double[]){0, 1, 2, 3, 0, 2, 3}, 7);
  const cJSON *values = run(root, "PolygonCurve_run");
  claim_number(value_of(values, "nprimitives"), 3);
  claim_numbers(value_of(values, "nvertices"), (double[]){3, 2, 2}, 3);
  cJSON_Delete(root);
}

static void geo__writes_points_alone(void **state) {
  (void)state;
  mesh m = {.vertex_count = 4};
  cJSON *root = written(&m, square, NULL);
  claim_counts(root, 4, 0, 0);
  assert_int_equal(cJSON_GetArraySize(value_of(root, "primitives")), 0);
  cJSON_Delete(root);
}

static void geo__refuses_numbers_that_json_cannot_say(void **state) {
  (void)state;
  mesh m = sheet();
  double bad[12] = {0};
  bad[5] = (double)NAN;
  claim_fails(geo_write(scratch_path("nan.geo"), &m, bad, NULL, err), TRIBO_BAD_INPUT,
              "the position of vertex 1 has z = nan");
  bad[5] = (double)INFINITY;
  claim_fails(geo_write(scratch_path("nan.geo"), &m, square, bad, err), TRIBO_BAD_INPUT,
              "the velocity of vertex 1 has z = inf");
  assert_int_not_equal(access(scratch_path("nan.geo"), F_OK), 0);
}

static void geo__says_when_it_cannot_write(void **state) {
  (void)state;
  mesh m = sheet();
  claim_fails(geo_write("nowhere/a.geo", &m, square, NULL, err), TRIBO_IO, "cannot write");
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(geo__writes_triangles_as_a_polygon_run),
      cmocka_unit_test(geo__writes_positions_and_velocities_as_floats),
      cmocka_unit_test(geo__leaves_velocities_out_when_there_are_none),
      cmocka_unit_test(geo__writes_tets_before_anything_else),
      cmocka_unit_test(geo__joins_edges_into_curves),
      cmocka_unit_test(geo__writes_points_alone),
      cmocka_unit_test(geo__refuses_numbers_that_json_cannot_say),
      cmocka_unit_test(geo__says_when_it_cannot_write),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
