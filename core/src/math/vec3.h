/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vec3: points and directions, by value. An array of vec3 is an array of doubles, three a point.
 */
#ifndef MATH_VEC3_H
#define MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

typedef struct vec3 {
  double x, y, z;
} vec3;

static inline vec3 vec3_make(double x, double y, double z) { return (vec3){x, y, z}; }
static inline vec3 vec3_from(const double *p) { return (vec3){p[0], p[1], p[2]}; }
static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec3_scale(double s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }

/* a + s b */
static inline vec3 vec3_madd(vec3 a, double s, vec3 b) {
  return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec3 vec3_cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_norm2(vec3 a) { return vec3_dot(a, a); }
static inline double vec3_norm(vec3 a) { return sqrt(vec3_dot(a, a)); }

/* The zero vector stays zero: the caller decides whether that is a fault. */
static inline vec3 vec3_normalized(vec3 a) {
  double length = vec3_norm(a);
  return length > 0 ? vec3_scale(1 / length, a) : a;
}

static inline double vec3_max_abs(vec3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }
static inline bool vec3_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
