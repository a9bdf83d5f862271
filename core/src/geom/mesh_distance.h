/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mesh_distance: the exact signed distance to a mesh of triangles, with the foot and the gradient.
 *
 * The sign is that of (q - foot) . N, N being the pseudo-normal of the closest face, edge or
 * vertex: the face's normal, the sum of the normals of the two faces, or the normals of all faces
 * around the vertex weighted by their angle there. For a closed mesh that is proved right
 * everywhere (Baerentzen and Aanaes, "Signed distance computation using the angle weighted
 * pseudonormal", 2005). For an open mesh the sign says on which side of the closest feature a point
 * lies; where the foot is on the rim, `rim` says so, and docs/distance.md what is seen of it.
 *
 * Vertices at the same place, to the bit, when the mesh is built count as one: seams of UVs do not
 * open a mesh. Triangles without area count as the segments and points that they are, and add
 * nothing to pseudo-normals; where a foot has nothing but such triangles around, the distance is
 * not negative.
 */
#ifndef GEOM_MESH_DISTANCE_H
#define GEOM_MESH_DISTANCE_H

#include <stdbool.h>

#include "geom/bvh.h"
#include "geom/distance.h"

typedef struct mesh_foot {
  double distance; /* negative behind the surface */
  vec3 normal;     /* unit, the gradient of the distance: (q - foot) / distance; the pseudo-normal
                      where the distance is lost in rounding */
  vec3 foot;
  int32_t triangle; /* of equally near ones the first; -1: nothing within reach */
  double weight[3]; /* foot = sum of weight times corner */
  distance_feature feature;
  bool rim; /* the foot is on an edge that has one triangle only, or at the end of one */
} mesh_foot;

/* Read the first four; the rest is private. A zeroed one is a valid, empty mesh. */
typedef struct mesh_distance {
  size_t triangle_count;
  size_t rim_edges; /* 0: closed */
  size_t
      crossed_edges; /* two triangles wound against each other, or more than two: no sides there */
  size_t flat_triangles; /* without area, as last fitted */
  bvh tree;
  const int32_t *triangles; /* in the order of the tree, of the mesh's own vertices */
  vec3 (*corners)[3];       /* the same, where they are */
  vec3 *face_normals;       /* by triangle as given; zero without area */
  double (*angles)[3];      /* by triangle as given, at its corners */
  int32_t (*sides)[3];      /* by triangle as given: the edges of its sides */
  bvh_box *boxes;
  const int32_t *given; /* the triangles as given, copied */

  size_t edge_count, place_count; /* edges, and vertices that differ in place */
  vec3 *edge_normals, *place_normals;
  bool *edge_rim, *place_rim;
  int32_t *edge_start, *edge_corner;   /* corners (3 triangle + side) of each edge */
  int32_t *place_start, *place_corner; /* and of each place */
  int32_t *place_of_corner;
} mesh_distance;

/* Copies what it needs. Fails when memory runs out, a vertex is not finite or an index is none. */
tribo_status mesh_distance_build(const tasks *t, const vec3 *points, size_t point_count,
                                 const int32_t *triangles, size_t triangle_count, arena *memory,
                                 mesh_distance *out, tribo_error *err);

/* The same triangles, the vertices moved (all finite). Allocates nothing. */
void mesh_distance_refit(const tasks *t, const vec3 *points, mesh_distance *m);

/* False, with out->triangle = -1, when no triangle is within reach (which may be infinite). */
bool mesh_distance_query(const mesh_distance *m, vec3 q, double reach, mesh_foot *out);

/* Many at a time: reach[i] for queries[i]. */
void mesh_distance_batch(const tasks *t, const mesh_distance *m, const vec3 *queries,
                         const double *reach, size_t count, mesh_foot *out);

#endif
