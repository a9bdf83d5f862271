/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/kdtree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geom/kdtree_layout.h"

enum { INSERTED = 48, MOST_PIECES = 64 };

/* How a part of the tree is known to be out of reach: its distance along an axis, or that of its
 * box, exceeds the reach. Both are rounded as a point's distance is, and rounding is monotone, so
 * they never exceed the distance of a point inside. */

/* d * d for what lies ahead, and nothing above zero for what does not. */
static inline double ahead2(double d) { return d * fabs(d); }

static inline double outside2(double below, double above) {
  double d = below > above ? below : above;
  d = d > 0 ? d : 0;
  return d * d;
}

typedef struct leaf {
  size_t count;
  const double *block;
  const int32_t *order;
} leaf;

static inline leaf find_leaf(const kdtree *tree, size_t number) {
  size_t first = kdtree_points_before(tree, number, tree->depth);
  size_t count = kdtree_points_before(tree, number + 1, tree->depth) - first;
  return (leaf){count, kdtree_leaf_block(tree, number, first), tree->order + first};
}

static inline double box_distance2(const double *low, const double *high, vec3 q) {
  double x2 = outside2(low[0] - q.x, q.x - high[0]), y2 = outside2(low[1] - q.y, q.y - high[1]);
  return (x2 + y2) + outside2(low[2] - q.z, q.z - high[2]);
}

/* Squared distances of a leaf's points; those behind the last, up to a multiple of four, mean
 * nothing: the loop has no odd end, and the compiler makes vectors of it. */
static inline void scan_leaf(const leaf *l, vec3 q, double *restrict distances2) {
  const double *restrict x = l->block + KDTREE_LEAF_BOX, *restrict y = x + l->count;
  const double *restrict z = y + l->count;
  size_t padded = (l->count + KDTREE_PADDING - 1) / KDTREE_PADDING * KDTREE_PADDING;
  for (size_t i = 0; i < padded; i++) {
    double dx = x[i] - q.x, dy = y[i] - q.y, dz = z[i] - q.z;
    distances2[i] = (dx * dx + dy * dy) + dz * dz;
  }
}

static inline bool precedes(double distance2, int32_t index, const kdtree_hit *hit) {
  return distance2 < hit->distance2 || (distance2 == hit->distance2 && index < hit->index);
}

static int compare_hits(const void *a, const void *b) {
  const kdtree_hit *x = a, *y = b;
  return precedes(x->distance2, x->index, y) ? -1 : precedes(y->distance2, y->index, x);
}

/* Puts a hit in its place among `count` sorted ones before it. */
static inline void insert_hit(kdtree_hit *hits, size_t count, kdtree_hit hit) {
  size_t i = count;
  for (; i > 0 && precedes(hit.distance2, hit.index, &hits[i - 1]); i--) hits[i] = hits[i - 1];
  hits[i] = hit;
}

static void sort_hits(kdtree_hit *hits, size_t count) {
  if (count > INSERTED)
    qsort(hits, count, sizeof *hits, compare_hits);
  else
    for (size_t i = 1; i < count; i++) insert_hit(hits, i, hits[i]);
}

/* Adds what a leaf has within reach to `found` hits; counts on when there is no more room. */
static inline size_t collect(const leaf *l, const double *distances2, double reach2,
                             kdtree_hit *hits, size_t capacity, size_t found) {
  if (capacity >= l->count && found <= capacity - l->count) {
    /* There is room whatever comes: write always, count only sometimes. */
    for (size_t i = 0; i < l->count; i++) {
      hits[found] = (kdtree_hit){distances2[i], l->order[i]};
      found += distances2[i] <= reach2;
    }
    return found;
  }
  for (size_t i = 0; i < l->count; i++) {
    if (!(distances2[i] <= reach2)) continue;
    if (found < capacity) hits[found] = (kdtree_hit){distances2[i], l->order[i]};
    found++;
  }
  return found;
}

size_t kdtree_radius(const kdtree *tree, vec3 query, double radius, kdtree_sorting sorting,
                     kdtree_hit *hits, size_t capacity) {
  assert(vec3_finite(query));
  if (tree->count == 0 || !(radius >= 0)) return 0;
  double reach2 = radius * radius, q[3] = {query.x, query.y, query.z};
  double distances2[KDTREE_LEAF + KDTREE_PADDING];
  size_t waiting[KDTREE_MOST_DEPTH], height = 0, node = 1, found = 0;
  size_t leaves = (size_t)1 << tree->depth;
  if (box_distance2(&tree->low.x, &tree->high.x, query) > reach2) return 0;
  for (;;) {
    while (node < leaves) {
      const kdtree_node *n = &tree->nodes[node];
      double at = q[n->axis];
      bool left = ahead2(at - n->low) <= reach2, right = ahead2(n->high - at) <= reach2;
      waiting[height] = 2 * node + 1;
      height += left & right;
      /* When neither is in reach it goes left all the same: the leaf's box will tell. */
      node = 2 * node + (right & !left);
    }
    leaf l = find_leaf(tree, node - leaves);
    if (box_distance2(l.block, l.block + 3, query) <= reach2) {
      scan_leaf(&l, query, distances2);
      found = collect(&l, distances2, reach2, hits, capacity, found);
    }
    if (height == 0) break;
    node = waiting[--height];
  }
  if (sorting == KDTREE_SORTED && found <= capacity) sort_hits(hits, found);
  return found;
}

