/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/bvh_moving.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "geom/bvh_layout.h"

tribo_status bvh_moving_build(const bvh_box *boxes, size_t count, arena *memory, bvh_moving *tree,
                              tribo_error *err) {
  TRY(bvh_build(boxes, count, memory, &tree->at, err));
  tree->velocity = tree->at;
  tree->velocity.nodes = ARENA_ARRAY(memory, bvh_node, tree->at.node_count);
  if (!tree->velocity.nodes) return status_no_memory(err, "a tree of velocities");
  if (count > 0)
    memcpy(tree->velocity.nodes, tree->at.nodes, tree->at.node_count * sizeof *tree->at.nodes);
  return TRIBO_OK;
}

void bvh_moving_refit(const tasks *t, const bvh_box *boxes, const bvh_box *velocities,
                      bvh_moving *tree) {
  bvh_refit(t, boxes, &tree->at);
  bvh_refit(t, velocities, &tree->velocity);
}

/* A box in floats, rounded outward, once for each child of a node. */
typedef struct float_box {
  bvh_lanes low[3], high[3];
} float_box;

static bvh_lanes all_lanes(float x) { return (bvh_lanes){x, x, x, x}; }

/* A unit in the last place is at most 2^-23 of the number. */
static float below(double x) { return (float)(x - fabs(x) * 0x1p-22 - (double)FLT_MIN); }
static float above(double x) { return (float)(x + fabs(x) * 0x1p-22 + (double)FLT_MIN); }

static float_box outward(const bvh_box *box) {
  const double low[3] = {box->low.x, box->low.y, box->low.z};
  const double high[3] = {box->high.x, box->high.y, box->high.z};
  float_box b;
  for (int a = 0; a < 3; a++) b.low[a] = all_lanes(below(low[a]));
  for (int a = 0; a < 3; a++) b.high[a] = all_lanes(above(high[a]));
  return b;
}

typedef int32_t lane_bits __attribute__((vector_size(BVH_WIDTH * sizeof(int32_t))));

static inline bvh_lanes larger(bvh_lanes a, bvh_lanes b) {
  lane_bits first = a > b;
  return (bvh_lanes)(((lane_bits)a & first) | ((lane_bits)b & ~first));
}

static inline bvh_lanes length2(const bvh_lanes d[3]) {
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/* Squared distances of the four boxes from this one: 0 where they overlap. */
static inline bvh_lanes apart2(const bvh_node *node, const float_box *b) {
  const bvh_lanes zero = {0};
  bvh_lanes d[3];
  for (int a = 0; a < 3; a++)
    d[a] = larger(larger(node->low[a] - b->high[a], b->low[a] - node->high[a]), zero);
  return length2(d);
}

/* And of the points that are farthest from each other. */
static inline bvh_lanes across2(const bvh_node *node, const float_box *b) {
  bvh_lanes d[3];
  for (int a = 0; a < 3; a++) d[a] = larger(node->high[a] - b->low[a], b->high[a] - node->low[a]);
  return length2(d);
}

/* What is taken off a squared distance: more than the roundings of all that floats do here. */
static const float SHORTER = 1 - 0x1p-18F;

/* The question in floats. */
typedef struct float_approach {
  float_box at, velocity;
  bvh_lanes most2, near2, time2, twice2; /* most^2, near^2, time^2, (2 near time)^2 */
} float_approach;

static float_approach rounded(const bvh_approach *asked) {
  float most = above(asked->most), near = above(asked->near), time = above(asked->time);
  return (float_approach){.at = outward(&asked->at),
                          .velocity = outward(&asked->velocity),
                          .most2 = all_lanes(most * most),
                          .near2 = all_lanes(near * near),
                          .time2 = all_lanes(time * time),
                          .twice2 = all_lanes(4 * near * near * time * time)};
}

/* Which children of a node are in reach: a bit for each. d <= near + time s without a root:
 * e = d^2 - near^2 - time^2 s^2 is below 0, or e^2 <= (2 near time s)^2. */
static inline int32_t in_reach(const bvh_moving *tree, int32_t at, const float_approach *asked) {
  const bvh_lanes zero = {0};
  const lane_bits bit = {1, 2, 4, 8};
  bvh_lanes distance2 = apart2(&tree->at.nodes[at], &asked->at) * SHORTER;
  bvh_lanes speed2 = across2(&tree->velocity.nodes[at], &asked->velocity);
  bvh_lanes e = distance2 - asked->near2 - asked->time2 * speed2;
  lane_bits met = (e <= zero) | (e * e <= asked->twice2 * speed2);
  lane_bits found = (distance2 <= asked->most2) & met & bit;
  return found[0] | found[1] | found[2] | found[3];
}

void bvh_moving_visit(const bvh_moving *tree, const bvh_approach *asked,
                      void (*visit)(void *context, int32_t item), void *context) {
  if (tree->at.count == 0) return;
  float_approach q = rounded(asked);
  int32_t stack[BVH_STACK];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    int32_t next = stack[--top];
    if (next < 0) {
      visit(context, tree->at.order[~next]);
      continue;
    }
    int32_t found = in_reach(tree, next, &q);
    for (int i = BVH_WIDTH - 1; i >= 0; i--)
      if (found >> i & 1) stack[top++] = tree->at.nodes[next].child[i];
    assert(top <= BVH_STACK);
  }
}
