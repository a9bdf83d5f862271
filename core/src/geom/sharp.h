/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sharp: the edges and corners with which a mesh pokes through whatever is laid over it.
 *
 * An edge is sharp when its two triangles, seen from outside, turn away from each other by more
 * than SHARP_ANGLE; a corner when all edges around it fall away from it, and three of them are
 * sharp or the angles of its triangles lack more than that to a full turn. So points on a straight
 * edge are no corners, the tip of a cone is one, and a finely cut sphere has neither. Outside is
 * where triangles have their front. Edges with one triangle, or more than two, count for nothing.
 *
 * What is found is a list of places of the mesh, numbered anew, with edges and corners in terms of
 * them: that is all one needs to know where they are once the mesh has moved.
 */
#ifndef GEOM_SHARP_H
#define GEOM_SHARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

#define SHARP_ANGLE 0.35 /* radians, 20 degrees */

typedef struct sharp_edge {
  int32_t place[4]; /* the ends, and the third corners of the triangles: as in topology_hinges */
} sharp_edge;

typedef struct sharp_parts {
  int32_t *vertices; /* of the mesh, one a place */
  size_t place_count;
  sharp_edge *edges;
  size_t edge_count;
  int32_t *corners; /* places */
  size_t corner_count;
  int32_t *around_start, *around; /* places around corner k: around[around_start[k]] and on */
} sharp_parts;

tribo_status sharp_find(const vec3 *points, size_t point_count, const int32_t *triangles,
                        size_t triangle_count, arena *memory, sharp_parts *out, tribo_error *err);

/* The unit normals of an edge's two triangles; places: where the places are. False where the edge
 * is not convex, or a triangle has no area. */
bool sharp_normals(const sharp_edge *edge, const vec3 *places, vec3 normals[2]);

#endif
