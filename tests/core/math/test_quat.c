/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/quat.h"

#include "claims.h"

static const double PI = 3.14159265358979323846;

static vec3 random_point(uint64_t *seed, double size) {
  double x = claim_between(seed, -size, size), y = claim_between(seed, -size, size);
  return vec3_make(x, y, claim_between(seed, -size, size));
}

static quat random_turn(uint64_t *seed) { return quat_exp(random_point(seed, 3)); }

static double apart(vec3 a, vec3 b) { return vec3_max_abs(vec3_sub(a, b)); }

/* By Rodrigues' formula. */
static vec3 rodrigues(vec3 axis, double angle, vec3 p) {
  double c = cos(angle), s = sin(angle);
  vec3 sum = vec3_madd(vec3_scale(c, p), s, vec3_cross(axis, p));
  return vec3_madd(sum, (1 - c) * vec3_dot(axis, p), axis);
}

static void exp__turns_about_the_axis_by_the_angle(void **unused) {
  (void)unused;
  uint64_t seed = 1;
  for (int i = 0; i < 200; i++) {
    vec3 axis = vec3_normalized(random_point(&seed, 1)), p = random_point(&seed, 2);
    double angle = i % 5 == 0 ? claim_between(&seed, 0, 1e-7) : claim_between(&seed, -9, 9);
    vec3 turned = quat_rotate(quat_exp(vec3_scale(angle, axis)), p);
    claim_below(apart(turned, rodrigues(axis, angle, p)), 1e-14);
  }
  assert_true(quat_exp(vec3_make(0, 0, 0)).w == 1);
}

static void log__is_the_way_back_from_exp_at_every_angle(void **unused) {
  (void)unused;
  uint64_t seed = 2;
  static const double angles[] = {0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.5, 2, 3.1, 3.14159};
  for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
    for (int i = 0; i < 20; i++) {
      vec3 r = vec3_scale(angles[a], vec3_normalized(random_point(&seed, 1)));
      claim_below(apart(quat_log(quat_exp(r)), r), 1e-15 * angles[a] * 4);
    }
}

static void log__takes_the_shorter_way_round(void **unused) {
  (void)unused;
  vec3 r = quat_log(quat_exp(vec3_make(0, 0, 1.5 * PI)));
  claim_near(r.z, -0.5 * PI, 1e-15);
  quat q = quat_exp(vec3_make(0.3, 0, 0)), minus = {-q.w, -q.x, -q.y, -q.z};
  claim_below(apart(quat_log(q), quat_log(minus)), 0);
}

static void product__is_one_turn_after_the_other_and_the_conjugate_undoes_it(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < 100; i++) {
    quat a = random_turn(&seed), b = random_turn(&seed);
    vec3 p = random_point(&seed, 2);
    claim_below(apart(quat_rotate(quat_multiply(a, b), p), quat_rotate(a, quat_rotate(b, p))),
                1e-14);
    claim_below(apart(quat_unrotate(a, quat_rotate(a, p)), p), 1e-14);
  }
}

static void matrix__turns_like_the_quaternion_and_gives_it_back(void **unused) {
  (void)unused;
  uint64_t seed = 4;
  for (int i = 0; i < 400; i++) {
    /* Near half turns about each axis too, where one component or three are near 0. */
    vec3 axis = i % 4 == 0   ? vec3_make(1, 1e-9, 0)
                : i % 4 == 1 ? vec3_make(0, 1, 1e-9)
                : i % 4 == 2 ? vec3_make(1e-9, 0, 1)
                             : random_point(&seed, 1);
    quat q = quat_exp(vec3_scale(claim_between(&seed, 3, 3.3), vec3_normalized(axis)));
    vec3 p = random_point(&seed, 1);
    mat3 r = quat_to_matrix(q);
    claim_below(apart(mat3_mul_vec3(&r, p), quat_rotate(q, p)), 1e-14);
    claim_below(apart(quat_rotate(quat_from_matrix(&r), p), quat_rotate(q, p)), 1e-14);
  }
  mat3 one = mat3_identity();
  quat identity = quat_from_matrix(&one);
  assert_memory_equal(&identity, (&(quat){1, 0, 0, 0}), sizeof identity);
}

static void slerp__goes_at_constant_speed_along_the_shorter_arc(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  for (int i = 0; i < 100; i++) {
    quat a = random_turn(&seed), b = random_turn(&seed);
    if (i % 2) b = (quat){-b.w, -b.x, -b.y, -b.z};
    vec3 way = quat_log(quat_multiply(b, quat_conjugate(a)));
    assert_true(vec3_norm(way) <= PI + 1e-15);
    for (double t = 0; t <= 1; t += 0.25) {
      vec3 part = quat_log(quat_multiply(quat_slerp(a, b, t), quat_conjugate(a)));
      claim_below(apart(part, vec3_scale(t, way)), 1e-13);
    }
  }
}

/* exp(r + d) exp(r)^-1 = exp(J d): differences of fourth order, error (1e-3)^4 against rounding. */
static void left_jacobian__agrees_with_finite_differences(void **unused) {
  (void)unused;
  uint64_t seed = 6;
  static const double sizes[] = {0, 1e-9, 1e-4, 0.1, 0.499, 0.501, 2, 3.1, 5};
  static const double offsets[4] = {1, -1, 2, -2}, weights[4] = {8, -8, -1, 1}, step = 1e-3;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int column = 0; column < 3; column++) {
      vec3 r = vec3_scale(sizes[s], vec3_normalized(random_point(&seed, 1)));
      mat3 jacobian = quat_left_jacobian(r);
      vec3 slope = {0, 0, 0};
      for (int k = 0; k < 4; k++) {
        vec3 moved = r;
        (&moved.x)[column] += offsets[k] * step;
        vec3 turned = quat_log(quat_multiply(quat_exp(moved), quat_conjugate(quat_exp(r))));
        slope = vec3_madd(slope, weights[k] / (12 * step), turned);
      }
      claim_below(apart(slope, mat3_column(&jacobian, column)), 1e-11);
    }
}

