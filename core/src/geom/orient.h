/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * orient: a surface whose triangles agree with their neighbours.
 *
 * Neighbours are two triangles at an edge that no third one shares. Within each part that is
 * connected through such edges, triangles are turned over until neighbours run along their common
 * edge in opposite directions; of the two ways to do that, the one that leaves the greater area as
 * it was. A few turned triangles are so repaired, a shell that is wound inward as a whole (a
 * cavity) stays so. On a part that has but one side no way satisfies all: the first in order wins.
 */
#ifndef GEOM_ORIENT_H
#define GEOM_ORIENT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

/* A copy in the caller's arena, triangle for triangle; *turned says how many were turned over. */
tribo_status orient_surface(const vec3 *positions, const int32_t *triangles, size_t count,
                            arena *memory, int32_t **out, size_t *turned, tribo_error *err);

/* The same, and the part that each triangle belongs to, numbered in the order of their first ones.
 */
tribo_status orient_parts(const vec3 *positions, const int32_t *triangles, size_t count,
                          arena *memory, int32_t **out, int32_t *part, size_t *turned,
                          tribo_error *err);

#endif
