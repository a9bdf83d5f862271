/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/quat.h"

mat3 quat_to_matrix(quat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                 {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                 {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

/* Each component squared is a sum of diagonal entries; dividing by the largest of the four keeps
 * all digits. */
quat quat_from_matrix(const mat3 *r) {
  const double(*m)[3] = r->m;
  double trace = m[0][0] + m[1][1] + m[2][2];
  quat q;
  if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2])
    q = (quat){1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
  else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2])
    q = (quat){m[2][1] - m[1][2], 1 + 2 * m[0][0] - trace, m[0][1] + m[1][0], m[0][2] + m[2][0]};
  else if (m[1][1] >= m[2][2])
    q = (quat){m[0][2] - m[2][0], m[0][1] + m[1][0], 1 + 2 * m[1][1] - trace, m[1][2] + m[2][1]};
  else
    q = (quat){m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 + 2 * m[2][2] - trace};
  return quat_normalized(q);
}

/* sin(a/2) / a, which has no digits to lose */
static double half_sine(double angle) { return angle > 0 ? sin(angle / 2) / angle : 0.5; }

quat quat_exp(vec3 rotation) {
  double angle = vec3_norm(rotation), s = half_sine(angle);
  return (quat){cos(angle / 2), s * rotation.x, s * rotation.y, s * rotation.z};
}

vec3 quat_log(quat q) {
  double sign = q.w < 0 ? -1 : 1;
  vec3 axis = {sign * q.x, sign * q.y, sign * q.z};
  double sine = vec3_norm(axis);
  return vec3_scale(sine > 0 ? 2 * atan2(sine, sign * q.w) / sine : 2, axis);
}

quat quat_slerp(quat a, quat b, double t) {
  vec3 way = quat_log(quat_multiply(b, quat_conjugate(a)));
  return quat_multiply(quat_exp(vec3_scale(t, way)), a);
}

/* 1 + (1 - cos a)/a^2 [r] + (1 - sin a / a)/a^2 [r]^2, [r] being the cross product with r. The last
 * factor loses digits as a goes to 0, but [r]^2 goes with a^2, so that the product is good to
 * rounding; below 1e-8 there is nothing of it left. */
mat3 quat_left_jacobian(vec3 r) {
  double a = vec3_norm(r), s = half_sine(a);
  mat3 cross = {{{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}}};
  mat3 square = mat3_mul(&cross, &cross), sum = mat3_identity();
  mat3 first = mat3_scale(2 * s * s, &cross);
  mat3 second = mat3_scale(a > 1e-8 ? (1 - sin(a) / a) / (a * a) : 0, &square);
  sum = mat3_add(&sum, &first);
  return mat3_add(&sum, &second);
}

rigid_map rigid_map_interpolate(const rigid_map *a, const rigid_map *b, double t) {
  return (rigid_map){.turn = quat_slerp(a->turn, b->turn, t),
                     .scale = a->scale + t * (b->scale - a->scale),
                     .shift = vec3_madd(a->shift, t, vec3_sub(b->shift, a->shift))};
}

bool rigid_map_from_matrix(const double matrix[16], rigid_map *out) {
  static const double TOLERANCE = 1e-5;
  for (int i = 0; i < 16; i++)
    if (!isfinite(matrix[i])) return false;
  for (int i = 12; i < 16; i++)
    if (fabs(matrix[i] - (i == 15 ? 1 : 0)) > TOLERANCE) return false;

  mat3 linear;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) linear.m[i][j] = matrix[4 * i + j];
  double scale = cbrt(mat3_det(&linear));
  if (!(scale > 0) || !isfinite(scale)) return false;
  linear = mat3_scale(1 / scale, &linear);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double product = vec3_dot(mat3_column(&linear, i), mat3_column(&linear, j));
      if (!(fabs(product - (i == j ? 1 : 0)) <= TOLERANCE)) return false;
    }
  *out = (rigid_map){quat_from_matrix(&linear), scale, {matrix[3], matrix[7], matrix[11]}};
  return true;
}
