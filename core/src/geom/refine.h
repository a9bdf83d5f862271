/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * refine: a mesh with triangles small enough to sample. A floor of two triangles, or a box of
 * twelve, gives a smooth surface too few samples to stand on; cutting its triangles evenly gives
 * more without changing the shape.
 */
#ifndef GEOM_REFINE_H
#define GEOM_REFINE_H

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

typedef struct refined {
  size_t vertex_count, triangle_count;
  vec3 *vertices;
  int32_t *triangles;
  int32_t (*parent)[3]; /* the vertices of the mesh that each new one lies between, */
  double (*weight)[3]; /* and its barycentric coordinates, in the order of its triangle's corners */
  int32_t *source;     /* the triangle that each new one is a part of; all NULL: nothing was cut */
} refined;

/* Cuts every triangle with a side longer than `spacing` into k^2 like itself, k as small as it may
 * be; 0: copies. Refuses what would take more than REFINE_MOST triangles. */
enum { REFINE_MOST = 2000000 };
tribo_status refine_mesh(const char *name, const vec3 *vertices, size_t vertex_count,
                         const int32_t *triangles, size_t triangle_count, double spacing,
                         arena *memory, refined *out, tribo_error *err);

#endif
