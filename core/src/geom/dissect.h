/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dissect: cuts a set of elements into parts that can be worked on side by side.
 *
 * The set is halved across its longest side, the halves again, and so on: a tree. Elements of the
 * second half that touch a vertex of the first are taken out and stay with the cut. So the two
 * halves of a cut share no vertex, and no two parts of one level of the tree do. Going through the
 * levels from the leaves to the root, the parts of a level may be worked on in any order or at the
 * same time: every sum over the elements of a vertex is still formed in one order. Unlike colours,
 * parts keep neighbours together, which the cache likes, and there are few levels to wait between.
 */
#ifndef GEOM_DISSECT_H
#define GEOM_DISSECT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

typedef struct dissection {
  size_t level_count;
  size_t *level_start; /* level_count + 1: parts of each level, leaves first */
  size_t *part_start;  /* number of parts + 1: elements of each part, in the new order */
} dissection;

/* order[new] = old: the sequence in which elements must be stored; parts keep the old order inside.
 * Elements are `arity` vertices each. Depends on the input alone. */
tribo_status dissect_elements(const int32_t *vertices, size_t count, int arity,
                              const vec3 *positions, size_t vertex_count, arena *memory,
                              dissection *out, int32_t *order, tribo_error *err);

#endif
