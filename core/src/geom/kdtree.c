/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/kdtree.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A leaf has at most LEAF points; a scan may read up to PADDING - 1 doubles behind its last. */
enum { LEAF = 16, LEAF_BOX = 6, PADDING = 4, MOST_DEPTH = 32 };
/* From CROWN_POINTS on, the nodes down to level CROWN are jobs for threads. */
enum { CROWN = 6, CROWN_JOBS = (2 << CROWN) - 1, CROWN_POINTS = 1 << 14, COPY_GRAIN = 1 << 13 };
/* Ranges above SMALL are cut by the quantile of a sample, small ones by counting into buckets. */
enum { SMALL = 256, BLOCK = 64, SAMPLING = 32, MOST_SAMPLES = 128, BUCKETS = 64, CROWDED = 8 };
enum { INSERTED = 48, MOST_PIECES = 64 };

/* The points on one side of the cut end at `low`, those on the other begin at `high`. */
struct kdtree_node {
  double low, high;
  int32_t axis;
};

struct kdtree_record {
  double at[3];
  int32_t index;
};

typedef struct box {
  double low[3], high[3];
} box;

/* The points before node `number` of a level, of which there are 2^level. */
static size_t points_before(const kdtree *tree, size_t number, int level) {
  return (size_t)(((uint64_t)tree->count * number) >> level);
}

/* ------------------------------------------------------------------------------------ building */

static bool reserve(kdtree *tree, size_t count) {
  if (count <= tree->capacity) return true;
  size_t wanted = tree->capacity + tree->capacity / 2;
  if (wanted < count) wanted = count;
  kdtree_free(tree);
  arena *memory = &tree->memory;
  int32_t *parent = ARENA_ARRAY(memory, int32_t, CROWN_JOBS);
  tree->order = ARENA_ARRAY(memory, int32_t, wanted);
  /* Leaves are at least half full, and there are as many nodes as leaves; number 0 is not used. */
  size_t leaves = wanted / (LEAF / 2) + 2;
  tree->coordinates = ARENA_ARRAY(memory, double, 3 * wanted + LEAF_BOX * leaves + PADDING);
  tree->records = ARENA_ARRAY(memory, kdtree_record, wanted);
  tree->nodes = ARENA_ARRAY(memory, kdtree_node, leaves);
  bool whole = parent && tree->order && tree->coordinates && tree->records && tree->nodes;
  if (whole) {
    /* Job j is node CROWN_JOBS - j, so that parents come behind their children. */
    for (int32_t j = 0; j < CROWN_JOBS; j++)
      parent[j] = j == CROWN_JOBS - 1 ? -1 : CROWN_JOBS - (CROWN_JOBS - j) / 2;
    whole = tasks_forest_create(CROWN_JOBS, parent, memory, &tree->crown);
  }
  if (whole)
    tree->capacity = wanted;
  else
    kdtree_free(tree);
  return whole;
}

typedef struct copy_job {
  const vec3 *points;
  kdtree_record *records;
  atomic_bool finite;
} copy_job;

static void copy_points(void *context, size_t begin, size_t end) {
  copy_job *job = context;
  bool finite = true;
  for (size_t i = begin; i < end; i++) {
    vec3 p = job->points[i];
    job->records[i] = (kdtree_record){{p.x, p.y, p.z}, (int32_t)i};
    finite = finite && vec3_finite(p);
  }
  if (!finite) atomic_store(&job->finite, false);
}

static box box_of(const kdtree_record *records, size_t count) {
  box b;
  for (int a = 0; a < 3; a++) b.low[a] = b.high[a] = records[0].at[a];
  for (size_t i = 1; i < count; i++)
    for (int a = 0; a < 3; a++) {
      double c = records[i].at[a];
      b.low[a] = c < b.low[a] ? c : b.low[a];
      b.high[a] = c > b.high[a] ? c : b.high[a];
    }
  return b;
}

/* Halves, because the side of a huge box would overflow. */
static int longest_side(const box *b) {
  int axis = 0;
  double longest = -1;
  for (int a = 0; a < 3; a++) {
    double side = b->high[a] / 2 - b->low[a] / 2;
    if (side > longest) {
      longest = side;
      axis = a;
    }
  }
  return axis;
}

static inline void swap_records(kdtree_record *a, kdtree_record *b) {
  kdtree_record kept = *a;
  *a = *b;
  *b = kept;
}

/* Brings to the front what is below the pivot, and returns how many they are. Which records are on
 * the wrong side is first listed, block by block from both ends, and then they change places: there
 * is no branch to mispredict (Edelkamp and Weiss, BlockQuicksort, 2016). */
