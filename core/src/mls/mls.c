/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls/mls.h"

#include <assert.h>

enum { GRAIN = 1024 };

static tribo_status create(mls_kernel kernel, double epsilon, size_t count, arena *memory,
                           mls_surface *out, tribo_error *err) {
  if (kernel != MLS_CUBIC && !(epsilon >= MLS_EPSILON_MIN && epsilon <= MLS_EPSILON_MAX))
    return status_fail(err, TRIBO_BAD_INPUT, "epsilon is %g; it must be from %g to %g", epsilon,
                       MLS_EPSILON_MIN, MLS_EPSILON_MAX);
  *out = (mls_surface){.kernel = kernel,
                       .epsilon = epsilon,
                       .count = count,
                       .samples = ARENA_ARRAY(memory, mls_sample, count),
                       .radii = ARENA_ARRAY(memory, double, count)};
  if (!out->samples || !out->radii) return status_no_memory(err, "the samples of a surface");
  return TRIBO_OK;
}

/* Centroid and normal (4.1.2): (p1 - p2) x (p1 - p3) is (p2 - p1) x (p3 - p1). */
static bool take_sample(const vec3 x[3], double radius, mls_sample *s) {
  vec3 e1 = vec3_sub(x[1], x[0]), e2 = vec3_sub(x[2], x[0]), e3 = vec3_sub(x[2], x[1]);
  vec3 across = vec3_cross(e1, e2);
  double area = vec3_norm(across);
  double side2 = fmax(vec3_norm2(e1), fmax(vec3_norm2(e2), vec3_norm2(e3)));
  bool flat = !(area > MLS_FLAT * side2);
  s->point = vec3_madd(x[0], 1.0 / 3, vec3_add(e1, e2));
  s->normal = flat ? (vec3){0, 0, 0} : vec3_scale(1 / area, across);
  s->radius = flat ? 0 : radius;
  return !flat;
}

static void corners(const int32_t *triangle, const vec3 *vertices, vec3 x[3]) {
  for (int k = 0; k < 3; k++) x[k] = vertices[triangle[k]];
}

static void update_range(void *context, size_t begin, size_t end) {
  mls_surface *surface = context;
  for (size_t i = begin; i < end; i++) {
    vec3 x[3];
    corners(surface->triangles + 3 * i, surface->vertices, x);
    take_sample(x, surface->radii[i], &surface->samples[i]);
  }
}

size_t mls_update(const tasks *t, const vec3 *vertices, mls_surface *surface) {
  assert(surface->triangles);
  surface->vertices = vertices;
  tasks_for(t, surface->count, GRAIN, update_range, surface);
  size_t flat = 0;
  for (size_t i = 0; i < surface->count; i++) flat += !(vec3_norm2(surface->samples[i].normal) > 0);
  return flat;
}

tribo_status mls_from_triangles(mls_kernel kernel, double epsilon, const int32_t *triangles,
                                size_t count, const vec3 *vertices, arena *memory, mls_surface *out,
                                tribo_error *err) {
  TRY(create(kernel, epsilon, count, memory, out, err));
  out->triangles = triangles;
  out->vertices = vertices;
  update_range(out, 0, count);
  return TRIBO_OK;
}

tribo_status mls_from_points(mls_kernel kernel, double epsilon, const vec3 *points,
                             const vec3 *normals, const double *values, size_t count, arena *memory,
                             mls_surface *out, tribo_error *err) {
  TRY(create(kernel, epsilon, count, memory, out, err));
  for (size_t i = 0; i < count; i++) {
    double length = vec3_norm(normals[i]);
    if (!vec3_finite(points[i]) || !(length > 0) || !isfinite(length) ||
        (values && !isfinite(values[i])))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "sample %zu needs a finite point and value, and a normal with a direction",
                         i);
    out->samples[i] = (mls_sample){.point = points[i],
                                   .normal = vec3_scale(1 / length, normals[i]),
                                   .value = values ? values[i] : 0};
  }
  return TRIBO_OK;
}

static bool counts(const mls_surface *surface, size_t i) {
  return vec3_norm2(surface->samples[i].normal) > 0;
}

static tribo_status set_radii(const double *spacing, double scale, mls_surface *surface,
                              tribo_error *err) {
  surface->reach = 0;
  for (size_t i = 0; i < surface->count; i++) {
    double radius = spacing ? scale * spacing[i] : scale;
    if (!(radius >= MLS_RADIUS_MIN && radius <= MLS_RADIUS_MAX))
      return status_fail(err, TRIBO_BAD_INPUT, "the radius of sample %zu is %g", i, radius);
    surface->radii[i] = radius;
    surface->samples[i].radius = counts(surface, i) ? radius : 0;
    surface->reach = fmax(surface->reach, radius);
  }
  return TRIBO_OK;
}

tribo_status mls_set_radius(double radius, mls_surface *surface, tribo_error *err) {
  return set_radii(NULL, radius, surface, err);
}

tribo_status mls_set_radii(const double *spacing, double scale, mls_surface *surface,
                           tribo_error *err) {
  return set_radii(spacing, scale, surface, err);
}

void mls_spacing_of_mesh(const mls_surface *surface, double *spacing) {
  assert(surface->triangles);
  for (size_t i = 0; i < surface->count; i++) {
    vec3 x[3];
    corners(surface->triangles + 3 * i, surface->vertices, x);
    spacing[i] = 0;
    for (int k = 0; k < 3; k++)
      spacing[i] = fmax(spacing[i], vec3_norm(vec3_sub(x[k], surface->samples[i].point)));
  }
}
