/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * holes: a surface as if its holes were closed. Vertices in one place count as one, and each ring
 * of open edges gets a fan about the mean of its vertices. What the fans enclose together with the
 * surface is what the volume of a body with holes is taken to be: the eye sockets of a head count
 * as shut, a bowl as full to its rim.
 */
#ifndef GEOM_HOLES_H
#define GEOM_HOLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "geom/topology.h"
#include "math/vec3.h"

typedef struct holes_closed {
  vec3 *positions; /* those given, then the middles of the fans */
  int32_t *triangles;
  size_t triangle_count;
  size_t holes;         /* rings that were closed */
  topology_fault fault; /* what is left: TOPOLOGY_CLOSED where the surface has an inside now. Names
                           vertices and triangles as given */
} holes_closed;

/* In the caller's arena. Indices have been checked: in range, and different within a triangle. */
tribo_status holes_close(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                         size_t count, arena *memory, holes_closed *out, tribo_error *err);

#endif
