/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "geom/exact.h"

__extension__ typedef __int128 wide;

/* Coordinates that are whole numbers below 2^38: what a determinant of them comes to fits into 128
 * bits. */
typedef struct whole {
  int64_t at[3];
} whole;

static vec3 point(whole w) { return vec3_make((double)w.at[0], (double)w.at[1], (double)w.at[2]); }

static int sign_of_whole(const whole *w) {
  wide r[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) r[i][k] = (wide)w[i].at[k] - w[3].at[k];
  wide det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
             r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
             r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  return (det > 0) - (det < 0);
}

static whole random_whole(uint64_t *seed, double size) {
  whole w;
  for (int k = 0; k < 3; k++) w.at[k] = (int64_t)floor(claim_between(seed, -size, size));
  return w;
}

/* A fourth point in the plane of three, or a unit beside it. */
static void flatten(uint64_t *seed, whole *w) {
  int64_t s = (int64_t)claim_between(seed, -3, 4), t = (int64_t)claim_between(seed, -3, 4);
  for (int k = 0; k < 3; k++)
    w[3].at[k] = w[0].at[k] + s * (w[1].at[k] - w[0].at[k]) + t * (w[2].at[k] - w[0].at[k]);
  w[3].at[(int)claim_between(seed, 0, 3)] += (int64_t)claim_between(seed, -1, 2);
}

static int side(const whole *w, const int *order) {
  exact_point points[4];
  for (int i = 0; i < 4; i++) points[i] = (exact_point){point(w[order[i]]), 10 + order[i]};
  return exact_side(points);
}

static const int STRAIGHT[4] = {0, 1, 2, 3};

static void signs_are_those_of_whole_numbers(void **unused) {
  (void)unused;
  static const double sizes[] = {3, 1000, 0x1p34};
  uint64_t seed = 7;
  int flat = 0, zeros = 0;
  for (int i = 0; i < 30000; i++) {
    whole w[4];
    for (int k = 0; k < 4; k++) w[k] = random_whole(&seed, sizes[i % 3]);
    if (i % 2) flatten(&seed, w);
    int wanted = sign_of_whole(w);
    assert_int_equal(exact_orient(point(w[0]), point(w[1]), point(w[2]), point(w[3])), wanted);
    if (wanted) assert_int_equal(side(w, STRAIGHT), wanted);
    flat += i % 2;
    zeros += wanted == 0;
  }
  assert_true(flat > 10000 && zeros > 3000);
}

/* Far from the origin and thin, where doubles alone lose the sign. */
static void signs_hold_where_doubles_lose_them(void **unused) {
  (void)unused;
  vec3 a = {1e6 + 0.1, 1e6 + 0.2, 1e6}, b = {1e6 + 0.3, 1e6 + 0.7, 1e6};
  vec3 c = {1e6 + 0.9, 1e6 + 0.4, 1e6}, d = {1e6 + 0.4, 1e6 + 0.4, nextafter(1e6, 0)};
  vec3 e = {1e6 + 0.4, 1e6 + 0.4, nextafter(1e6, 2e6)};
  assert_int_equal(exact_orient(a, b, c, (vec3){1e6 + 0.4, 1e6 + 0.4, 1e6}), 0);
  assert_int_equal(exact_orient(a, b, c, d), -exact_orient(a, b, c, e));
  assert_int_not_equal(exact_orient(a, b, c, d), 0);
}

static int parity_of(const int *order) {
  int parity = 1;
  for (int i = 0; i < 4; i++)
    for (int k = i + 1; k < 4; k++)
      if (order[i] > order[k]) parity = -parity;
  return parity;
}

/* Also of four points at one place, on one line, in one plane. */
static void no_side_is_undecided_and_order_only_turns_it(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < 3000; i++) {
    whole w[4];
    for (int k = 0; k < 4; k++) w[k] = random_whole(&seed, 1 + i % 2);
    int straight = side(w, STRAIGHT);
    assert_true(straight == 1 || straight == -1);
    for (int n = 0; n < 256; n++) {
      int order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3}, seen = 0;
      for (int k = 0; k < 4; k++) seen |= 1 << order[k];
      if (seen == 15) assert_int_equal(side(w, order), straight * parity_of(order));
    }
  }
}

/* The perturbed points are points: the faces of a tetrahedron tell one inside from it, whichever
 * five places they have. Of the five volumes that five points make, signs cannot be arbitrary:
 * with barycentric coordinates l_i of point 4 in 0 to 3, which add up to 1, not all four may be
 * negative. */
static void five_perturbed_points_agree(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  for (int i = 0; i < 20000; i++) {
    whole w[5];
    for (int k = 0; k < 5; k++) w[k] = random_whole(&seed, 1 + i % 3);
    exact_point p[5];
    for (int k = 0; k < 5; k++) p[k] = (exact_point){point(w[k]), (k * 7 + i) % 5};
    const exact_point whole_one[4] = {p[0], p[1], p[2], p[3]};
    int all = exact_side(whole_one), positive = 0;
    for (int k = 0; k < 4; k++) {
      exact_point part[4] = {p[0], p[1], p[2], p[3]};
      part[k] = p[4];
      positive += exact_side(part) == all;
    }
    assert_true(positive > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(signs_are_those_of_whole_numbers),
                                     cmocka_unit_test(signs_hold_where_doubles_lose_them),
                                     cmocka_unit_test(no_side_is_undecided_and_order_only_turns_it),
                                     cmocka_unit_test(five_perturbed_points_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
