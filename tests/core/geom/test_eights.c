/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/distance.h"
#include "geom/eights.h"
#include "math/vec3.h"

enum { ROUNDS = 20000 };

static uint64_t seed = 31415;

static vec3 random_vec(double size) {
  double x = claim_between(&seed, -size, size), y = claim_between(&seed, -size, size);
  return vec3_make(x, y, claim_between(&seed, -size, size));
}

static void set_lane(vec3 from, int lane, double to[3][EIGHT]) {
  to[0][lane] = from.x;
  to[1][lane] = from.y;
  to[2][lane] = from.z;
}

/* Whether two edges, measured, are closest within both, at most so far apart and askew enough. */
static bool pass(const vec3 a[2], const vec3 b[2], double most, double sine, double slack) {
  double s, t, distance2 = distance_edge_edge(a, b, &s, &t);
  vec3 u = vec3_sub(a[1], a[0]), w = vec3_sub(b[1], b[0]);
  bool askew = vec3_norm(vec3_cross(u, w)) >= (1 - slack) * sine * vec3_norm(u) * vec3_norm(w);
  bool within = s > -slack && s < 1 + slack && t > -slack && t < 1 + slack;
  if (slack == 0) within = s != 0 && s != 1 && t != 0 && t != 1;
  return within && askew && distance2 <= (1 + slack) * most * most;
}

/* Flat ones among them, as cloth has them. */
static void edges__that_pass_each_other_are_told_and_hardly_others(void **unused) {
  (void)unused;
  int passed = 0, told = 0, loose = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double height = round % 3 ? 1 : 0;
    vec3 a[2] = {random_vec(1), random_vec(1)}, b[EIGHT][2];
    eight_edges edges;
    for (int k = 0; k < 2; k++) a[k].z *= height;
    for (int l = 0; l < EIGHT; l++) {
      b[l][0] = random_vec(1), b[l][1] = random_vec(1);
      for (int k = 0; k < 2; k++) b[l][k].z *= height;
      set_lane(b[l][0], l, edges.a);
      set_lane(vec3_sub(b[l][1], b[l][0]), l, edges.u);
      edges.length2[l] = vec3_norm2(vec3_sub(b[l][1], b[l][0]));
      edges.number[l] = l;
      edges.end[0][l] = 2 * l;
      edges.end[1][l] = 2 * l + 1;
    }
    vec3 u = vec3_sub(a[1], a[0]);
    one_edge q = {{a[0].x, a[0].y, a[0].z}, {u.x, u.y, u.z}, vec3_norm2(u), 6, {6, 90}, 0.3, 0.2};
    unsigned bits = eights_best()->crossed(&edges, &q);
    for (int l = 0; l < EIGHT; l++) {
      bool asked = l < 6 && l != 3, bit = bits >> l & 1; /* 3 has an end in common */
      if (!asked) assert_false(bit);
      if (asked && pass(a, b[l], 0.3, 0.2, 0)) assert_true(bit), passed++;
      told += bit;
      loose += bit && !pass(a, b[l], 0.3, 0.2, 1e-5);
    }
  }
  assert_true(passed > ROUNDS / 20);
  assert_true(told < passed + 3 && loose == 0);
}

static void triangles__in_reach_are_told_and_few_others(void **unused) {
  (void)unused;
  int near = 0, told = 0;
  for (int round = 0; round < ROUNDS; round++) {
    vec3 at = random_vec(1), c[EIGHT][3];
    eight_triangles triangles;
    for (int l = 0; l < EIGHT; l++) {
      for (int k = 0; k < 3; k++) c[l][k] = random_vec(1);
      if (round % 10 == 0) c[l][2] = vec3_madd(c[l][0], 0.3, vec3_sub(c[l][1], c[l][0])); /* thin */
      if (round % 10 == 1) at.z = c[l][0].z = c[l][1].z = c[l][2].z = 0;
      set_lane(c[l][0], l, triangles.c);
      set_lane(vec3_sub(c[l][1], c[l][0]), l, triangles.u);
      set_lane(vec3_sub(c[l][2], c[l][0]), l, triangles.w);
    }
    one_point q = {.at = {at.x, at.y, at.z}};
    for (int l = 0; l < EIGHT; l++) q.most2[l] = 0.2F * 0.2F;
    unsigned bits = eights_best()->touched(&triangles, &q);
    for (int l = 0; l < EIGHT; l++) {
      bool in_reach = distance_point_triangle(at, c[l]).distance2 <= (double)(0.2F * 0.2F);
      bool bit = bits >> l & 1;
      if (in_reach) assert_true(bit);
      near += in_reach;
      told += bit && round % 10 != 0;
    }
  }
  assert_true(near > ROUNDS / 2 && told < 2 * near);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges__that_pass_each_other_are_told_and_hardly_others),
      cmocka_unit_test(triangles__in_reach_are_told_and_few_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
