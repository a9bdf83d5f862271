/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/bvh.h"

#include <assert.h>
#include <float.h>

#include "geom/bvh_layout.h"

typedef struct waiting {
  double key; /* what must not exceed the limit */
  int32_t child;
} waiting;

/* Puts the children of a node on the stack, the one with the smallest key on top. */
static int push_children(const bvh_node *node, bvh_lanes keys, double limit, waiting *stack,
                         int top) {
  int first = top;
  for (int i = 0; i < node->count; i++) {
    /* A key beyond the range of floats says only that it is large. */
    double key = keys[i] < FLT_MAX ? (double)keys[i] : (double)FLT_MAX;
    if (!(key <= limit)) continue;
    int place = top++;
    for (; place > first && stack[place - 1].key < key; place--) stack[place] = stack[place - 1];
    stack[place] = (waiting){key, node->child[i]};
  }
  assert(top <= BVH_STACK);
  return top;
}

/* ---------------------------------------------------------------------------------- nearest -- */

/* A point between floats, low <= q <= high, once for each child of a node. */
typedef struct float_point {
  bvh_lanes low[3], high[3];
} float_point;

static bvh_lanes all_lanes(float x) { return (bvh_lanes){x, x, x, x}; }

static float_point around(vec3 q) {
  const double at[3] = {q.x, q.y, q.z};
  float_point p;
  for (int a = 0; a < 3; a++) {
    float f = (float)at[a];
    p.low[a] = all_lanes((double)f > at[a] ? nextafterf(f, -INFINITY) : f);
    p.high[a] = all_lanes((double)f < at[a] ? nextafterf(f, INFINITY) : f);
  }
  return p;
}

typedef int32_t lane_bits __attribute__((vector_size(BVH_WIDTH * sizeof(int32_t))));

static inline bvh_lanes larger(bvh_lanes a, bvh_lanes b) {
  lane_bits first = a > b;
  return (bvh_lanes)(((lane_bits)a & first) | ((lane_bits)b & ~first));
}

/* Squared distances of the four boxes, never more than they are: seven roundings of 2^-24 are less
 * than what is taken off, and so is what underflow may add. */
static inline bvh_lanes box_distances2(const bvh_node *node, const float_point *q) {
  const bvh_lanes zero = {0};
  bvh_lanes x = larger(larger(node->low[0] - q->high[0], q->low[0] - node->high[0]), zero);
  bvh_lanes y = larger(larger(node->low[1] - q->high[1], q->low[1] - node->high[1]), zero);
  bvh_lanes z = larger(larger(node->low[2] - q->high[2], q->low[2] - node->high[2]), zero);
  return (x * x + y * y + z * z) * (1 - 0x1p-20F) - FLT_MIN;
}

void bvh_nearest(const bvh *tree, vec3 q, double reach2, bvh_visit visit, void *context) {
  if (tree->count == 0) return;
  float_point point = around(q);
  waiting stack[BVH_STACK];
  int top = 0;
  double limit = reach2;
  stack[top++] = (waiting){0, 0};
  while (top > 0) {
    waiting next = stack[--top];
    if (!(next.key <= limit)) continue;
    if (next.child < 0) {
      limit = visit(context, ~next.child, limit);
      continue;
    }
    const bvh_node *node = &tree->nodes[next.child];
    top = push_children(node, box_distances2(node, &point), limit, stack, top);
  }
}

/* ------------------------------------------------------------------------------ along a path -- */

typedef struct path {
  double from[3], inverse[3], margin;
} path;

/* Moves shorter than the reciprocal's range count as none; the finite reciprocal keeps 0 times it
 * from being NaN. */
static path path_of(vec3 from, vec3 to, double margin) {
  vec3 move = vec3_sub(to, from);
  const double along[3] = {move.x, move.y, move.z}, big = 1e300;
  path p = {{from.x, from.y, from.z}, {0}, margin};
  for (int a = 0; a < 3; a++) p.inverse[a] = fabs(along[a]) > 1 / big ? 1 / along[a] : big;
  return p;
}

/* When the path enters each of the boxes, never later than it does, and above 1 when it does not.
 * Kept in floats as a lower bound: a part in 2^23 below. */
static inline bvh_lanes entries(const bvh_node *node, const path *p, double limit) {
  const double slop = 1e-14;
  bvh_lanes times = {0};
  for (int i = 0; i < BVH_WIDTH; i++) {
    double enter = 0, leave = limit;
    for (int a = 0; a < 3; a++) {
      double low = ((double)node->low[a][i] - p->margin - p->from[a]) * p->inverse[a];
      double high = ((double)node->high[a][i] + p->margin - p->from[a]) * p->inverse[a];
      double first = low < high ? low : high, last = low < high ? high : low;
      first -= slop * fabs(first);
      last += slop * fabs(last);
      enter = first > enter ? first : enter;
      leave = last < leave ? last : leave;
    }
    times[i] = enter <= leave ? (float)enter * (1 - 0x1p-23F) : INFINITY;
  }
  return times;
}

void bvh_along(const bvh *tree, vec3 from, vec3 to, double margin, bvh_visit visit, void *context) {
  if (tree->count == 0) return;
  path p = path_of(from, to, margin);
  waiting stack[BVH_STACK];
  int top = 0;
  double limit = 1;
  stack[top++] = (waiting){0, 0};
  while (top > 0) {
    waiting next = stack[--top];
    if (!(next.key <= limit)) continue;
    if (next.child < 0) {
      limit = visit(context, ~next.child, limit);
      continue;
    }
    const bvh_node *node = &tree->nodes[next.child];
    top = push_children(node, entries(node, &p, limit), limit, stack, top);
  }
}

/* ------------------------------------------------------------------------------------- lists -- */

typedef struct list {
  const bvh *tree;
  int32_t *items;
  size_t capacity, found;
} list;

static void add_item(list *l, int32_t place) {
  if (l->found < l->capacity) l->items[l->found] = l->tree->order[place];
  l->found++;
}

static double list_item(void *context, int32_t place, double limit) {
  add_item(context, place);
  return limit;
}

size_t bvh_segment(const bvh *tree, vec3 from, vec3 to, double margin, int32_t *items,
                   size_t capacity) {
  list l = {tree, items, capacity, 0};
  bvh_along(tree, from, to, margin, list_item, &l);
  return l.found;
}

static inline bool overlaps(const bvh_node *node, int i, const double low[3],
                            const double high[3]) {
  bool all = true;
  for (int a = 0; a < 3; a++)
    all = all && (double)node->low[a][i] <= high[a] && (double)node->high[a][i] >= low[a];
  return all;
}

size_t bvh_overlap(const bvh *tree, const bvh_box *box, int32_t *items, size_t capacity) {
  if (tree->count == 0) return 0;
  const double low[3] = {box->low.x, box->low.y, box->low.z};
  const double high[3] = {box->high.x, box->high.y, box->high.z};
  list l = {tree, items, capacity, 0};
  int32_t stack[BVH_STACK];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    int32_t next = stack[--top];
    if (next < 0) {
      add_item(&l, ~next);
      continue;
    }
    const bvh_node *node = &tree->nodes[next];
    for (int i = node->count - 1; i >= 0; i--)
      if (overlaps(node, i, low, high)) stack[top++] = node->child[i];
  }
  return l.found;
}