size_t kdtree_nearest(const kdtree *tree, vec3 query, size_t k, kdtree_hit *hits) {
  assert(vec3_finite(query));
  if (tree->count == 0 || k == 0) return 0;
  double q[3] = {query.x, query.y, query.z}, worst2 = INFINITY;
  double distances2[KDTREE_LEAF + KDTREE_PADDING];
  struct {
    size_t node;
    double off2;
  } waiting[KDTREE_MOST_DEPTH];
  size_t leaves = (size_t)1 << tree->depth, node = 1, found = 0, height = 0;
  for (;;) {
    while (node < leaves) {
      /* To the side where the query lies first; the other waits. */
      const kdtree_node *n = &tree->nodes[node];
      double at = q[n->axis], to_left = at - n->low, to_right = n->high - at;
      bool right = to_left > to_right;
      double off2 = ahead2(right ? to_left : to_right);
      waiting[height].node = 2 * node + !right;
      waiting[height].off2 = off2;
      height += off2 <= worst2;
      node = 2 * node + right;
    }
    leaf l = find_leaf(tree, node - leaves);
    if (box_distance2(l.block, l.block + 3, query) <= worst2) {
      scan_leaf(&l, query, distances2);
      for (size_t i = 0; i < l.count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): scan_leaf set it */
        if (!(distances2[i] <= worst2)) continue;
        kdtree_hit hit = {distances2[i], l.order[i]};
        if (found < k)
          insert_hit(hits, found++, hit);
        else if (precedes(hit.distance2, hit.index, &hits[k - 1]))
          insert_hit(hits, k - 1, hit);
        if (found == k) worst2 = hits[k - 1].distance2;
      }
    }
    do {
      if (height == 0) return found;
      height--;
    } while (!(waiting[height].off2 <= worst2));
    node = waiting[height].node;
  }
}

/* -------------------------------------------------------------------------------------- batches */

typedef struct batch_job {
  const kdtree *tree;
  const vec3 *queries;
  const double *radii;
  size_t count, pieces, k;
  kdtree_sorting sorting;
  size_t *start;
  kdtree_hit *hits;
  size_t capacity;
  size_t totals[MOST_PIECES];
} batch_job;

static size_t piece_begin(const batch_job *job, size_t piece) {
  return job->count * piece / job->pieces;
}

static size_t piece_memory(const batch_job *job, size_t piece) {
  return job->capacity / job->pieces * piece;
}

/* A piece's queries, one after the other in the piece's share of the memory. start[i + 1] is the
 * number of hits of query i for now. */
static void find_piece(batch_job *job, size_t piece) {
  kdtree_hit *hits = job->hits ? job->hits + piece_memory(job, piece) : NULL;
  size_t room = piece_memory(job, piece + 1) - piece_memory(job, piece), total = 0;
  for (size_t i = piece_begin(job, piece); i < piece_begin(job, piece + 1); i++) {
    bool fits = total < room;
    size_t found = kdtree_radius(job->tree, job->queries[i], job->radii[i], job->sorting,
                                 fits ? hits + total : NULL, fits ? room - total : 0);
    job->start[i + 1] = found;
    total += found;
  }
  job->totals[piece] = total;
}

static void find_pieces(void *context, size_t begin, size_t end) {
  for (size_t piece = begin; piece < end; piece++) find_piece(context, piece);
}

/* Asks again, now that every query's place is known. */
static void find_in_place(void *context, size_t begin, size_t end) {
  const batch_job *job = context;
  for (size_t i = begin; i < end; i++)
    kdtree_radius(job->tree, job->queries[i], job->radii[i], job->sorting,
                  job->hits + job->start[i], job->start[i + 1] - job->start[i]);
}

size_t kdtree_radius_batch(const tasks *t, const kdtree *tree, const vec3 *queries,
                           const double *radii, size_t count, kdtree_sorting sorting, size_t *start,
                           kdtree_hit *hits, size_t capacity) {
  batch_job job = {.tree = tree,
                   .queries = queries,
                   .radii = radii,
                   .count = count,
                   .pieces = t->threads < MOST_PIECES ? (size_t)t->threads : MOST_PIECES,
                   .sorting = sorting,
                   .start = start,
                   .hits = hits,
                   .capacity = capacity};
  tasks_for(t, job.pieces, 1, find_pieces, &job);
  start[0] = 0;
  for (size_t i = 0; i < count; i++) start[i + 1] += start[i];
  if (start[count] > capacity) return start[count];
  bool fits = true;
  for (size_t p = 0; p < job.pieces; p++)
    fits = fits && job.totals[p] <= piece_memory(&job, p + 1) - piece_memory(&job, p);
  if (!fits) {
    tasks_for(t, count, 64, find_in_place, &job);
    return start[count];
  }
  /* Each piece fits its share, so none begins behind it: closing the gaps from the first on never
   * overwrites what is still to be moved. */
  for (size_t p = 1; p < job.pieces; p++)
    if (job.totals[p])
      memmove(hits + start[piece_begin(&job, p)], hits + piece_memory(&job, p),
              job.totals[p] * sizeof *hits);
  return start[count];
}

static void find_nearest(void *context, size_t begin, size_t end) {
  const batch_job *job = context;
  for (size_t i = begin; i < end; i++)
    kdtree_nearest(job->tree, job->queries[i], job->k, job->hits + i * job->k);
}

size_t kdtree_nearest_batch(const tasks *t, const kdtree *tree, const vec3 *queries, size_t count,
                            size_t k, kdtree_hit *hits) {
  batch_job job = {.tree = tree, .queries = queries, .k = k, .hits = hits};
  tasks_for(t, count, 64, find_nearest, &job);
  return k < tree->count ? k : tree->count;
}