/* J r = r: about its own axis a rotation vector turns by what it grows. To rounding, also where the
 * formula divides small numbers by small ones. */
static void left_jacobian__leaves_the_axis_alone(void **unused) {
  (void)unused;
  uint64_t seed = 9;
  for (double size = 1e-12; size < 10; size *= 1.7) {
    vec3 axis = vec3_normalized(random_point(&seed, 1));
    mat3 jacobian = quat_left_jacobian(vec3_scale(size, axis));
    claim_below(apart(mat3_mul_vec3(&jacobian, axis), axis), 1e-14);
    /* Across it, it turns and shrinks by 2 sin(a/2) / a. */
    vec3 across = vec3_normalized(vec3_cross(axis, random_point(&seed, 1)));
    claim_near(vec3_norm(mat3_mul_vec3(&jacobian, across)), fabs(2 * sin(size / 2) / size), 1e-14);
  }
}

static void map__there_and_back_is_where_it_was(void **unused) {
  (void)unused;
  uint64_t seed = 7;
  for (int i = 0; i < 100; i++) {
    rigid_map m = {random_turn(&seed), claim_between(&seed, 0.1, 9), random_point(&seed, 3)};
    vec3 p = random_point(&seed, 1);
    claim_below(apart(rigid_map_unapply(&m, rigid_map_apply(&m, p)), p), 1e-13);
  }
}

static void matrix_of(const rigid_map *m, double out[16]) {
  mat3 r = quat_to_matrix(m->turn);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) out[4 * i + j] = m->scale * r.m[i][j];
    out[4 * i + 3] = (&m->shift.x)[i];
    out[12 + i] = 0;
  }
  out[15] = 1;
}

static void map__of_a_matrix_does_what_the_matrix_does(void **unused) {
  (void)unused;
  uint64_t seed = 8;
  for (int i = 0; i < 200; i++) {
    rigid_map given = {random_turn(&seed), claim_between(&seed, 1e-3, 9), random_point(&seed, 3)};
    if (i % 2) given.scale = 1;
    double matrix[16];
    matrix_of(&given, matrix);
    double tolerance = 1e-13;
    if (i % 4 == 3) { /* through single precision */
      for (int k = 0; k < 16; k++) matrix[k] = (float)matrix[k];
      tolerance = 1e-6;
    }
    rigid_map found;
    assert_true(rigid_map_from_matrix(matrix, &found));
    vec3 p = random_point(&seed, 1);
    claim_below(apart(rigid_map_apply(&found, p), rigid_map_apply(&given, p)), tolerance);
  }
  static const double identity[16] = {1, 0, 0, 4, 0, 1, 0, 5, 0, 0, 1, 6, 0, 0, 0, 1};
  rigid_map shift;
  assert_true(rigid_map_from_matrix(identity, &shift));
  assert_memory_equal(&shift, (&(rigid_map){{1, 0, 0, 0}, 1, {4, 5, 6}}), sizeof shift);
}

static void map__refuses_what_does_not_keep_shapes(void **unused) {
  (void)unused;
  static const struct {
    int place;
    double value;
  } changes[] = {{0, -1}, {0, 0}, {0, 1.001}, {1, 0.001}, {5, -1}, {12, 0.1}, {15, 2}, {3, NAN}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    matrix[changes[i].place] = changes[i].value;
    rigid_map unwanted;
    assert_false(rigid_map_from_matrix(matrix, &unwanted));
  }
}

static void map__halfway_is_half_of_each_part(void **unused) {
  (void)unused;
  rigid_map a = {quat_exp(vec3_make(0, 0, 0.2)), 1, {1, 0, 0}};
  rigid_map b = {quat_exp(vec3_make(0, 0, 1.2)), 3, {3, 2, 0}};
  rigid_map half = rigid_map_interpolate(&a, &b, 0.5);
  claim_below(apart(quat_log(half.turn), vec3_make(0, 0, 0.7)), 1e-15);
  claim_near(half.scale, 2, 0);
  claim_below(apart(half.shift, vec3_make(2, 1, 0)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp__turns_about_the_axis_by_the_angle),
      cmocka_unit_test(log__is_the_way_back_from_exp_at_every_angle),
      cmocka_unit_test(log__takes_the_shorter_way_round),
      cmocka_unit_test(product__is_one_turn_after_the_other_and_the_conjugate_undoes_it),
      cmocka_unit_test(matrix__turns_like_the_quaternion_and_gives_it_back),
      cmocka_unit_test(slerp__goes_at_constant_speed_along_the_shorter_arc),
      cmocka_unit_test(left_jacobian__agrees_with_finite_differences),
      cmocka_unit_test(left_jacobian__leaves_the_axis_alone),
      cmocka_unit_test(map__there_and_back_is_where_it_was),
      cmocka_unit_test(map__of_a_matrix_does_what_the_matrix_does),
      cmocka_unit_test(map__refuses_what_does_not_keep_shapes),
      cmocka_unit_test(map__halfway_is_half_of_each_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
