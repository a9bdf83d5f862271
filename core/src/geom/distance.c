/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/distance.h"

/* Below this ratio of squared doubled area to the squared longest sides, the inside of a triangle
 * is compared with its sides instead of being trusted: the direction of its normal is then good to
 * eight digits only. */
static const double thin2 = 1e-16;

double distance_point_segment(vec3 q, vec3 a, vec3 b, double *t) {
  vec3 along = vec3_sub(b, a), from_a = vec3_sub(q, a);
  double length2 = vec3_norm2(along), ahead = vec3_dot(from_a, along);
  *t = ahead > 0 ? (ahead < length2 ? ahead / length2 : 1) : 0;
  return vec3_norm2(vec3_sub(q, distance_along(a, b, *t)));
}

static distance_foot foot_on_side(const vec3 c[3], int side, double t, double distance2) {
  int next = side == 2 ? 0 : side + 1;
  distance_foot f = {distance2, distance_along(c[side], c[next], t), {0}, DISTANCE_FACE};
  f.weight[side] = 1 - t;
  f.weight[next] = t;
  int feature = t == 0   ? DISTANCE_CORNER_0 + side
                : t == 1 ? DISTANCE_CORNER_0 + next
                         : DISTANCE_SIDE_01 + side;
  f.feature = (distance_feature)feature;
  return f;
}

/* The nearest of the sides that are asked for. */
static distance_foot nearest_side(vec3 q, const vec3 c[3], const bool asked[3]) {
  int nearest = 0;
  double best2 = INFINITY, best_t = 0;
  for (int side = 0; side < 3; side++) {
    if (!asked[side]) continue;
    double t, distance2 = distance_point_segment(q, c[side], c[side == 2 ? 0 : side + 1], &t);
    if (distance2 < best2) {
      best2 = distance2;
      best_t = t;
      nearest = side;
    }
  }
  return foot_on_side(c, nearest, best_t, best2);
}

distance_foot distance_point_triangle(vec3 q, const vec3 c[3]) {
  vec3 e1 = vec3_sub(c[1], c[0]), e2 = vec3_sub(c[2], c[0]), r = vec3_sub(q, c[0]);
  vec3 normal = vec3_cross(e1, e2);
  double area2 = vec3_norm2(normal);
  bool thin = !(area2 > thin2 * vec3_norm2(e1) * vec3_norm2(e2));
  /* Areas opposite to corners 1 and 2, seen along the normal; the third is what is left. */
  double w1 = vec3_dot(vec3_cross(r, e2), normal), w2 = vec3_dot(vec3_cross(e1, r), normal);
  double w0 = area2 - w1 - w2, scale = 1 / area2;
  bool inside = w0 > 0 && w1 > 0 && w2 > 0 && isfinite(scale);
  distance_foot face = {INFINITY, c[0], {w0 * scale, w1 * scale, w2 * scale}, DISTANCE_FACE};
  if (inside) {
    face.foot = vec3_madd(vec3_madd(c[0], face.weight[1], e1), face.weight[2], e2);
    face.distance2 = vec3_norm2(vec3_sub(q, face.foot));
    if (!thin) return face;
  }
  /* The foot of a point outside lies on a side that has it in front. */
  bool all = thin || inside || !isfinite(scale);
  const bool asked[3] = {all || !(w2 > 0), all || !(w0 > 0), all || !(w1 > 0)};
  distance_foot side = nearest_side(q, c, asked);
  return face.distance2 < side.distance2 ? face : side;
}

static void keep_nearer(double distance2, double s, double t, double *best2, double *best_s,
                        double *best_t) {
  if (!(distance2 < *best2)) return;
  *best2 = distance2;
  *best_s = s;
  *best_t = t;
}

double distance_edge_edge(const vec3 a[2], const vec3 b[2], double *s, double *t) {
  double best2 = INFINITY;
  *s = *t = 0;
  for (int end = 0; end < 2; end++) {
    double place, distance2 = distance_point_segment(a[end], b[0], b[1], &place);
    keep_nearer(distance2, end, place, &best2, s, t);
    distance2 = distance_point_segment(b[end], a[0], a[1], &place);
    keep_nearer(distance2, place, end, &best2, s, t);
  }
  vec3 u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), r = vec3_sub(b[0], a[0]);
  vec3 normal = vec3_cross(u, v);
  double place = vec3_dot(vec3_cross(r, v), normal) / vec3_norm2(normal);
  if (!(place > 0 && place < 1)) return best2;
  /* Of nearly parallel edges the place is rough, but not the distance found from it: the error is
   * along the edges. */
  double opposite;
  distance_point_segment(distance_along(a[0], a[1], place), b[0], b[1], &opposite);
  double distance2 =
      distance_point_segment(distance_along(b[0], b[1], opposite), a[0], a[1], &place);
  keep_nearer(distance2, place, opposite, &best2, s, t);
  return best2;
}
