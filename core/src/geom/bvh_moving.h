/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bvh_moving: which moving points, edges or triangles may come near each other.
 *
 * Every box of places has a box of velocities beside it. What is side by side in cloth has much the
 * same velocity, so that a fast piece of cloth, which must look far for what it may meet, needs not
 * look at itself: whole branches are left out for their velocities.
 *
 * The items stand in an order in which neighbours at rest are neighbours, eight to a group, eight
 * groups to a node, and so on up: there are no pointers, and the eight boxes of a node are tested
 * at a time (eights.h). A question may be answered with more than was asked for, never with less;
 * answers depend on the places, the velocities and the question alone.
 */
#ifndef GEOM_BVH_MOVING_H
#define GEOM_BVH_MOVING_H

#include "geom/bvh.h"
#include "geom/eights.h"

enum { MOVING_LEVELS = 12 };

/* Where a vertex is and how fast, in floats: x, y, z, 0, and the same of its velocity. */
typedef struct bvh_motion {
  float at[EIGHT];
} bvh_motion;

typedef struct bvh_moving {
  size_t count;           /* of items */
  const int32_t *corners; /* of items, `arity` each: 1 to 3 vertices */
  int arity;
  int32_t *order;              /* order[place] = item */
  size_t group_count;          /* group g has the items at the places 8 g to 8 g + 7 */
  int levels;                  /* 2 at least; nodes of level 0 are groups, the last has one node */
  size_t first[MOVING_LEVELS]; /* of each level among the nodes */
  eight_boxes *nodes;
  const eights *by;
} bvh_moving;

/* By the places of the items at rest, which are finite. `corners` is kept. */
tribo_status bvh_moving_build(const vec3 *rest, const int32_t *corners, int arity, size_t count,
                              arena *memory, bvh_moving *tree, tribo_error *err);

/* Fits the tree to where the vertices are now. */
void bvh_motion_take(const tasks *t, const vec3 *x, const vec3 *v, size_t count, bvh_motion *out);
void bvh_moving_refit(const tasks *t, const bvh_motion *vertices, bvh_moving *tree);

/* The box of the child `at` of a level: of level 0 the item at that place, of level 1 a whole
 * group; near, time and most are the asker's to say. */
one_box bvh_moving_box(const bvh_moving *tree, int level, size_t at);

typedef void (*bvh_moving_visitor)(void *context, int32_t group);

/* Visits the groups with something in reach, in the order of the tree. */
void bvh_moving_visit(const bvh_moving *tree, const one_box *asked, bvh_moving_visitor visit,
                      void *context);

/* Which items of a group are in reach: a bit for each. */
static inline unsigned bvh_moving_met(const bvh_moving *tree, size_t group, const one_box *asked) {
  return tree->by->reached(&tree->nodes[group], asked);
}

#endif
