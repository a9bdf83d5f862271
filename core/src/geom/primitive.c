/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/primitive.h"

#include "math/hypotenuse.h"

/* All in the frame of the primitive, as if it were solid. */

static primitive_foot round_foot(vec3 q, vec3 core, double radius, vec3 by_rule) {
  vec3 away = vec3_sub(q, core);
  /* hypotenuse, as squares of very small or large differences would not do. */
  double length = hypotenuse(hypotenuse(away.x, away.y), away.z);
  vec3 normal = length > 0 ? vec3_make(away.x / length, away.y / length, away.z / length) : by_rule;
  return (primitive_foot){length - radius, normal, vec3_madd(core, radius, normal)};
}

static double clamped(double x, double limit) {
  return x < -limit ? -limit : x > limit ? limit : x;
}

static primitive_foot box_foot(vec3 q, vec3 half) {
  vec3 inside = {clamped(q.x, half.x), clamped(q.y, half.y), clamped(q.z, half.z)};
  if (inside.x != q.x || inside.y != q.y || inside.z != q.z)
    return round_foot(q, inside, 0, vec3_make(0, 0, 1));
  const double at[3] = {q.x, q.y, q.z}, side[3] = {half.x, half.y, half.z};
  int axis = 0;
  for (int a = 1; a < 3; a++)
    if (side[a] - fabs(at[a]) < side[axis] - fabs(at[axis])) axis = a;
  double normal[3] = {0}, foot[3] = {at[0], at[1], at[2]};
  normal[axis] = at[axis] < 0 ? -1 : 1;
  foot[axis] = normal[axis] * side[axis];
  return (primitive_foot){fabs(at[axis]) - side[axis], vec3_from(normal), vec3_from(foot)};
}

static primitive_foot foot_in_frame(const primitive *p, vec3 q) {
  switch (p->kind) {
    case PRIMITIVE_PLANE: return (primitive_foot){q.z, vec3_make(0, 0, 1), vec3_make(q.x, q.y, 0)};
    case PRIMITIVE_SPHERE: return round_foot(q, vec3_make(0, 0, 0), p->radius, vec3_make(0, 0, 1));
    case PRIMITIVE_CAPSULE:
      return round_foot(q, vec3_make(0, 0, clamped(q.z, p->half.z)), p->radius, vec3_make(1, 0, 0));
    case PRIMITIVE_BOX: break;
  }
  return box_foot(q, p->half);
}

primitive_foot primitive_distance(const primitive *p, vec3 q) {
  primitive_foot f = foot_in_frame(p, mat3_tmul_vec3(&p->axes, vec3_sub(q, p->centre)));
  f.normal = mat3_mul_vec3(&p->axes, f.normal);
  f.foot = vec3_add(p->centre, mat3_mul_vec3(&p->axes, f.foot));
  if (p->hollow) {
    f.distance = -f.distance;
    f.normal = vec3_scale(-1, f.normal);
  }
  return f;
}
