/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * surface_mesh: the surfaces of all objects as one mesh: vertices, edges and triangles of cloth, of
 * the skins of solids, of surfaces in lattices, of rigid bodies and of colliders, and the segments
 * of rods.
 *
 * A part is one object. Parts that are simulated stand before colliders, and so do their vertices,
 * edges and triangles; all have mesh-wide numbers. Vertices are those that triangles have. The mesh
 * itself is constant: where its vertices are is asked for (surface_mesh_place), how they hang on
 * nodes as well (surface_mesh_row, model/kinematics.h).
 *
 * Areas are those at rest, m^2: a vertex has a third of each of its triangles, an edge as well, so
 * that vertices, edges and triangles each add up to the area of the part.
 *
 * A segment of a rod is an edge, and a triangle a b b: to a vertex it is as near as one. Its area
 * is that of its outline, twice the thickness wide (a tenth of its length at least); vertices have
 * half of each of theirs. Places of one strand that are no farther apart along it than `along` are
 * neighbours, which do not meet: bent as far as it goes, a rod would else push itself straight.
 *
 * What can be met first. Of a part that keeps its shape (collider without samples of its vertices,
 * rigid body) an edge between two coplanar triangles never is: who touches the flat polygon around
 * it touches it with a vertex, or at the polygon's rim. Nor is, where the part is closed, the
 * bottom of a valley. Neither is a vertex all of whose edges are such. Contacts with them would
 * add up to bumps in what is flat, so they take no part in forces (`edge_met`, `vertex_met`). They
 * do in collision detection.
 */
#ifndef PROXIMITY_SURFACE_MESH_H
#define PROXIMITY_SURFACE_MESH_H

#include "model/kinematics.h"
#include "model/model.h"

typedef struct surface_part {
  const char *name;
  size_t object;
  int32_t body, collider; /* one of the two; the other is -1 */
  int32_t first_vertex, vertex_count;
  int32_t first_edge, edge_count;
  int32_t first_triangle, triangle_count;
  double thickness; /* m: others keep this distance */
  double spacing;   /* mean length of the edges at rest, m */
  double area;      /* at rest, m^2 */
  bool deforms;     /* its shape changes: it may meet itself, if it is simulated */
  bool lines;       /* a rod */
  double along;     /* of a rod, m: so near along a strand are neighbours */
  bool closed;      /* every edge has two triangles that run along it against each other */
} surface_part;

typedef struct surface_mesh {
  const model *model;
  surface_part *parts;
  int32_t part_count;
  int32_t vertex_count, edge_count, triangle_count;
  int32_t body_vertices, body_edges, body_triangles; /* of parts that are simulated: the first */
  int32_t *part;                                     /* of each vertex */
  int32_t *own;                                      /* of each vertex: its number in the object */
  int32_t *same;      /* of each vertex: the first of its part at the same place at rest */
  int32_t *strand;    /* of each vertex of a rod, else -1; */
  double *arc;        /* how far along it, at rest, m; */
  double *around;     /* and the length of a ring, infinite of others */
  int32_t *edges;     /* two vertices each, the lower first */
  int32_t *triangles; /* three each */
  double *vertex_area, *edge_area, *triangle_area;
  bool *vertex_met, *edge_met;
  vec3 *rest; /* of bodies at the first frame, of colliders in their own frame */
} surface_mesh;

/* All objects with a surface or with probes, in `memory`; the model must outlive the mesh. */
tribo_status surface_mesh_build(const model *m, arena *memory, surface_mesh *out, tribo_error *err);

/* Where the vertices of bodies are with the nodes at x (model/kinematics.h); colliders' stay. */
void surface_mesh_place(const surface_mesh *mesh, const tasks *t, const vec3 *x, const quat *turns,
                        vec3 *out);

/* Where the vertices of colliders are at a time, seconds since the first frame; bodies' stay.
 * scratch: as many as the largest collider has vertices. */
void surface_mesh_place_colliders(const surface_mesh *mesh, const tasks *t, double seconds,
                                  vec3 *scratch, vec3 *out);

/* Whether a part is there at a time. */
bool surface_mesh_present(const surface_mesh *mesh, int32_t part, double seconds);

/* How a vertex of a body moves: d p = sum block_k d x[node_k] (model/kinematics.h). */
enum { MESH_ROW_MOST = 4 };
typedef struct mesh_row {
  int count;
  int32_t node[MESH_ROW_MOST];
  mat3 block[MESH_ROW_MOST];
} mesh_row;

/* How a vertex of a body that stands at `at` moves with the nodes. */
mesh_row surface_mesh_row(const surface_mesh *mesh, const vec3 *x, int32_t vertex, vec3 at);

/* Vertices of the largest collider: what surface_mesh_place_colliders needs. */
size_t surface_mesh_scratch(const surface_mesh *mesh);

static inline int32_t surface_mesh_part_of_edge(const surface_mesh *m, int32_t edge) {
  return m->part[m->edges[2 * (size_t)edge]];
}
static inline int32_t surface_mesh_part_of_triangle(const surface_mesh *m, int32_t triangle) {
  return m->part[m->triangles[3 * (size_t)triangle]];
}

#endif