static size_t part_below(kdtree_record *records, size_t count, int axis, double pivot) {
  uint8_t above[BLOCK], below[BLOCK]; /* places in the first and, backwards, in the last block */
  size_t first = 0, last = count, above_count = 0, below_count = 0, above_done = 0, below_done = 0;
  while (last - first >= 2 * BLOCK) {
    if (above_count == above_done) {
      above_count = above_done = 0;
      for (size_t i = 0; i < BLOCK; i++) {
        above[above_count] = (uint8_t)i;
        above_count += !(records[first + i].at[axis] < pivot);
      }
    }
    if (below_count == below_done) {
      below_count = below_done = 0;
      for (size_t i = 0; i < BLOCK; i++) {
        below[below_count] = (uint8_t)i;
        below_count += records[last - 1 - i].at[axis] < pivot;
      }
    }
    while (above_done < above_count && below_done < below_count)
      swap_records(&records[first + above[above_done++]], &records[last - 1 - below[below_done++]]);
    if (above_done == above_count) first += BLOCK;
    if (below_done == below_count) last -= BLOCK;
  }
  /* What is left: swaps always and counts only sometimes. */
  for (size_t i = first; i < last; i++) {
    bool goes = records[i].at[axis] < pivot;
    swap_records(&records[i], &records[first]);
    first += goes;
  }
  return first;
}

