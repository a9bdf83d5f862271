/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bvh: a hierarchy of boxes over items that have a box: triangles, edges, swept triangles.
 *
 * Every node holds the boxes of up to four children, which are nodes or single items. It is built
 * by the surface area heuristic over bins (Wald 2007), and refitted in place when items move: the
 * tree keeps its shape and its answers stay right, but it grows slower as the items move apart from
 * those they were built with.
 *
 * Boxes are kept in floats, rounded outward by up to three units in the last place. A query may so
 * report a box that it misses by that much; it never overlooks one that it meets. Answers depend on
 * the boxes and the query alone. A tree may be asked from many threads at a time; asking allocates
 * nothing.
 */
#ifndef GEOM_BVH_H
#define GEOM_BVH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/vec3.h"

typedef struct bvh_box {
  vec3 low, high;
} bvh_box;

enum { BVH_WIDTH = 4 };

/* One number of each child, as compilers make vectors of them: on any processor, in any build. */
typedef float bvh_lanes __attribute__((vector_size(BVH_WIDTH * sizeof(float))));

/* Two cache lines. child: a node, or ~place for an item. */
typedef struct bvh_node {
  bvh_lanes low[3], high[3];
  int32_t child[BVH_WIDTH];
  int32_t count; /* of children; the boxes behind the last are inside out */
  int32_t unused[3];
} bvh_node;

typedef struct bvh_range {
  int32_t begin, end;
} bvh_range;

/* A zeroed tree is a valid, empty one. */
typedef struct bvh {
  size_t count;   /* of items */
  int32_t *order; /* order[place] = item: neighbours in space are neighbours here */
  bvh_node *nodes;
  size_t node_count; /* in preorder: a subtree is a range of nodes */
  bvh_range *parts;  /* subtrees that can be refitted side by side, */
  size_t part_count;
  int32_t *crown; /* and the nodes above them, parents first */
  size_t crown_count;
} bvh;

/* Fails when memory runs out or a box is not finite or inside out. count is below 2^30. */
tribo_status bvh_build(const bvh_box *boxes, size_t count, arena *memory, bvh *tree,
                       tribo_error *err);

/* Fits the tree to boxes that have moved: as many, and in the same order, as were given to build;
 * all finite. */
void bvh_refit(const tasks *t, const bvh_box *boxes, bvh *tree);

/* The boxes of triangles whose vertices move straight from `start` to `end`, widened by margin.
 * Pass the same positions twice for triangles at rest. */
void bvh_triangle_boxes(const tasks *t, const vec3 *start, const vec3 *end,
                        const int32_t *triangles, size_t count, double margin, bvh_box *boxes);

/* Called for the item order[place] while its box is within the limit; returns the new limit, which
 * must not grow. */
typedef double (*bvh_visit)(void *context, int32_t place, double limit);

/* Visits, nearest boxes first as a rule, the items whose boxes lie within a squared distance of q.
 * The limit is that squared distance. Finds the nearest item when `visit` lowers the limit to the
 * item's squared distance. */
void bvh_nearest(const bvh *tree, vec3 q, double reach2, bvh_visit visit, void *context);

/* Visits, first met first as a rule, the items whose boxes, widened by `margin`, the point
 * from + t (to - from) meets at a t in [0, limit]. The limit begins at 1. */
void bvh_along(const bvh *tree, vec3 from, vec3 to, double margin, bvh_visit visit, void *context);

/* The items whose boxes overlap the box, touching included, in the order of the tree. Returns how
 * many there are; `items` holds the first `capacity` of them. */
size_t bvh_overlap(const bvh *tree, const bvh_box *box, int32_t *items, size_t capacity);

/* The items whose boxes the segment meets; returned as by bvh_overlap, in no particular order. */
size_t bvh_segment(const bvh *tree, vec3 from, vec3 to, double margin, int32_t *items,
                   size_t capacity);

#endif
