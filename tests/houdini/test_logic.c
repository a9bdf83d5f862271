/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of the Houdini plugin needs no Houdini, part by part; the whole is seen through the SOP.
 */
#include "claims.h"
#include "logic/capture.h"
#include "logic/mesh.h"
#include "logic/space.h"

static void space__there_and_back_is_the_same_float(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 10000; i++) {
    float in[3], out[3];
    double core[3];
    for (int k = 0; k < 3; k++) in[k] = (float)claim_between(&seed, -100, 100);
    space_in(in, core);
    assert_true(core[2] == (double)in[1] && core[0] == (double)in[0]);
    space_out(core, out);
    assert_memory_equal(in, out, sizeof in);
  }
  const float flat[3] = {0, 0, 0};
  double core[3];
  space_in(flat, core);
  assert_false(signbit(core[1])); /* no -0.0: hashes would tell it from 0 */
}

static void space__keeps_handedness(void **state) {
  (void)state;
  const float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double m[3][3];
  for (int i = 0; i < 3; i++) space_in(axes[i], m[i]);
  double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  claim_near(determinant, 1, 0);
}

/* A regular polygon whose every third corner is pulled in by `dent`. */
static hou_geo *polygon(hou_input *in, size_t corners, double dent) {
  hou_geo *geo = hou_input_add(in, corners, 1, corners, "");
  for (size_t i = 0; i < corners; i++) {
    double r = i % 3 == 1 ? 1 - dent : 1, a = -2 * 3.141592653589793 * (double)i / (double)corners;
    geo->positions[3 * i] = (float)(r * cos(a));
    geo->positions[3 * i + 2] = (float)(r * sin(a));
    geo->corners[i] = (int32_t)i;
  }
  return geo;
}

static double signed_area(const hou_geo *geo, const int32_t *t) {
  const float *a = geo->positions + 3 * t[0], *b = geo->positions + 3 * t[1];
  const float *c = geo->positions + 3 * t[2];
  return (double)((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])) / 2;
}

static void polygons__are_cut_into_triangles_of_one_winding_and_all_the_area(void **state) {
  (void)state;
  for (size_t n = 3; n < 40; n++)
    for (double dent = 0; dent < 0.75; dent += 0.35) {
      hou_input in = {0};
      hou_geo *geo = polygon(&in, n, dent);
      int32_t scratch[40], out[3 * 40];
      hou_polygon_cut(geo, 0, scratch, out);
      double sum = 0, whole = 0;
      for (size_t t = 0; t + 2 < n; t++) {
        double area = signed_area(geo, out + 3 * t);
        assert_true(area > -1e-7);
        sum += area;
      }
      for (size_t i = 0; i < n; i++) {
        const float *a = geo->positions + 3 * i, *b = geo->positions + 3 * ((i + 1) % n);
        whole += (double)(a[2] * b[0] - a[0] * b[2]) / 2; /* turned: the core's winding */
      }
      claim_near(sum, whole, 1e-5);
      hou_input_clear(&in);
    }
}

static void closed_surfaces__are_told_from_open_and_mixed_ones(void **state) {
  (void)state;
  int32_t tet[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
  assert_int_equal(hou_triangles_closed(tet, 4), 1);
  assert_int_equal(hou_triangles_closed(tet, 3), 0);
  assert_int_equal(hou_triangles_closed(tet, 0), 0);
  tet[0] = 1; /* one triangle wound the other way */
  tet[1] = 0;
  assert_int_equal(hou_triangles_closed(tet, 4), 0);
}

static void parameters__are_set_by_name_and_refused_with_it(void **state) {
  (void)state;
  hou_settings s;
  assert_true(hou_settings_create(&s));
  uint64_t before = hou_settings_hash(&s);
  claim_ok(hou_settings_set(&s, "forcescale", "7", err));
  assert_true(hou_settings_hash(&s) == before); /* it only shows */
  claim_ok(hou_settings_set(&s, "world_gravity", "0 -1.5 0.25", err));
  claim_near(s.values[hou_parm_find("world_gravity")][2], 0.25, 0);
  claim_ok(hou_settings_set(&s, "world_method", "barrier", err));
  claim_near(s.values[hou_parm_find("world_method")][0], TRIBO_METHOD_BARRIER, 0);
  assert_true(hou_settings_hash(&s) != before);
  claim_fails(hou_settings_set(&s, "world_gravity", "0 1", err), TRIBO_BAD_INPUT, "world_gravity");
  claim_fails(hou_settings_set(&s, "cloth_strech", "1", err), TRIBO_BAD_INPUT, "cloth_strech");
  hou_settings_free(&s);
}

static void parameters__have_names_of_their_own_and_limits_around_their_defaults(void **state) {
  (void)state;
  hou_parm p;
  for (size_t row = 0; hou_parm_at(row, &p); row++) {
    char choice[64];
    assert_true(p.name[0] && p.label[0] && p.help[0] && p.tab);
    assert_int_equal(hou_parm_find(p.name), row);
    if (p.type == HOU_PARM_MENU)
      assert_true(hou_parm_choice(row, (size_t)p.value[0], choice, sizeof choice));
    if (p.low < p.high && p.strict) assert_true(p.value[0] >= p.low && p.value[0] <= p.high);
  }
}

static void messages__speak_of_points_primitives_and_y_up(void **state) {
  (void)state;
  int32_t points[] = {7, 9}, prims[] = {30, 31, 32};
  hou_object items[2] = {{.name = "left", .points = points, .vertex_count = 2},
                         {.name = "right", .triangle_prims = prims, .triangle_count = 3}};
  hou_objects objects = {items, 2, 10};
  char out[256];
  hou_objects_translate(&objects,
                        "object 'left': vertex 1 is at (1, 2, 3); 'right' triangle 2, (4, 5)", out,
                        sizeof out);
  assert_string_equal(out, "object 'left': point 9 is at (1, 3, -2); 'right' primitive 32, (4, 5)");
  hou_objects_translate(&objects, "'left': vertex 5, vertexes and vertex x", out, sizeof out);
  assert_string_equal(out, "'left': vertex 5, vertexes and vertex x");
  hou_objects_translate(&objects, "'left': vertex 0 vertex 0", out,
                        12); /* no room: cut, not over */
  assert_true(strlen(out) < 12);
}

static void captures__that_are_none_are_refused(void **state) {
  (void)state;
  const char *const files[] = {"",
                               "tribo-capture 2\n",
                               "tribo-capture 1\n",
                               "tribo-capture 1\nfps 0\nsample 0 1\n",
                               "tribo-capture 1\nset nothing 1\n",
                               "tribo-capture 1\nnonsense\n"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FILE *file = fopen("bad.capture", "w");
    assert_non_null(file);
    fputs(files[i], file);
    fclose(file);
    hou_capture *c = NULL;
    tribo_error err = {0};
    assert_int_not_equal(hou_capture_open("bad.capture", &c, &err), TRIBO_OK);
    assert_true(err.message[0] && !c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(space__there_and_back_is_the_same_float),
      cmocka_unit_test(space__keeps_handedness),
      cmocka_unit_test(polygons__are_cut_into_triangles_of_one_winding_and_all_the_area),
      cmocka_unit_test(closed_surfaces__are_told_from_open_and_mixed_ones),
      cmocka_unit_test(parameters__are_set_by_name_and_refused_with_it),
      cmocka_unit_test(parameters__have_names_of_their_own_and_limits_around_their_defaults),
      cmocka_unit_test(messages__speak_of_points_primitives_and_y_up),
      cmocka_unit_test(captures__that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
