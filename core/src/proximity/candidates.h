/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * candidates: which vertices may come near which triangles, and which edges which edges.
 *
 * Two of a mesh (proximity/surface_mesh.h) are candidates when they come closer than the sum of
 * their parts' reaches at any moment of a motion in which every vertex moves straight from `from`
 * to `to`; the static question has both the same. More may be found, never less.
 *
 * Broad phase: hierarchies of boxes with a box of motions beside each (geom/bvh_moving.h), one for
 * bodies and one for colliders, so that cloth which moves as a whole does not look at itself, and
 * colliders not at each other. Then, pair by pair, the boxes of the ways relative to the pair's
 * mean motion, and the distance less the largest relative motion.
 *
 * Left out, by data: pairs that share a vertex, or vertices at one place of a part, or are near
 * each other along a strand; parts that may not meet; parts that are absent; pairs of which nothing
 * can move (`held`); pairs that are excluded by name. The lists are sorted by (a, b), and the same
 * for any number of threads.
 */
#ifndef PROXIMITY_CANDIDATES_H
#define PROXIMITY_CANDIDATES_H

#include "base/array.h"
#include "geom/bvh_moving.h"
#include "proximity/surface_mesh.h"

/* A vertex and a triangle; or two edges, a < b. */
typedef struct candidate {
  int32_t a, b;
} candidate;

typedef struct candidates_filter {
  const double *reach; /* of each part, m */
  const bool *apart;   /* part_count^2: the two never meet; NULL: bodies meet all but rigid ones
                          themselves, colliders meet bodies */
  const bool *absent;  /* of each part; NULL: all are there */
  const bool *held;    /* of each vertex: its motion is given; NULL: those of colliders are */
  const bool *lost;    /* vertex_count x part_count: the vertex and the part do not see each other;
                          NULL: all do */
  const candidate *excluded_faces, *excluded_edges; /* sorted */
  size_t excluded_face_count, excluded_edge_count;
} candidates_filter;

typedef struct candidate_span {
  candidate *data;
  size_t count, capacity;
} candidate_span;

typedef struct candidates {
  const surface_mesh *mesh;
  bvh_motion *motion;            /* of vertices */
  bvh_moving faces[2], edges[2]; /* of bodies, of colliders */
  candidate_span found_faces, found_edges;
  candidate_span *chunks; /* what each chunk of askers found */
  size_t chunk_count;
} candidates;

/* The trees stand in `memory`; the lists have their own. */
tribo_status candidates_create(const surface_mesh *mesh, arena *memory, candidates *out,
                               tribo_error *err);
void candidates_free(candidates *c);

/* Fills found_faces and found_edges. */
tribo_status candidates_find(candidates *c, const tasks *t, const vec3 *from, const vec3 *to,
                             const candidates_filter *filter, tribo_error *err);

/* Whether the two share a vertex, or have vertices at one place of a part, or near each other along
 * a strand. */
bool candidates_neighbours(const surface_mesh *mesh, const int32_t *a, int count_a,
                           const int32_t *b, int count_b);

/* The four vertices of a candidate. */
static inline void candidate_face_vertices(const surface_mesh *m, candidate c, int32_t v[4]) {
  const int32_t *t = m->triangles + 3 * (size_t)c.b;
  v[0] = c.a, v[1] = t[0], v[2] = t[1], v[3] = t[2];
}
static inline void candidate_edge_vertices(const surface_mesh *m, candidate c, int32_t v[4]) {
  const int32_t *a = m->edges + 2 * (size_t)c.a, *b = m->edges + 2 * (size_t)c.b;
  v[0] = a[0], v[1] = a[1], v[2] = b[0], v[3] = b[1];
}

#endif
