/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/uv_frame.h"

#include "claims.h"
#include "math/mat3.h"

static void claim_direction(vec3 a, vec3 b) { claim_near(vec3_norm(vec3_sub(a, b)), 0, 1e-12); }

/* X(u, v) = o + u p + v q */
static void map_uv(vec3 o, vec3 p, vec3 q, const double uv[6], vec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = vec3_madd(vec3_madd(o, uv[2 * k], p), uv[2 * k + 1], q);
}

static vec3 random_vector(uint64_t *seed) {
  return (vec3){claim_between(seed, -1, 1), claim_between(seed, -1, 1), claim_between(seed, -1, 1)};
}

static void frame__is_the_derivative_by_u_and_what_of_that_by_v_is_across(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 200; i++) {
    vec3 p = random_vector(&seed), q = random_vector(&seed), x[3];
    double uv[6];
    for (int k = 0; k < 6; k++) uv[k] = claim_between(&seed, -3, 3);
    map_uv(random_vector(&seed), p, q, uv, x);
    uv_frame f;
    assert_true(uv_frame_of(x, uv, &f));
    vec3 t = vec3_normalized(p);
    vec3 b = vec3_normalized(vec3_madd(q, -vec3_dot(q, t), t));
    claim_near(vec3_norm(vec3_sub(f.t, t)), 0, 1e-8);
    claim_near(vec3_norm(vec3_sub(f.b, b)), 0, 1e-8);
    vec3 n = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]));
    assert_int_equal(f.mirrored, vec3_dot(vec3_cross(p, q), n) < 0);
  }
}

static void frame__does_not_depend_on_which_corner_is_the_first(void **state) {
  (void)state;
  const vec3 x[3] = {{0, 0, 0}, {1, 0.2, 0}, {0.3, 1, 0.5}};
  const double uv[6] = {0.1, 0.2, 0.9, 0.3, 0.2, 0.8};
  uv_frame first, turned;
  assert_true(uv_frame_of(x, uv, &first));
  for (int by = 1; by < 3; by++) {
    vec3 y[3];
    double w[6];
    for (int k = 0; k < 3; k++) {
      y[k] = x[(k + by) % 3];
      w[2 * k] = uv[2 * ((k + by) % 3)];
      w[2 * k + 1] = uv[2 * ((k + by) % 3) + 1];
    }
    assert_true(uv_frame_of(y, w, &turned));
    claim_direction(turned.t, first.t);
    claim_direction(turned.b, first.b);
  }
}

static void frame__of_a_mirrored_triangle_still_runs_with_u_and_v(void **state) {
  (void)state;
  const vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double uv[6] = {1, 0, 0, 0, 1, 1}; /* u grows towards -x */
  uv_frame f;
  assert_true(uv_frame_of(x, uv, &f));
  assert_true(f.mirrored);
  claim_direction(f.t, vec3_make(-1, 0, 0));
  claim_direction(f.b, vec3_make(0, 1, 0));
}

static void frame__is_none_without_area_in_space_or_in_the_uvs(void **state) {
  (void)state;
  const vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const double uv[6] = {0, 0, 1, 0, 0, 1}, flat[6] = {0, 0, 1, 1, 0.5, 0.5}, point[6] = {0};
  uv_frame f;
  assert_false(uv_frame_of(x, flat, &f));
  assert_false(uv_frame_of(x, point, &f));
  assert_false(uv_frame_of(line, uv, &f));
  claim_near(vec3_norm(f.t) + vec3_norm(f.b), 0, 0);
}

/* Four triangles in a row: 0 and 1 joined, a seam, 2 joined to 3 but for 3 being mirrored. */
static void islands__end_at_seams_and_where_mirrored(void **state) {
  (void)state;
  const int32_t triangles[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
  const double uvs[] = {0, 0, 1, 0, 0, 1, /* */ 0, 1, 1, 0, 1,   1,
                        5, 1, 6, 1, 5, 2, /* */ 5, 2, 6, 1, 5.2, 1.2};
  arena memory = {0};
  int32_t *islands;
  size_t count;
  claim_ok(uv_frame_islands(triangles, uvs, 4, &memory, &islands, &count, err));
  const int32_t expected[] = {0, 0, 2, 3};
  for (int t = 0; t < 4; t++) assert_int_equal(islands[t], expected[t]);
  assert_int_equal(count, 3);
  arena_free(&memory);
}

static void islands__a_triangle_without_uv_area_is_one_by_itself(void **state) {
  (void)state;
  const int32_t triangles[] = {0, 1, 2, 2, 1, 3};
  const double uvs[] = {0, 0, 1, 0, 0, 1, /* */ 0, 1, 1, 0, 0.5, 0.5};
  arena memory = {0};
  int32_t *islands;
  size_t count;
  claim_ok(uv_frame_islands(triangles, uvs, 2, &memory, &islands, &count, err));
  assert_int_equal(islands[1], 1);
  assert_int_equal(count, 2);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frame__is_the_derivative_by_u_and_what_of_that_by_v_is_across),
      cmocka_unit_test(frame__does_not_depend_on_which_corner_is_the_first),
      cmocka_unit_test(frame__of_a_mirrored_triangle_still_runs_with_u_and_v),
      cmocka_unit_test(frame__is_none_without_area_in_space_or_in_the_uvs),
      cmocka_unit_test(islands__end_at_seams_and_where_mirrored),
      cmocka_unit_test(islands__a_triangle_without_uv_area_is_one_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
