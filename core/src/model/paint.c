/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/paint.h"

#include <string.h>

#include "math/hypotenuse.h"
#include "mls/mls_transport.h"

/* ---- grains ---------------------------------------------------------------------------------- */

static double length2(const double grain[2]) { return hypotenuse(grain[0], grain[1]); }

/* cos a and sin a from cos 2a and sin 2a times any length above 0; of the two angles the one in
 * (-pi/2, pi/2]. */
static void halve(const double grain[2], double out[2]) {
  double length = length2(grain), c = grain[0] / length, s = grain[1] / length;
  if (c >= 0) {
    out[0] = sqrt((1 + c) / 2);
    out[1] = s / (2 * out[0]);
  } else {
    out[1] = s < 0 ? -sqrt((1 - c) / 2) : sqrt((1 - c) / 2);
    out[0] = s / (2 * out[1]);
  }
}

static void uv_at(const paint *p, size_t triangle, const double weight[3], double uv[2]) {
  for (size_t c = 0; c < 2; c++) {
    uv[c] = 0;
    for (size_t k = 0; k < 3; k++) uv[c] += weight[k] * p->uv[triangle][k][c];
  }
}

void paint_grain(const paint *p, size_t triangle, const double weight[3], double grain[2]) {
  grain[0] = grain[1] = 0;
  if (!p->has_structure) return;
  if (p->structure.texels) {
    double uv[2];
    uv_at(p, triangle, weight, uv);
    texture_sample(&p->structure, uv[0], uv[1], grain);
    return;
  }
  for (size_t k = 0; k < 3; k++)
    for (size_t c = 0; c < 2; c++) grain[c] += weight[k] * p->grain[triangle][k][c];
}

double paint_grip(const paint *p, size_t triangle, const double weight[3]) {
  if (!p->has_friction) return 1;
  double grip[TEXTURE_DEPTH] = {0};
  if (p->friction.texels) {
    double uv[2];
    uv_at(p, triangle, weight, uv);
    texture_sample(&p->friction, uv[0], uv[1], grip);
  } else {
    for (size_t k = 0; k < 3; k++) grip[0] += weight[k] * p->grip[triangle][k];
  }
  return grip[0];
}

static bool has_frame(const paint *p, size_t triangle) {
  const double *t = p->axes[triangle].t;
  return t[0] != 0 || t[1] != 0;
}

vec3 paint_carry(const paint *p, size_t triangle, const double grain[2], const vec3 sides[2]) {
  double length = length2(grain), half[2];
  if (!(length > 0) || !has_frame(p, triangle)) return vec3_make(0, 0, 0);
  halve(grain, half);
  const paint_axes *a = &p->axes[triangle];
  double by0 = half[0] * a->t[0] + half[1] * a->b[0], by1 = half[0] * a->t[1] + half[1] * a->b[1];
  vec3 now = vec3_madd(vec3_scale(by0, sides[0]), by1, sides[1]);
  return vec3_scale(length, vec3_normalized(now));
}

/* ---- means ----------------------------------------------------------------------------------- */

