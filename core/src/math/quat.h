/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quat: unit quaternions for orientations, and maps of space that keep shapes.
 *
 * A rotation vector is axis times angle, in radians; quat_exp and quat_log go between the two. A
 * quaternion and its negative are the same orientation.
 */
#ifndef MATH_QUAT_H
#define MATH_QUAT_H

#include "math/mat3.h"

/* w + x i + y j + z k */
typedef struct quat {
  double w, x, y, z;
} quat;

static inline quat quat_identity(void) { return (quat){1, 0, 0, 0}; }
static inline quat quat_conjugate(quat q) { return (quat){q.w, -q.x, -q.y, -q.z}; }

static inline double quat_norm2(quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }

/* First b, then a. */
static inline quat quat_multiply(quat a, quat b) {
  return (quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* The caller makes sure that q is not 0. */
static inline quat quat_normalized(quat q) {
  double s = 1 / sqrt(quat_norm2(q));
  return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* Dividing by the length keeps p's length to rounding without a bias, which q's own rounding would
 * give it: thousands of turns there and back must not wear it down. */
static inline vec3 quat_rotate(quat q, vec3 p) {
  vec3 u = {q.x, q.y, q.z};
  vec3 t = vec3_scale(2 / quat_norm2(q), vec3_cross(u, p));
  return vec3_add(vec3_madd(p, q.w, t), vec3_cross(u, t));
}

/* Back again. */
static inline vec3 quat_unrotate(quat q, vec3 p) { return quat_rotate(quat_conjugate(q), p); }

mat3 quat_to_matrix(quat q);

/* r: a rotation; what rounding has added to it goes into a length that is taken out again. */
quat quat_from_matrix(const mat3 *r);

quat quat_exp(vec3 rotation);

/* Of the two ways round the shorter one: at most pi long. */
vec3 quat_log(quat q);

/* From a to b at constant speed, along the shorter arc; a itself at t = 0. */
quat quat_slerp(quat a, quat b, double t);

/* J with exp(r + d) = exp(J d) exp(r) to first order in d: how a change of the rotation vector
 * turns space, seen from the world. The identity at r = 0; singular at full turns. */
mat3 quat_left_jacobian(vec3 rotation);

/* p -> scale turn p + shift: what a transform without shear and mirror is. */
typedef struct rigid_map {
  quat turn;
  double scale;
  vec3 shift;
} rigid_map;

static inline vec3 rigid_map_apply(const rigid_map *m, vec3 p) {
  return vec3_madd(m->shift, m->scale, quat_rotate(m->turn, p));
}

static inline vec3 rigid_map_unapply(const rigid_map *m, vec3 p) {
  return vec3_scale(1 / m->scale, quat_unrotate(m->turn, vec3_sub(p, m->shift)));
}

/* Rotation along the shorter arc, scale and shift linearly. */
rigid_map rigid_map_interpolate(const rigid_map *a, const rigid_map *b, double t);

/* From a 4x4 matrix, row-major. False when it is not finite, has shear, mirrors, scales its axes
 * unequally, flattens, or has a last row other than 0 0 0 1; equality to 1e-5, for matrices that
 * came through single precision. */
bool rigid_map_from_matrix(const double matrix[16], rigid_map *out);

#endif
