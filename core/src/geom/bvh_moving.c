/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/bvh_moving.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { STACK = MOVING_LEVELS * EIGHT, GRAIN = 128 };

static inline float larger(float a, float b) { return a > b ? a : b; }
static inline float smaller(float a, float b) { return a < b ? a : b; }

/* ---- setting up -------------------------------------------------------------------------------
 */

typedef struct record {
  double centre[3];
  int32_t item;
} record;

static bool before(const record *a, const record *b, int axis) {
  return a->centre[axis] < b->centre[axis] ||
         (a->centre[axis] == b->centre[axis] && a->item < b->item);
}

static int longest_axis(const record *r, size_t count) {
  double widest = -1;
  int axis = 0;
  for (int a = 0; a < 3; a++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): count is 1 or more */
    double low = r[0].centre[a], high = low;
    for (size_t i = 1; i < count; i++) {
      low = fmin(low, r[i].centre[a]);
      high = fmax(high, r[i].centre[a]);
    }
    if (high - low > widest) widest = high - low, axis = a;
  }
  return axis;
}

/* Puts the `first` lowest along the axis before the others (Hoare's Find). */
static void select_lowest(record *r, size_t count, size_t first, int axis) {
  ptrdiff_t begin = 0, end = (ptrdiff_t)count - 1, at = (ptrdiff_t)first;
  while (begin < end) {
    record middle = r[at];
    ptrdiff_t i = begin, j = end;
    while (i <= j) {
      while (before(&r[i], &middle, axis)) i++;
      while (before(&middle, &r[j], axis)) j--;
      if (i > j) break;
      record kept = r[i];
      r[i++] = r[j];
      r[j--] = kept;
    }
    if (j < at) begin = i;
    if (at < i) end = j;
  }
}

/* Halves along the longest side, at places where groups, groups of groups and so on end. */
static void arrange(record *r, size_t count) {
  size_t unit = EIGHT;
  if (count <= EIGHT) return;
  while (unit * EIGHT < count) unit *= EIGHT;
  size_t first = ((count + unit - 1) / unit + 1) / 2 * unit;
  select_lowest(r, count, first, longest_axis(r, count));
  arrange(r, first);
  arrange(r + first, count - first);
}

static tribo_status find_order(const vec3 *rest, bvh_moving *tree, tribo_error *err) {
  record *records = malloc(tree->count * sizeof *records);
  if (!records) return status_no_memory(err, "a hierarchy of boxes");
  for (size_t i = 0; i < tree->count; i++) {
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < tree->arity; k++)
      sum = vec3_add(sum, rest[tree->corners[(size_t)tree->arity * i + (size_t)k]]);
    records[i] = (record){{sum.x, sum.y, sum.z}, (int32_t)i};
  }
  arrange(records, tree->count);
  /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): arrange permutes what was set */
  for (size_t i = 0; i < tree->count; i++) tree->order[i] = records[i].item;
  free(records);
  return TRIBO_OK;
}

/* Children that are not there are met by nothing. */
static void empty_lanes(eight_boxes *node, size_t from) {
  for (int a = 0; a < 3; a++)
    for (size_t l = from; l < EIGHT; l++) {
      node->low[a][l] = node->slow[a][l] = INFINITY;
      node->high[a][l] = node->fast[a][l] = -INFINITY;
    }
}

static void lay_levels(bvh_moving *tree, size_t *nodes) {
  size_t here = tree->group_count;
  *nodes = 0;
  for (tree->levels = 0; tree->levels < 2 || here > 0; tree->levels++) {
    assert(tree->levels < MOVING_LEVELS);
    tree->first[tree->levels] = *nodes;
    *nodes += here;
    here = here > 1 || tree->levels == 0 ? (here + EIGHT - 1) / EIGHT : 0;
  }
}

tribo_status bvh_moving_build(const vec3 *rest, const int32_t *corners, int arity, size_t count,
                              arena *memory, bvh_moving *tree, tribo_error *err) {
  assert(count < (size_t)1 << 30 && arity >= 1 && arity <= 3);
  *tree = (bvh_moving){.count = count, .corners = corners, .arity = arity, .by = eights_best()};
  if (count == 0) return TRIBO_OK;
  size_t nodes;
  tree->group_count = (count + EIGHT - 1) / EIGHT;
  lay_levels(tree, &nodes);
  tree->order = ARENA_ARRAY(memory, int32_t, count);
  tree->nodes = ARENA_ARRAY(memory, eight_boxes, nodes);
  if (!tree->order || !tree->nodes) return status_no_memory(err, "a hierarchy of boxes");
  for (size_t n = 0; n < nodes; n++) empty_lanes(&tree->nodes[n], 0);
  return find_order(rest, tree, err);
}

/* ---- refitting --------------------------------------------------------------------------------
 */

typedef struct motion_job {
  const vec3 *x, *v;
  bvh_motion *out;
} motion_job;

static float in_range(double x) {
  double most = (double)FLT_MAX;
  return (float)(x > most ? most : x < -most ? -most : x);
}

static void take_motion(void *context, size_t begin, size_t end) {
  const motion_job *job = context;
  for (size_t i = begin; i < end; i++) {
    vec3 x = job->x[i], v = job->v[i];
    job->out[i] = (bvh_motion){{in_range(x.x), in_range(x.y), in_range(x.z), 0, in_range(v.x),
                                in_range(v.y), in_range(v.z), 0}};
  }
}

