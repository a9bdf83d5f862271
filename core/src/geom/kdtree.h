/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kdtree: finds the points near a place.
 *
 * The points are halved across the longest side of their box, at the median, until two dozen or
 * fewer are left: a balanced tree without pointers. Node i has the children 2i and 2i + 1, and a
 * leaf's points lie side by side in memory (docs/kdtree.md). The tree copies the points: the
 * caller's may move or go. It answers for the points of the last build only.
 *
 * Distances are squared, in doubles, and rounded as (dx dx + dy dy) + dz dz. What is found is what
 * testing every point by that formula would find, to the last bit: no point on the rim is lost to
 * the rounding of a box's distance. Differences beyond 1e154 square to infinity, and those below
 * 1e-162 to zero.
 *
 * Answers depend on the points and the query alone, not on the number of threads. A built tree may
 * be asked from many threads at a time.
 */
#ifndef GEOM_KDTREE_H
#define GEOM_KDTREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/vec3.h"

typedef struct kdtree_hit {
  double distance2;
  int32_t index; /* into the points given to kdtree_build */
} kdtree_hit;

typedef enum kdtree_sorting {
  KDTREE_AS_STORED, /* in the order of the leaves: the same for every query, and the fastest */
  KDTREE_SORTED     /* by distance, and by index where distances are equal */
} kdtree_sorting;

typedef struct kdtree_node kdtree_node;
typedef struct kdtree_record kdtree_record;

/* A zeroed tree is a valid, empty one. Read `count` and `order`; the rest is private. */
typedef struct kdtree {
  size_t count;
  int32_t *order; /* order[place] = index: neighbours in space are mostly neighbours here. Batches
                     run faster when their queries follow it. */
  int depth;      /* 2^depth leaves */
  vec3 low, high; /* the box of all points */
  double *coordinates;
  kdtree_node *nodes;
  kdtree_record *records; /* what is moved about while building */
  tasks_forest crown;     /* the upper nodes, as jobs */
  arena memory;
  size_t capacity; /* points there is memory for */
} kdtree;

/* Builds the tree anew. Allocates only when count exceeds every count before. Fails when memory
 * runs out or a coordinate is not finite; the tree is then empty. count is below 2^31. */
tribo_status kdtree_build(const tasks *t, const vec3 *points, size_t count, kdtree *tree,
                          tribo_error *err);

void kdtree_free(kdtree *tree);

/* The points with distance2 <= radius * radius; none when the radius is negative. Returns how many
 * there are. When that exceeds `capacity`, hits holds the first `capacity` of them as stored,
 * unsorted: grow and ask again. hits may be NULL when capacity is 0. The radius may be infinite;
 * the query is finite. */
size_t kdtree_radius(const kdtree *tree, vec3 query, double radius, kdtree_sorting sorting,
                     kdtree_hit *hits, size_t capacity);

/* The k nearest points, sorted; of equally near ones those with the smallest index. hits has room
 * for k. Returns how many there are: k, or all points when there are fewer. Meant for a k of some
 * dozens: the cost of keeping the hits sorted grows with k^2. */
size_t kdtree_nearest(const kdtree *tree, vec3 query, size_t k, kdtree_hit *hits);

/* kdtree_radius for many queries, each with its own radius. The hits of query i are
 * hits[start[i]] to hits[start[i + 1] - 1]; start has room for count + 1. Returns start[count]: all
 * hits there are. When that exceeds `capacity`, start is right and hits holds nothing of use: grow
 * and ask again. Some room to spare saves work: when the hits of one thread's queries do not fit
 * its share of the memory, they are found twice. */
size_t kdtree_radius_batch(const tasks *t, const kdtree *tree, const vec3 *queries,
                           const double *radii, size_t count, kdtree_sorting sorting, size_t *start,
                           kdtree_hit *hits, size_t capacity);

/* kdtree_nearest for many queries: the hits of query i begin at hits[i * k], and every query has as
 * many as the number returned. */
size_t kdtree_nearest_batch(const tasks *t, const kdtree *tree, const vec3 *queries, size_t count,
                            size_t k, kdtree_hit *hits);

#endif
