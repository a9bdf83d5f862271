/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paint: what an artist painted on the surface of an object: a structure, which is a direction
 * without a sign (wood grain, threads, a brush's strokes), and a multiplier of friction. (Erleben
 * et al. 2019, section 5.1.)
 *
 * Either comes from a map over the mesh's UVs or from numbers at its vertices. In a map, with r and
 * g its red and green and t, b the frame of the triangle at rest (geom/uv_frame.h),
 *
 *   s = (2r - 1) t + (2g - 1) b.
 *
 * s and -s are the same structure. So what is filtered and averaged is the grain, the vector
 * min(|s|, 1) (cos 2a, sin 2a) with a the angle of s in its frame: it is the same for both, and
 * the mean of two structures across each other is none. A grain shorter than PAINT_LEAST is no
 * structure; a longer one says where it runs, and its length nothing else.
 *
 * The structure is drawn on the matter. As t = a0 e1 + a1 e2 with the sides e1 = x1 - x0 and
 * e2 = x2 - x0 at rest, so it runs along a0 e1' + a1 e2' with the sides as they are now: stretch
 * and shear turn it as they turn a line drawn on the surface.
 */
#ifndef MODEL_PAINT_H
#define MODEL_PAINT_H

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"
#include "model/texture.h"
#include "tribo/scene.h"

#define PAINT_LEAST 0.1

/* The frame of a triangle as sums of its sides x1 - x0 and x2 - x0. */
typedef struct paint_axes {
  double t[2], b[2];
} paint_axes;

/* Of one object; a zeroed one is unpainted. Triangles are those of its outline (kinds/outline.h),
 * on its own vertices. */
typedef struct paint {
  const int32_t *triangles;
  size_t triangle_count;
  bool has_structure, has_friction;

  const double (*uv)[3][2]; /* of each triangle's corners; NULL: no map */
  const paint_axes *axes;   /* of each triangle; zero without a frame */
  const double (*grain)[3][2];
  const double (*grip)[3];     /* the grain and the multiplier at corners; NULL: without */
  texture structure, friction; /* maps: of grain, and of the multiplier */
  const int32_t *island;       /* frames of triangles with the same number may be compared */

  const int32_t *start, *corner; /* corners 3 t + k around vertex v: corner[start[v]] and on */
  tribo_paint report;
} paint;

/* `given`: the number of each of the outline's triangles among the object's own. All in `memory`.
 * Of an object that scene_add has checked. */
tribo_status paint_build(const tribo_object_def *def, const int32_t *triangles,
                         const int32_t *given, size_t triangle_count, arena *memory, paint *out,
                         tribo_error *err);

/* What a channel (TRIBO_CHANNEL_*) of a pixel holds, before maps.friction_scale. */
double paint_channel(const tribo_map_def *map, size_t pixel, int channel);

static inline bool paint_any(const paint *p) { return p->has_structure || p->has_friction; }

/* At a place inside a triangle, given by its barycentric coordinates: the grain in the triangle's
 * frame, zero when there is none; the multiplier, 1 when there is none. */
void paint_grain(const paint *p, size_t triangle, const double weight[3], double grain[2]);
double paint_grip(const paint *p, size_t triangle, const double weight[3]);

/* The grain of a triangle's frame on the triangle as it is now, given its sides x1 - x0 and x2 -
 * x0: a direction as long as the grain. Zero where the triangle has no frame. */
vec3 paint_carry(const paint *p, size_t triangle, const double grain[2], const vec3 sides[2]);

/* A mean of directions without sign in the plane across `normal`. */
typedef struct paint_mean {
  vec3 normal, e, f; /* unit, right-handed */
  double grain[2], weight;
} paint_mean;

paint_mean paint_mean_start(vec3 normal);

/* A direction in the plane across the unit normal `of`, turned into the mean's plane by the
 * smallest rotation; its length is that of its grain. */
void paint_mean_add(vec3 direction, vec3 of, double weight, paint_mean *mean);

/* Unit; zero when the mean's grain is shorter than PAINT_LEAST. */
vec3 paint_mean_direction(const paint_mean *mean);

typedef struct paint_value {
  vec3 structure; /* unit, across the normal; zero: none */
  double friction;
} paint_value;

static inline paint_value paint_none(void) { return (paint_value){{0, 0, 0}, 1}; }

/* At a vertex that touches something whose surface has the unit normal `normal`, towards the
 * vertex: the mean over the triangles around it, each weighted by its angle at the vertex and by
 * how flat it lies on the contact, max(0, -n . normal) with n its normal. So a corner of a box
 * feels with the side it stands on, not with those that stand upright. Where none faces the
 * contact, as on the other side of a sheet, the weight is |n . normal|. positions: of the object's
 * own vertices, now.
 */
paint_value paint_at_vertex(const paint *p, int32_t vertex, vec3 normal, const vec3 *positions);

/* At a place inside a triangle, with the triangle's sides as they are now; turned into the plane
 * across `normal`. */
paint_value paint_at_place(const paint *p, size_t triangle, const double weight[3],
                           const vec3 sides[2], vec3 normal);

#endif
