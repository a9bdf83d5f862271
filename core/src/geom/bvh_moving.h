/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bvh_moving: which moving items may come near each other.
 *
 * Two trees of one shape: the boxes of the items, and the boxes of their velocities. What is side
 * by side in cloth has much the same velocity, so that a fast piece of cloth, which must look far
 * for what it may meet, needs not look at itself: whole branches are left out for their velocities.
 */
#ifndef GEOM_BVH_MOVING_H
#define GEOM_BVH_MOVING_H

#include "geom/bvh.h"

typedef struct bvh_moving {
  bvh at, velocity; /* the second has the shape of the first, and nodes of its own */
} bvh_moving;

/* By the places of the items at rest; fails as bvh_build does. */
tribo_status bvh_moving_build(const bvh_box *boxes, size_t count, arena *memory, bvh_moving *tree,
                              tribo_error *err);

void bvh_moving_refit(const tasks *t, const bvh_box *boxes, const bvh_box *velocities,
                      bvh_moving *tree);

/* What is asked for: all items whose distance from `at` is at most `most`, and at most
 * near + time * the largest difference of their velocities from `velocity`. */
typedef struct bvh_approach {
  bvh_box at, velocity;
  double near, time, most;
} bvh_approach;

/* Visits those, and maybe some that are just beyond, in the order of the tree. */
void bvh_moving_visit(const bvh_moving *tree, const bvh_approach *asked,
                      void (*visit)(void *context, int32_t item), void *context);

#endif
