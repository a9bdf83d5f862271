/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds/rod_shape.h"

#include <math.h>

#include "model/rod_hold.h"

static const double PI = 3.14159265358979323846;

tribo_status rod_shape_strands(const tribo_object_def *def, arena *memory, strands *out,
                               tribo_error *err) {
  strands_fault fault;
  return strands_find(def->segments, def->segment_count, def->vertex_count, memory, out, &fault,
                      err);
}

double rod_shape_section(double radius) { return PI * radius * radius; }

void rod_shape_segment(const tribo_object_def *def, const strands *all, size_t s, size_t i,
                       vec3 out[2]) {
  for (size_t k = 0; k < 2; k++)
    out[k] = vec3_from(def->positions + 3 * (size_t)strands_point(all, s, i + k));
}

static double length_of(const tribo_object_def *def, const strands *all, size_t s, size_t i) {
  vec3 p[2];
  rod_shape_segment(def, all, s, i, p);
  return vec3_norm(vec3_sub(p[1], p[0]));
}

double rod_shape_radius(const tribo_object_def *def, const strands *all, size_t s, size_t i) {
  const tribo_rod_params *p = &def->rod;
  if (all->ring[s] || p->taper == 1) return p->radius;
  double before = 0, whole = 0;
  for (size_t k = 0; k < strands_segments(all, s); k++) {
    double length = length_of(def, all, s, k);
    if (k < i) before += length;
    if (k == i) before += length / 2;
    whole += length;
  }
  return p->radius * (1 + (p->taper - 1) * before / whole);
}

/* A unit vector across t: the axis that is farthest from it, made perpendicular. */
static vec3 across(vec3 t) {
  double x = fabs(t.x), y = fabs(t.y), z = fabs(t.z);
  vec3 axis = z <= x && z <= y ? vec3_make(0, 0, 1)
              : y <= x         ? vec3_make(0, 1, 0)
                               : vec3_make(1, 0, 0);
  return vec3_normalized(vec3_madd(axis, -vec3_dot(axis, t), t));
}

void rod_shape_directors(const tribo_object_def *def, const strands *all, size_t s, vec3 *out) {
  vec3 before = {0, 0, 0}, d = {0, 0, 0};
  for (size_t i = 0; i < strands_segments(all, s); i++) {
    vec3 p[2];
    rod_shape_segment(def, all, s, i, p);
    vec3 t = vec3_normalized(vec3_sub(p[1], p[0]));
    d = i == 0 ? across(t) : rod_hold_carried(before, t, d);
    d = vec3_normalized(vec3_madd(d, -vec3_dot(d, t), t)); /* of rounding */
    out[i] = vec3_scale(rod_shape_radius(def, all, s, i), d);
    before = t;
  }
}

/* The gauge of a director is as stiff as stretching would be if only a quarter of it were there: of
 * the order of twisting, G J / (L r^2) = G pi r^2 / (2 L). */
rod_stretch rod_shape_stretch(const tribo_rod_params *p, double radius, double length,
                              double painted) {
  double axial = painted * p->young * rod_shape_section(radius);
  return (rod_stretch){.stiffness = p->stretch * axial,
                       .length = length,
                       .radius = radius,
                       .gauge = 0.25 * axial / length};
}

rod_bend rod_shape_bend(const tribo_rod_params *p, const double radius[2], const bool held[2],
                        const vec3 rest[5], double painted) {
  double r = (radius[0] + radius[1]) / 2, r4 = r * r * r * r, length = 0;
  for (int k = 0; k < 2; k++)
    if (!held[k] || held[1 - k]) length += vec3_norm(vec3_sub(rest[k + 1], rest[k])) / 2;
  double bending = p->bend * painted * p->young * PI * r4 / 4 / length;
  double shear = p->young / (2 * (1 + p->poisson));
  rod_bend out = {
      .stiffness = {p->twist * painted * shear * PI * r4 / 2 / length, bending, bending}};
  if (p->rest == TRIBO_ROD_REST_STRAIGHT) return out;
  vec3 k = rod_curvature(rest);
  out.rest[0] = k.x;
  out.rest[1] = k.y;
  out.rest[2] = k.z;
  return out;
}

double rod_shape_mass(const tribo_object_def *def, const strands *all) {
  double sum = 0;
  for (size_t s = 0; s < all->count; s++)
    for (size_t i = 0; i < strands_segments(all, s); i++) {
      double r = rod_shape_radius(def, all, s, i);
      sum += def->rod.density * rod_shape_section(r) * length_of(def, all, s, i);
    }
  return sum;
}