void bvh_motion_take(const tasks *t, const vec3 *x, const vec3 *v, size_t count, bvh_motion *out) {
  motion_job job = {x, v, out};
  tasks_for(t, count, 4096, take_motion, &job);
}

typedef struct refit_job {
  const bvh_motion *vertices;
  bvh_moving *tree;
} refit_job;

static void fit_item(const bvh_moving *tree, const bvh_motion *vertices, size_t place,
                     eight_boxes *node, size_t lane) {
  const int32_t *corner = tree->corners + (size_t)tree->arity * (size_t)tree->order[place];
  bvh_motion low = vertices[corner[0]], high = low;
  for (int k = 1; k < tree->arity; k++) {
    const bvh_motion *more = &vertices[corner[k]];
    for (int i = 0; i < EIGHT; i++) low.at[i] = smaller(low.at[i], more->at[i]);
    for (int i = 0; i < EIGHT; i++) high.at[i] = larger(high.at[i], more->at[i]);
  }
  for (int a = 0; a < 3; a++) {
    node->low[a][lane] = low.at[a];
    node->high[a][lane] = high.at[a];
    node->slow[a][lane] = low.at[a + 4];
    node->fast[a][lane] = high.at[a + 4];
  }
}

/* Rounding to a float was off by half a unit in the last place; this is two at least. */
static void widen(float low[3][EIGHT], float high[3][EIGHT]) {
  for (int a = 0; a < 3; a++)
    for (int l = 0; l < EIGHT; l++) {
      low[a][l] -= fabsf(low[a][l]) * 0x1p-22F + FLT_MIN;
      high[a][l] += fabsf(high[a][l]) * 0x1p-22F + FLT_MIN;
    }
}

static void fit_groups(void *context, size_t begin, size_t end) {
  const refit_job *job = context;
  bvh_moving *tree = job->tree;
  for (size_t g = begin; g < end; g++) {
    eight_boxes *node = &tree->nodes[g];
    size_t items = tree->count - EIGHT * g < EIGHT ? tree->count - EIGHT * g : EIGHT;
    for (size_t l = 0; l < items; l++) fit_item(tree, job->vertices, EIGHT * g + l, node, l);
    widen(node->low, node->high);
    widen(node->slow, node->fast);
    empty_lanes(node, items);
  }
}

static void unite(const float low[3][EIGHT], const float high[3][EIGHT], int lane,
                  float to_low[3][EIGHT], float to_high[3][EIGHT]) {
  for (int a = 0; a < 3; a++) {
    float least = low[a][0], most = high[a][0];
    for (int l = 1; l < EIGHT; l++) {
      least = smaller(least, low[a][l]);
      most = larger(most, high[a][l]);
    }
    to_low[a][lane] = least;
    to_high[a][lane] = most;
  }
}

void bvh_moving_refit(const tasks *t, const bvh_motion *vertices, bvh_moving *tree) {
  if (tree->count == 0) return;
  refit_job job = {vertices, tree};
  tasks_for(t, tree->group_count, GRAIN, fit_groups, &job);
  size_t below = tree->group_count;
  for (int level = 1; level < tree->levels; level++) {
    for (size_t n = 0; n < below; n++) {
      const eight_boxes *from = &tree->nodes[tree->first[level - 1] + n];
      eight_boxes *to = &tree->nodes[tree->first[level] + n / EIGHT];
      unite(from->low, from->high, (int)(n % EIGHT), to->low, to->high);
      unite(from->slow, from->fast, (int)(n % EIGHT), to->slow, to->fast);
    }
    below = (below + EIGHT - 1) / EIGHT;
  }
}

/* ---- asking -----------------------------------------------------------------------------------
 */

one_box bvh_moving_box(const bvh_moving *tree, int level, size_t at) {
  const eight_boxes *node = &tree->nodes[tree->first[level] + at / EIGHT];
  size_t l = at % EIGHT;
  one_box box;
  for (int a = 0; a < 3; a++) {
    box.low[a] = node->low[a][l];
    box.high[a] = node->high[a][l];
    box.slow[a] = node->slow[a][l];
    box.fast[a] = node->fast[a][l];
  }
  return box;
}

typedef struct place {
  int level;
  int32_t at;
} place;

void bvh_moving_visit(const bvh_moving *tree, const one_box *asked, bvh_moving_visitor visit,
                      void *context) {
  if (tree->count == 0) return;
  place stack[STACK];
  int top = 0;
  stack[top++] = (place){tree->levels - 1, 0};
  while (top > 0) {
    place next = stack[--top];
    unsigned bits =
        tree->by->reached(&tree->nodes[tree->first[next.level] + (size_t)next.at], asked);
    if (next.level == 1) {
      for (; bits; bits &= bits - 1) visit(context, EIGHT * next.at + __builtin_ctz(bits));
      continue;
    }
    for (int i = EIGHT - 1; i >= 0; i--)
      if (bits >> i & 1) stack[top++] = (place){next.level - 1, EIGHT * next.at + i};
    assert(top <= STACK);
  }
}
