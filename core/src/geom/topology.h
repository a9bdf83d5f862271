/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * topology: what meets what in a mesh. By sorting, in O(n log n), with a result that depends on the
 * input alone.
 *
 * The caller has checked the indices: not negative, and different within an element.
 */
#ifndef GEOM_TOPOLOGY_H
#define GEOM_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

/* Groups of vertex numbers, in the caller's arena. */
typedef struct topology_list {
  int32_t *vertices;
  size_t count; /* of groups */
} topology_list;

/* Hinges of a triangle mesh, four vertices each: x0 x1, the shared edge in the direction in which
 * the lower-numbered triangle has it; x2, that triangle's third vertex; x3, the other triangle's.
 * With the normals e x (x2 - x0) and (x3 - x0) x e, e = x1 - x0, a hinge is oriented by its first
 * triangle alone, so its angle has a well-defined sign also where the two are wound against each
 * other. An edge with m > 2 triangles gives a hinge for each of the m (m - 1)/2 pairs. Two
 * triangles on the same three vertices do not make a hinge. Sorted by edge. */
tribo_status topology_hinges(const int32_t *triangles, size_t count, arena *memory,
                             topology_list *hinges, tribo_error *err);

/* Every side of the triangles once, the lower vertex first, sorted. */
tribo_status topology_edges(const int32_t *triangles, size_t count, arena *memory,
                            topology_list *edges, tribo_error *err);

/* The boundary of a tetrahedral mesh: faces that belong to one tetrahedron only, wound so that
 * their normals point out, given tetrahedra with det [x1 - x0, x2 - x0, x3 - x0] > 0. In the order
 * of the tetrahedra. */
tribo_status topology_boundary(const int32_t *tets, size_t count, arena *memory,
                               topology_list *triangles, tribo_error *err);

/* Whether triangles enclose a volume with a well-defined inside: at every edge just two, which run
 * along it in opposite directions. `fault` tells of the first edge, in the order of vertex numbers,
 * where they do not. */
typedef enum topology_fault_kind {
  TOPOLOGY_CLOSED,  /* no fault */
  TOPOLOGY_OPEN,    /* one triangle at the edge */
  TOPOLOGY_CROWDED, /* more than two */
  TOPOLOGY_TWISTED  /* two in the same direction */
} topology_fault_kind;

typedef struct topology_fault {
  topology_fault_kind kind;
  int32_t edge[2];
  size_t triangle, other; /* two of the triangles at the edge; the same one when it is alone */
  size_t count;           /* of triangles at the edge */
} topology_fault;

tribo_status topology_check_closed(const int32_t *triangles, size_t count, topology_fault *fault,
                                   tribo_error *err);

#endif
