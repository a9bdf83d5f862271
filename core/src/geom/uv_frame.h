/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uv_frame: which way u and v run on the triangles of a mesh, and which triangles lie together in
 * the UV plane.
 *
 * On a triangle X(u, v) is linear: its sides are E = [dX/du dX/dv] D, with D the sides in the UV
 * plane, so [dX/du dX/dv] = E D^-1. The frame is t = dX/du made unit, and b the part of dX/dv
 * across t made unit: t runs with u exactly, b is across it on the side where v grows. So b is
 * n x t, and where the island is mirrored (det D < 0) it is -n x t: what is painted along +v runs
 * along growing v everywhere. The frame's definition depends on no neighbour, and on no corner of
 * the triangle being the first.
 */
#ifndef GEOM_UV_FRAME_H
#define GEOM_UV_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

/* Below this share of the longest side squared an area is lost to rounding. */
#define UV_FRAME_FLAT 1e-10

typedef struct uv_frame {
  vec3 t, b; /* unit, across each other, in the plane of the triangle */
  bool mirrored;
} uv_frame;

/* False, with zero directions, where the triangle has no area in space or in the UV plane. uv: u
 * and v of each corner. */
bool uv_frame_of(const vec3 corners[3], const double uv[6], uv_frame *out);

/* Islands: triangles belong together where they share an edge whose two ends have the same UVs, to
 * the bit, in both, and both are mirrored or neither is. Within an island frames change smoothly
 * with the surface; across its border, a seam, they may not be compared. Every island gets the
 * number of its first triangle; a triangle without area in the UV plane is one by itself. Returns
 * the number of islands in *count. */
tribo_status uv_frame_islands(const int32_t *triangles, const double *uvs, size_t triangle_count,
                              arena *memory, int32_t **islands, size_t *count, tribo_error *err);

#endif