static void sort_keys(double *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    double key = keys[i];
    size_t j = i;
    for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

/* A value that leaves little beside place k when the range is cut there: the sample's quantile of
 * k, moved a little to the side where more of the range lies, so that k most likely falls in the
 * smaller part (the idea of Floyd and Rivest, Algorithm 489). */
static double choose_pivot(const kdtree_record *records, size_t count, size_t k, int axis) {
  double keys[MOST_SAMPLES];
  size_t samples = count <= SMALL ? 3 : count / SAMPLING;
  if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
  for (size_t s = 0; s < samples; s++)
    keys[s] = records[(2 * s + 1) * count / (2 * samples)].at[axis];
  sort_keys(keys, samples);
  if (samples == 3) return keys[1];
  size_t place = k * samples / count, margin = 1 + (size_t)sqrt((double)samples) / 2;
  if (2 * k < count)
    place = place + margin < samples ? place + margin : samples - 1;
  else
    place = place > margin ? place - margin : 0;
  return keys[place];
}

/* The same as select_lowest for a small range, only nearly so: records are counted into buckets
 * along the axis, and of the bucket where place k falls it does not matter which come first. A
 * node knows where its halves end and begin, and they may overlap a little. False, and nothing
 * done, when that bucket holds too many. */
static bool split_by_buckets(kdtree_record *records, size_t count, size_t k, int axis) {
  double low = records[0].at[axis], high = low;
  for (size_t i = 1; i < count; i++) {
    double key = records[i].at[axis];
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  double scale = BUCKETS / (high - low);
  if (!(scale > 0 && scale <= DBL_MAX)) return false;
  uint8_t bucket[SMALL], wrong_front[SMALL], wrong_back[SMALL];
  uint16_t filled[BUCKETS] = {0};
  for (size_t i = 0; i < count; i++) {
    int b = (int)((records[i].at[axis] - low) * scale);
    b = b < BUCKETS ? b : BUCKETS - 1;
    bucket[i] = (uint8_t)b;
    filled[b]++;
  }
  size_t before = 0, middle = 0;
  while (before + filled[middle] < k) before += filled[middle++];
  if (filled[middle] > count / CROWDED + 2) return false;

  /* Of the middle bucket the first `wanted` go to the front. */
  int wanted = (int)(k - before);
  size_t front = 0, back = 0;
  for (size_t i = 0; i < k; i++) {
    bool same = bucket[i] == middle, goes = bucket[i] < middle || (same & (wanted > 0));
    wanted -= same;
    wrong_front[front] = (uint8_t)i;
    front += !goes;
  }
  for (size_t i = k; i < count; i++) {
    bool same = bucket[i] == middle, goes = bucket[i] < middle || (same & (wanted > 0));
    wanted -= same;
    wrong_back[back] = (uint8_t)i;
    back += goes;
  }
  assert(front == back);
  for (size_t i = 0; i < front; i++)
    swap_records(&records[wrong_front[i]], &records[wrong_back[i]]);
  return true;
}

/* Brings to the front the k records that are lowest along the axis. */
static void select_lowest(kdtree_record *records, size_t count, size_t k, int axis) {
  while (k > 0 && k < count) {
    if (count <= SMALL && split_by_buckets(records, count, k, axis)) return;
    double pivot = choose_pivot(records, count, k, axis);
    size_t below = part_below(records, count, axis, pivot);
    /* When the pivot is the least there is, take all its equals out, or nothing would be gained. */
    if (below == 0) {
      below = part_below(records, count, axis, nextafter(pivot, INFINITY));
      if (k <= below) return;
    }
    if (k < below) {
      count = below;
    } else {
      records += below;
      count -= below;
      k -= below;
    }
  }
}

/* A leaf's coordinates: its box, then all x, all y and all z. */
static double *leaf_block(const kdtree *tree, size_t number, size_t first) {
  return tree->coordinates + LEAF_BOX * number + 3 * first;
}

static void store_leaf(kdtree *tree, size_t number, size_t first, size_t count, const box *b) {
  const kdtree_record *records = tree->records + first;
  double *block = leaf_block(tree, number, first), *at = block + LEAF_BOX;
  memcpy(block, b, sizeof *b);
  for (size_t i = 0; i < count; i++) {
    at[i] = records[i].at[0];
    at[i + count] = records[i].at[1];
    at[i + 2 * count] = records[i].at[2];
    tree->order[first + i] = records[i].index;
  }
}

/* Cuts a node's points in two, or stores them when it is a leaf; tells its parent where they begin
 * or end. Two siblings write different numbers of their parent. */
static void build_node(kdtree *tree, size_t node, int level) {
  size_t number = node - ((size_t)1 << level);
  size_t first = points_before(tree, number, level);
  size_t count = points_before(tree, number + 1, level) - first;
  box b = box_of(tree->records + first, count);
  kdtree_node *parent = &tree->nodes[node / 2];
  if (level == 0) {
    tree->low = vec3_from(b.low);
    tree->high = vec3_from(b.high);
  } else if (node % 2 == 0) {
    parent->low = b.high[parent->axis];
  } else {
    parent->high = b.low[parent->axis];
  }
  if (level == tree->depth) {
    store_leaf(tree, number, first, count, &b);
    return;
  }
  int axis = longest_side(&b);
  tree->nodes[node].axis = axis;
  size_t half = points_before(tree, 2 * number + 1, level + 1) - first;
  if (b.low[axis] < b.high[axis]) select_lowest(tree->records + first, count, half, axis);
}

static void build_below(kdtree *tree, size_t node, int level) {
  build_node(tree, node, level);
  if (level == tree->depth) return;
  build_below(tree, 2 * node, level + 1);
  build_below(tree, 2 * node + 1, level + 1);
}

static void build_job(void *context, size_t job, int worker) {
  (void)worker;
  size_t node = CROWN_JOBS - job;
  int level = 0;
  while (node >> (level + 1)) level++;
  if (level < CROWN)
    build_node(context, node, level);
  else
    build_below(context, node, level);
}

tribo_status kdtree_build(const tasks *t, const vec3 *points, size_t count, kdtree *tree,
                          tribo_error *err) {
  assert(count < (size_t)1 << 31);
  tree->count = 0;
  if (!reserve(tree, count)) return status_no_memory(err, "the tree of points");
  copy_job copy = {points, tree->records, true};
  tasks_for(t, count, COPY_GRAIN, copy_points, &copy);
  if (!atomic_load(&copy.finite)) {
    size_t i = 0;
    while (vec3_finite(points[i])) i++;
    return status_fail(err, TRIBO_BAD_INPUT, "point %zu is at (%g, %g, %g): not a place", i,
                       points[i].x, points[i].y, points[i].z);
  }
  if (count == 0) return TRIBO_OK;
  tree->count = count;
  tree->depth = 0;
  while ((count - 1) >> tree->depth >= LEAF) tree->depth++;
  if (t->threads > 1 && count >= CROWN_POINTS)
    tasks_tree_down(t, &tree->crown, build_job, tree);
  else
    build_below(tree, 1, 0);
  return TRIBO_OK;
}

void kdtree_free(kdtree *tree) {
  arena_free(&tree->memory);
  *tree = (kdtree){0};
}

/* -------------------------------------------------------------------------------------- asking */

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
  size_t first = points_before(tree, number, tree->depth);
  size_t count = points_before(tree, number + 1, tree->depth) - first;
  return (leaf){count, leaf_block(tree, number, first), tree->order + first};
}

static inline double box_distance2(const double *low, const double *high, vec3 q) {
  double x2 = outside2(low[0] - q.x, q.x - high[0]), y2 = outside2(low[1] - q.y, q.y - high[1]);
  return (x2 + y2) + outside2(low[2] - q.z, q.z - high[2]);
}

/* Squared distances of a leaf's points; those behind the last, up to a multiple of four, mean
 * nothing: the loop has no odd end, and the compiler makes vectors of it. */
static inline void scan_leaf(const leaf *l, vec3 q, double *restrict distances2) {
  const double *restrict x = l->block + LEAF_BOX, *restrict y = x + l->count;
  const double *restrict z = y + l->count;
  size_t padded = (l->count + PADDING - 1) / PADDING * PADDING;
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
  double distances2[LEAF + PADDING];
  size_t waiting[MOST_DEPTH], height = 0, node = 1, found = 0;
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
  double distances2[LEAF + PADDING];
  struct {
    size_t node;
    double off2;
  } waiting[MOST_DEPTH];
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
