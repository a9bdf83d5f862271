/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * comb_map: a mesh and the texels of a picture over its UVs: which triangle a texel belongs to, and
 * which point of the surface it shows.
 *
 * Texel (x, y) is counted from the lower left, as Blender keeps pictures; its middle is at
 * u = (x + 1/2) / width, v = (y + 1/2) / height. It belongs to the triangle that is nearest to its
 * middle in the picture, within COMB_MARGIN texels: so every island has a margin, and bilinear
 * filtering finds on the island's border what is painted on the island. A texel of the margin shows
 * the closest point of its triangle. Where islands lie on each other in the UVs a texel shows
 * several points; each of them can be painted.
 */
#ifndef NATIVE_COMB_MAP_H
#define NATIVE_COMB_MAP_H

#include "geom/mesh_distance.h"
#include "math/vec3.h"

enum { COMB_MARGIN = 4, COMB_MOST_PIXELS = 8192 };

/* As maps.wrap: whether the picture repeats beyond 0 to 1. AUTO: where any UV is outside. */
typedef enum comb_wrap { COMB_WRAP_AUTO, COMB_WRAP_REPEAT, COMB_WRAP_CLAMP } comb_wrap;

typedef struct comb_mesh {
  const vec3 *positions; /* in the space in which the core sees them: the world */
  size_t vertex_count;
  const int32_t *triangles;
  size_t triangle_count;
  const double *uvs; /* u and v of each corner of each triangle */
} comb_mesh;

typedef struct comb_map {
  int32_t width, height;
  bool repeat, stacked; /* stacked: some texels lie in several triangles */
  comb_mesh mesh;       /* copied */
  mesh_distance surface;
  int32_t *owner;  /* a texel; -1: no triangle is near */
  size_t unmapped; /* triangles without area in the UVs or in space: nothing to paint on */
} comb_map;

/* A triangle with its picture: place (x, y), in texels, is the point origin + x dx + y dy. */
typedef struct comb_patch {
  vec3 corner[3]; /* on the surface */
  vec3 texel[3];  /* the same in the picture, z = 0 */
  vec3 origin, dx, dy;
  vec3 grow_x, grow_y; /* how x and y grow on the surface */
  vec3 t, b, normal;   /* of geom/uv_frame.h; the normal by the winding */
  double side[3][3]; /* side[k] . (x, y, 1): how far inside the side opposite corner k, in texels */
} comb_patch;

/* A box of texels, the ends included; empty where low > high. */
typedef struct comb_box {
  double low[2], high[2];
} comb_box;

/* What of the surface is seen in a texel. */
typedef struct comb_texel {
  size_t index; /* y width + x */
  vec3 point;
} comb_texel;

/* Fails with the object's fault: sizes, a UV that is not finite, UVs that tile without end. */
tribo_status comb_map_build(const comb_mesh *mesh, int32_t width, int32_t height, comb_wrap wrap,
                            arena *memory, comb_map *out, tribo_error *err);

/* False where the triangle has no area, in the UVs or in space. */
bool comb_map_patch(const comb_map *map, size_t triangle, comb_patch *out);

/* How far inside the triangle a place of the picture is, in texels: the least of the three sides.
 */
double comb_map_depth(const comb_patch *patch, double x, double y);

/* All that belongs to the triangle, margin included. */
comb_box comb_map_box(const comb_patch *patch);

/* Whether the triangle shows itself in the texel with column x and row y, which may lie beyond the
 * picture where it repeats. */
bool comb_map_texel(const comb_map *map, size_t triangle, const comb_patch *patch, int32_t x,
                    int32_t y, comb_texel *out);

/* The first and last whole texel whose middles are in the box, along one side. */
static inline int32_t comb_first(double low) { return (int32_t)ceil(low - 0.5); }
static inline int32_t comb_last(double high) { return (int32_t)floor(high - 0.5); }

#endif
