/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bvh_layout: how deep a tree can be, for bvh_build.c and bvh.c alone.
 *
 * Below BVH_FREE_LEVELS, nodes are quartered by count, so that 2^30 items end 16 levels further
 * down at most. A walk leaves up to three children waiting a level.
 */
#ifndef GEOM_BVH_LAYOUT_H
#define GEOM_BVH_LAYOUT_H

#include "geom/bvh.h"

enum {
  BVH_FREE_LEVELS = 32,
  BVH_MOST_LEVELS = BVH_FREE_LEVELS + 16,
  BVH_STACK = BVH_MOST_LEVELS * (BVH_WIDTH - 1) + BVH_WIDTH
};

#endif
