/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * primitive: planes, spheres, capsules and boxes, with their signed distance, its gradient and the
 * foot, defined everywhere; and the primitive that a mesh was meant to be.
 *
 * Where several feet are equally near, one is chosen by rule: at a sphere's centre the one along
 * +z of the frame, on a capsule's axis +x, between the sides of a box the first of x, y, z and the
 * positive side. Distances are negative inside; a hollow primitive is touched from within, and
 * distance and normal have the other sign.
 */
#ifndef GEOM_PRIMITIVE_H
#define GEOM_PRIMITIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "math/mat3.h"

typedef enum primitive_kind {
  PRIMITIVE_PLANE,   /* z = 0 of the frame, without end, the front towards +z */
  PRIMITIVE_SPHERE,  /* radius */
  PRIMITIVE_CAPSULE, /* radius around the segment from -half.z to half.z on the axis z */
  PRIMITIVE_BOX      /* half: from -half to half */
} primitive_kind;

typedef struct primitive {
  primitive_kind kind;
  vec3 centre;
  mat3 axes; /* columns: the frame's axes in the world, right-handed */
  double radius;
  vec3 half;
  bool hollow;
} primitive;

typedef struct primitive_foot {
  double distance;
  vec3 normal; /* unit, the gradient of the distance */
  vec3 foot;
} primitive_foot;

primitive_foot primitive_distance(const primitive *p, vec3 q);

/* The primitive of that kind that fits a mesh, and the largest distance of a vertex from it: the
 * caller decides how much of that passes for what the artist meant.
 *
 *   plane    least squares through the vertices, the front where the triangles have theirs
 *   sphere   least squares of the vertices' distances
 *   capsule  the same, beginning from the principal axis
 *   box      axes from the normals with the most area, tight extents
 *
 * Sphere, capsule and box are hollow when the triangles face inward. Only vertices that belong to
 * triangles count; the caller has checked the indices. Fails, saying why, where the mesh cannot be
 * of that kind: fewer vertices than it takes, all in a line, in a plane, no front. */
tribo_status primitive_fit(primitive_kind kind, const vec3 *points, size_t point_count,
                           const int32_t *triangles, size_t triangle_count, primitive *out,
                           double *worst, tribo_error *err);

#endif
