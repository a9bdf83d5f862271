/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/distance.h"

static uint64_t seed = 40961;

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

/* The foot is the closest point of a convex thing exactly when no corner lies beyond the plane
 * across q - foot: that needs no second way of finding it. */
static void claim_no_corner_beyond(vec3 q, vec3 foot, const vec3 *corners, int count, double size) {
  vec3 away = vec3_sub(q, foot);
  for (int i = 0; i < count; i++)
    claim_below(vec3_dot(away, vec3_sub(corners[i], foot)), 1e-14 * size * size);
}

static void claim_closest_on_triangle(vec3 q, const vec3 c[3], double size) {
  distance_foot f = distance_point_triangle(q, c);
  vec3 foot = {0, 0, 0};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    assert_true(f.weight[i] >= 0 && f.weight[i] <= 1);
    foot = vec3_madd(foot, f.weight[i], c[i]);
    sum += f.weight[i];
  }
  claim_near(sum, 1, 1e-15);
  claim_below(vec3_norm(vec3_sub(foot, f.foot)), 1e-14 * size);
  claim_near(sqrt(f.distance2), vec3_norm(vec3_sub(q, foot)), 1e-14 * size);
  claim_no_corner_beyond(q, f.foot, c, 3, size);
  int zeros = (f.weight[0] == 0) + (f.weight[1] == 0) + (f.weight[2] == 0);
  assert_int_equal(zeros, f.feature == DISTANCE_FACE ? 0 : f.feature >= DISTANCE_SIDE_01 ? 1 : 2);
  if (zeros == 2) assert_true(f.weight[f.feature] == 1);
  if (zeros == 1) assert_true(f.weight[(f.feature - DISTANCE_SIDE_01 + 2) % 3] == 0);
}

static void no_corner_lies_beyond_the_foot_on_a_triangle(void **state) {
  (void)state;
  static const double sizes[] = {1, 1e-40, 1e40};
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < 20000; i++) {
      vec3 c[3] = {random_point(sizes[s]), random_point(sizes[s]), random_point(sizes[s])};
      claim_closest_on_triangle(random_point(2 * sizes[s]), c, 4 * sizes[s]);
    }
}

static void every_feature_of_a_triangle_is_found_closest(void **state) {
  (void)state;
  const vec3 c[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  static const struct {
    vec3 q;
    distance_feature feature;
    double distance;
  } cases[] = {{{-1, -1, 0}, DISTANCE_CORNER_0, 1.4142135623730951},
               {{4, -1, 0}, DISTANCE_CORNER_1, 2.2360679774997898},
               {{-1, 3, 2}, DISTANCE_CORNER_2, 2.449489742783178},
               {{1, -1, 0}, DISTANCE_SIDE_01, 1},
               {{2, 2, 0}, DISTANCE_SIDE_12, 1.4142135623730951},
               {{-2, 1, 0}, DISTANCE_SIDE_20, 2},
               {{0.5, 0.5, -3}, DISTANCE_FACE, 3},
               {{0.5, 0.5, 0}, DISTANCE_FACE, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    distance_foot f = distance_point_triangle(cases[i].q, c);
    assert_int_equal(f.feature, cases[i].feature);
    claim_near(sqrt(f.distance2), cases[i].distance, 1e-15);
  }
}

/* Needles, caps, segments and points: thin by up to all sixteen digits. */
static void triangles_without_area_count_as_what_they_are(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    vec3 a = random_point(1), b = i % 5 ? random_point(1) : a, q = random_point(2);
    double thin = i % 3 ? pow(10, -claim_between(&seed, 3, 20)) : 0;
    vec3 along = distance_along(a, b, claim_between(&seed, -0.5, 1.5));
    vec3 c[3] = {a, b, vec3_madd(along, thin, random_point(1))};
    for (int turn = 0; turn < 3; turn++) {
      const vec3 turned[3] = {c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]};
      distance_foot f = distance_point_triangle(q, turned);
      assert_true(isfinite(f.distance2) && vec3_finite(f.foot));
      claim_no_corner_beyond(q, f.foot, turned, 3, 3e3);
    }
  }
}

static void no_end_lies_beyond_the_foot_on_a_segment(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    vec3 ends[2] = {random_point(1), random_point(1)}, q = random_point(2);
    if (i % 10 == 0) ends[1] = ends[0];
    double t, distance2 = distance_point_segment(q, ends[0], ends[1], &t);
    assert_true(t >= 0 && t <= 1);
    vec3 foot = distance_along(ends[0], ends[1], t);
    claim_near(distance2, vec3_norm2(vec3_sub(q, foot)), 0);
    claim_no_corner_beyond(q, foot, ends, 2, 4);
  }
}

static void claim_closest_of_edges(const vec3 a[2], const vec3 b[2], double size) {
  double s, t, distance2 = distance_edge_edge(a, b, &s, &t);
  assert_true(s >= 0 && s <= 1 && t >= 0 && t <= 1);
  vec3 on_a = distance_along(a[0], a[1], s), on_b = distance_along(b[0], b[1], t);
  claim_near(sqrt(distance2), vec3_norm(vec3_sub(on_a, on_b)), 1e-14 * size);
  claim_no_corner_beyond(on_b, on_a, a, 2, size);
  claim_no_corner_beyond(on_a, on_b, b, 2, size);
}

static void no_end_lies_beyond_the_feet_of_two_edges(void **state) {
  (void)state;
  static const double sizes[] = {1, 1e-40, 1e40};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 20000; i++) {
      double size = sizes[k];
      vec3 a[2] = {random_point(size), random_point(size)};
      vec3 b[2] = {random_point(size), random_point(size)};
      claim_closest_of_edges(a, b, 4 * size);
    }
}

/* Parallel to the last digit, nearly so, on one line, overlapping or not, and without length. */
static void parallel_edges_have_closest_points(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    vec3 a[2] = {random_point(1), random_point(1)}, along = vec3_sub(a[1], a[0]);
    double tilt = i % 2 ? pow(10, -claim_between(&seed, 6, 18)) : 0;
    vec3 aside = i % 3 ? random_point(1) : vec3_make(0, 0, 0);
    vec3 b[2];
    for (int e = 0; e < 2; e++) {
      b[e] = vec3_add(vec3_madd(a[0], claim_between(&seed, -2, 2), along), aside);
      b[e] = vec3_madd(b[e], tilt, random_point(1));
    }
    if (i % 7 == 0) a[1] = a[0];
    if (i % 11 == 0) b[1] = b[0];
    /* No pair of a thousand is nearer. */
    double s, t, distance2 = distance_edge_edge(a, b, &s, &t), least2 = INFINITY;
    for (int k = 0; k <= 1000; k++) {
      double place;
      least2 = fmin(least2, distance_point_segment(distance_along(a[0], a[1], k / 1000.0), b[0],
                                                   b[1], &place));
    }
    claim_below(sqrt(distance2), sqrt(least2) + 4e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_corner_lies_beyond_the_foot_on_a_triangle),
      cmocka_unit_test(every_feature_of_a_triangle_is_found_closest),
      cmocka_unit_test(triangles_without_area_count_as_what_they_are),
      cmocka_unit_test(no_end_lies_beyond_the_foot_on_a_segment),
      cmocka_unit_test(no_end_lies_beyond_the_feet_of_two_edges),
      cmocka_unit_test(parallel_edges_have_closest_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
