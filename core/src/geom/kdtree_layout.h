/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kdtree_layout: how the tree lies in memory, for kdtree_build.c and kdtree.c alone.
 *
 * Level l has 2^l nodes, and node `number` of it has the points from count * number / 2^l on, so
 * halves differ by at most one point and nothing needs to say where they begin. Leaves are the
 * nodes of level `depth`.
 */
#ifndef GEOM_KDTREE_LAYOUT_H
#define GEOM_KDTREE_LAYOUT_H

#include "geom/kdtree.h"

/* A leaf has at most KDTREE_LEAF points and, unless it is the only one, at least half as many. A
 * scan may read up to KDTREE_PADDING - 1 doubles behind its last. */
enum { KDTREE_LEAF = 24, KDTREE_LEAF_BOX = 6, KDTREE_PADDING = 4, KDTREE_MOST_DEPTH = 32 };

/* The points of the first half end at `low` along the axis, those of the second begin at `high`.
 * The two may overlap a little (kdtree_build.c, split_by_buckets). */
struct kdtree_node {
  double low, high;
  int32_t axis;
};

/* The points before node `number` of a level. */
static inline size_t kdtree_points_before(const kdtree *tree, size_t number, int level) {
  return (size_t)(((uint64_t)tree->count * number) >> level);
}

/* A leaf's coordinates: the corners of its box, then all x, all y and all z. */
static inline double *kdtree_leaf_block(const kdtree *tree, size_t number, size_t first) {
  return tree->coordinates + KDTREE_LEAF_BOX * number + 3 * first;
}

#endif