paint_mean paint_mean_start(vec3 normal) {
  vec3 axis = fabs(normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
  vec3 e = vec3_normalized(vec3_sub(axis, vec3_scale(vec3_dot(axis, normal), normal)));
  return (paint_mean){.normal = normal, .e = e, .f = vec3_cross(normal, e)};
}

void paint_mean_add(vec3 direction, vec3 of, double weight, paint_mean *mean) {
  mean->weight += weight;
  double length = vec3_norm(direction);
  if (!(length > 0)) return;
  if (vec3_dot(of, mean->normal) < 0) of = vec3_scale(-1, of); /* a plane has no front */
  mat3 turn = mls_rotation(of, mean->normal);
  vec3 turned = mat3_mul_vec3(&turn, direction);
  double x = vec3_dot(turned, mean->e), y = vec3_dot(turned, mean->f), r2 = x * x + y * y;
  if (!(r2 > 0)) return;
  mean->grain[0] += weight * length * (x * x - y * y) / r2;
  mean->grain[1] += weight * length * 2 * x * y / r2;
}

vec3 paint_mean_direction(const paint_mean *mean) {
  if (!(mean->weight > 0) || !(length2(mean->grain) >= PAINT_LEAST * mean->weight))
    return vec3_make(0, 0, 0);
  double half[2];
  halve(mean->grain, half);
  return vec3_normalized(vec3_madd(vec3_scale(half[0], mean->e), half[1], mean->f));
}

/* ---- places ---------------------------------------------------------------------------------- */

paint_value paint_at_place(const paint *p, size_t triangle, const double weight[3],
                           const vec3 sides[2], vec3 normal) {
  paint_value value = {.friction = paint_grip(p, triangle, weight)};
  if (!p->has_structure) return value;
  double grain[2];
  paint_grain(p, triangle, weight, grain);
  paint_mean mean = paint_mean_start(normal);
  vec3 of = vec3_normalized(vec3_cross(sides[0], sides[1]));
  paint_mean_add(paint_carry(p, triangle, grain, sides), of, 1, &mean);
  value.structure = paint_mean_direction(&mean);
  return value;
}

/* A corner of a triangle as a vertex that touches something sees it. */
typedef struct corner_view {
  size_t triangle, k;
  vec3 sides[2], normal; /* sides from the triangle's first corner */
  double angle, facing;  /* at the vertex; minus the cosine to the contact's normal */
} corner_view;

static corner_view view_corner(const paint *p, int32_t corner, vec3 normal, const vec3 *positions) {
  corner_view v = {.triangle = (size_t)corner / 3, .k = (size_t)corner % 3};
  const int32_t *t = p->triangles + 3 * v.triangle;
  vec3 x[3];
  for (int i = 0; i < 3; i++) x[i] = positions[t[i]];
  v.sides[0] = vec3_sub(x[1], x[0]);
  v.sides[1] = vec3_sub(x[2], x[0]);
  vec3 a = vec3_sub(x[(v.k + 1) % 3], x[v.k]), b = vec3_sub(x[(v.k + 2) % 3], x[v.k]);
  vec3 across = vec3_cross(a, b);
  v.normal = vec3_normalized(across);
  v.angle = atan2(vec3_norm(across), vec3_dot(a, b));
  v.facing = -vec3_dot(v.normal, normal);
  return v;
}

/* How much a corner counts: those that face the contact; where none does, as flat as they lie;
 * where all stand upright, all. */
typedef enum paint_view { VIEW_FACING, VIEW_FLAT, VIEW_ALL } paint_view;

static double share(const corner_view *v, paint_view view) {
  switch (view) {
    case VIEW_FACING: return v->angle * fmax(0, v->facing);
    case VIEW_FLAT: return v->angle * fabs(v->facing);
    case VIEW_ALL: break;
  }
  return v->angle;
}

static paint_view choose_view(const paint *p, int32_t vertex, vec3 normal, const vec3 *positions) {
  double all[3] = {0};
  for (int32_t i = p->start[vertex]; i < p->start[vertex + 1]; i++) {
    corner_view v = view_corner(p, p->corner[i], normal, positions);
    for (int view = VIEW_FACING; view <= VIEW_ALL; view++) all[view] += share(&v, (paint_view)view);
  }
  const double some = 1e-6 * all[VIEW_ALL];
  return all[VIEW_FACING] > some ? VIEW_FACING : all[VIEW_FLAT] > some ? VIEW_FLAT : VIEW_ALL;
}

paint_value paint_at_vertex(const paint *p, int32_t vertex, vec3 normal, const vec3 *positions) {
  paint_view view = choose_view(p, vertex, normal, positions);
  paint_mean mean = paint_mean_start(normal);
  double grip = 0, weights = 0;
  for (int32_t i = p->start[vertex]; i < p->start[vertex + 1]; i++) {
    corner_view v = view_corner(p, p->corner[i], normal, positions);
    double weight = share(&v, view);
    weights += weight;
    if (p->has_friction) grip += weight * p->grip[v.triangle][v.k];
    if (!p->has_structure || !has_frame(p, v.triangle)) continue;
    vec3 along = paint_carry(p, v.triangle, p->grain[v.triangle][v.k], v.sides);
    paint_mean_add(along, v.normal, weight, &mean);
  }
  paint_value value = paint_none();
  value.structure = paint_mean_direction(&mean);
  if (p->has_friction && weights > 0) value.friction = grip / weights;
  return value;
}
