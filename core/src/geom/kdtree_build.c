/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "geom/kdtree_layout.h"

/* From CROWN_POINTS on, the nodes down to level CROWN are jobs for threads. */
enum { CROWN = 6, CROWN_JOBS = (2 << CROWN) - 1, CROWN_POINTS = 1 << 14, COPY_GRAIN = 1 << 13 };
/* Ranges above SMALL are cut by the quantile of a sample, small ones by counting into buckets. */
enum { SMALL = 256, BLOCK = 64, SAMPLING = 32, MOST_SAMPLES = 128, BUCKETS = 64, CROWDED = 8 };

struct kdtree_record {
  double at[3];
  int32_t index;
};

typedef struct box {
  double low[3], high[3];
} box;

static bool reserve(kdtree *tree, size_t count) {
  if (count <= tree->capacity) return true;
  size_t wanted = tree->capacity + tree->capacity / 2;
  if (wanted < count) wanted = count;
  kdtree_free(tree);
  arena *memory = &tree->memory;
  int32_t *parent = ARENA_ARRAY(memory, int32_t, CROWN_JOBS);
  tree->order = ARENA_ARRAY(memory, int32_t, wanted);
  /* Leaves are at least half full, and there are as many nodes as leaves; number 0 is not used. */
  size_t leaves = wanted / (KDTREE_LEAF / 2) + 2;
  tree->coordinates =
      ARENA_ARRAY(memory, double, 3 * wanted + KDTREE_LEAF_BOX * leaves + KDTREE_PADDING);
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

static void store_leaf(kdtree *tree, size_t number, size_t first, size_t count, const box *b) {
  const kdtree_record *records = tree->records + first;
  double *block = kdtree_leaf_block(tree, number, first), *at = block + KDTREE_LEAF_BOX;
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
  size_t first = kdtree_points_before(tree, number, level);
  size_t count = kdtree_points_before(tree, number + 1, level) - first;
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
  size_t half = kdtree_points_before(tree, 2 * number + 1, level + 1) - first;
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
  while ((count - 1) >> tree->depth >= KDTREE_LEAF) tree->depth++;
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
