/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <float.h>
#include <stdlib.h>

#include "geom/bvh_layout.h"

enum { BINS = 16, PART_NODES = 256, BOX_GRAIN = 1024 };

typedef struct record {
  double low[3], high[3];
  int32_t item;
} record;

typedef struct span {
  size_t first, count;
  double low[3], high[3];
} span;

typedef struct pending {
  span items;
  int32_t parent, slot;
  int level;
} pending;

/* ------------------------------------------------------------------------------------ boxes -- */

/* Rounding to a float is off by half a unit, and what is taken off is one to two: so half a unit at
 * least is left over, and the foot of a triangle, rounded in doubles, lies in the box also when the
 * triangle is flat. */
static float rounded_down(double x) {
  float f = x > (double)FLT_MAX ? FLT_MAX : (float)x;
  return f - fabsf(f) * 0x1p-23F - FLT_MIN;
}

static float rounded_up(double x) { return -rounded_down(-x); }

static void set_child_box(bvh_node *node, int slot, const double low[3], const double high[3]) {
  for (int a = 0; a < 3; a++) {
    node->low[a][slot] = rounded_down(low[a]);
    node->high[a][slot] = rounded_up(high[a]);
  }
}

static void empty_box(double low[3], double high[3]) {
  for (int a = 0; a < 3; a++) {
    low[a] = INFINITY;
    high[a] = -INFINITY;
  }
}

static inline void include_box(const double from_low[3], const double from_high[3], double low[3],
                               double high[3]) {
  for (int a = 0; a < 3; a++) {
    low[a] = from_low[a] < low[a] ? from_low[a] : low[a];
    high[a] = from_high[a] > high[a] ? from_high[a] : high[a];
  }
}

/* Half the surface. */
static double area_of(const double low[3], const double high[3]) {
  double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
  return x < 0 ? 0 : x * y + y * z + z * x;
}

static span span_of(const record *records, size_t first, size_t count) {
  span s = {first, count, {0}, {0}};
  empty_box(s.low, s.high);
  for (size_t i = first; i < first + count; i++)
    include_box(records[i].low, records[i].high, s.low, s.high);
  return s;
}

/* -------------------------------------------------------------------------------- the split -- */

/* Halves, so that a sum does not overflow. */
static inline double centre_of(const record *r, int axis) {
  return 0.5 * r->low[axis] + 0.5 * r->high[axis];
}

typedef struct bin {
  size_t count;
  double low[3], high[3];
} bin;

typedef struct cut {
  int axis, bin; /* items in this bin and after it go to the second part; axis -1: no cut found */
  double low, scale, cost;
} cut;

static inline int bin_of(const record *r, const cut *c) {
  int b = (int)((centre_of(r, c->axis) - c->low) * c->scale);
  return b < BINS - 1 ? b : BINS - 1;
}

/* The cheapest of the cuts between bins along one axis: area times count, on both sides. */
static cut best_cut_along(const record *records, const span *s, int axis, double low, double high) {
  cut best = {-1, 0, low, BINS / (high - low), INFINITY}, along = best;
  along.axis = axis;
  if (!(best.scale > 0 && best.scale <= DBL_MAX)) return best;
  bin bins[BINS];
  for (int b = 0; b < BINS; b++) {
    bins[b].count = 0;
    empty_box(bins[b].low, bins[b].high);
  }
  for (size_t i = s->first; i < s->first + s->count; i++) {
    bin *b = &bins[bin_of(&records[i], &along)];
    b->count++;
    include_box(records[i].low, records[i].high, b->low, b->high);
  }
  double behind[BINS], corner_low[3], corner_high[3];
  size_t items = 0;
  empty_box(corner_low, corner_high);
  for (int b = BINS - 1; b > 0; b--) {
    items += bins[b].count;
    include_box(bins[b].low, bins[b].high, corner_low, corner_high);
    behind[b] = items ? area_of(corner_low, corner_high) * (double)items : INFINITY;
  }
  items = 0;
  empty_box(corner_low, corner_high);
  for (int b = 1; b < BINS; b++) {
    items += bins[b - 1].count;
    include_box(bins[b - 1].low, bins[b - 1].high, corner_low, corner_high);
    if (items == 0 || items == s->count) continue;
    along.bin = b;
    along.cost = area_of(corner_low, corner_high) * (double)items + behind[b];
    if (best.axis < 0 || along.cost < best.cost) best = along;
  }
  return best;
}

static cut best_cut(const record *records, const span *s) {
  double low[3], high[3];
  empty_box(low, high);
  for (size_t i = s->first; i < s->first + s->count; i++)
    for (int a = 0; a < 3; a++) {
      double c = centre_of(&records[i], a);
      low[a] = c < low[a] ? c : low[a];
      high[a] = c > high[a] ? c : high[a];
    }
  cut best = {.axis = -1};
  for (int a = 0; a < 3; a++) {
    cut c = best_cut_along(records, s, a, low[a], high[a]);
    if (c.axis >= 0 && (best.axis < 0 || c.cost < best.cost)) best = c;
  }
  return best;
}

/* Cuts s in two non-empty parts. Items that cannot be told apart, and trees that have become too
 * deep, are cut in the middle of their order: that bounds the depth. */
static void split(record *records, bool by_area, span *s, span *second) {
  size_t begin = s->first, end = s->first + s->count, middle = s->first + s->count / 2;
  cut c = {.axis = -1};
  if (by_area) c = best_cut(records, s);
  if (c.axis >= 0) {
    size_t last = end;
    middle = begin;
    while (middle < last) {
      if (bin_of(&records[middle], &c) < c.bin) {
        middle++;
      } else {
        record kept = records[middle];
        records[middle] = records[--last];
        records[last] = kept;
      }
    }
  }
  *second = span_of(records, middle, end - middle);
  *s = span_of(records, begin, middle - begin);
}

/* The part to cut next: the one with the largest surface, or with the most items. */
static int largest_part(const span *parts, int count, bool by_area) {
  int largest = -1;
  double most = -1;
  for (int i = 0; i < count; i++) {
    double size = by_area ? area_of(parts[i].low, parts[i].high) : (double)parts[i].count;
    if (parts[i].count > 1 && size > most) {
      most = size;
      largest = i;
    }
  }
  return largest;
}

/* ------------------------------------------------------------------------------- the build -- */

typedef struct builder {
  record *records;
  bvh *tree;
  int32_t placed; /* items so far */
  pending stack[BVH_STACK];
  int waiting;
} builder;

/* Makes a node of what has waited longest on its branch; parts of more than one item wait. */
static void build_node(builder *b) {
  pending now = b->stack[--b->waiting];
  int32_t number = (int32_t)b->tree->node_count++;
  bvh_node *node = &b->tree->nodes[number];
  if (now.parent >= 0) b->tree->nodes[now.parent].child[now.slot] = number;

  bool by_area = now.level < BVH_FREE_LEVELS;
  span parts[BVH_WIDTH] = {now.items};
  int count = 1;
  while (count < BVH_WIDTH) {
    int largest = largest_part(parts, count, by_area);
    if (largest < 0) break;
    split(b->records, by_area, &parts[largest], &parts[count]);
    count++;
  }
  node->count = count;
  for (int slot = 0; slot < BVH_WIDTH; slot++) {
    double low[3], high[3];
    empty_box(low, high);
    if (slot < count) include_box(parts[slot].low, parts[slot].high, low, high);
    set_child_box(node, slot, low, high);
    if (slot < count && parts[slot].count == 1) {
      b->tree->order[b->placed] = b->records[parts[slot].first].item;
      node->child[slot] = ~b->placed++;
    }
  }
  for (int slot = count - 1; slot >= 0; slot--)
    if (parts[slot].count > 1)
      b->stack[b->waiting++] = (pending){parts[slot], number, slot, now.level + 1};
}

/* Divides the nodes into subtrees of at most PART_NODES, and what is above them. */
static void find_parts(bvh *tree) {
  bvh_range stack[BVH_STACK];
  int waiting = 0;
  stack[waiting++] = (bvh_range){0, (int32_t)tree->node_count};
  while (waiting > 0) {
    bvh_range r = stack[--waiting];
    if (r.end - r.begin <= PART_NODES) {
      tree->parts[tree->part_count++] = r;
      continue;
    }
    tree->crown[tree->crown_count++] = r.begin;
    int32_t end = r.end;
    for (int slot = tree->nodes[r.begin].count - 1; slot >= 0; slot--) {
      int32_t child = tree->nodes[r.begin].child[slot];
      if (child < 0) continue;
      stack[waiting++] = (bvh_range){child, end};
      end = child;
    }
  }
}

static bool sound(const bvh_box *b) {
  return vec3_finite(b->low) && vec3_finite(b->high) && b->low.x <= b->high.x &&
         b->low.y <= b->high.y && b->low.z <= b->high.z;
}

tribo_status bvh_build(const bvh_box *boxes, size_t count, arena *memory, bvh *tree,
                       tribo_error *err) {
  assert(count < (size_t)1 << 30);
  *tree = (bvh){0};
  for (size_t i = 0; i < count; i++)
    if (!sound(&boxes[i]))
      return status_fail(
          err, TRIBO_BAD_INPUT,
          "box %zu is from (%g, %g, %g) to (%g, %g, %g): corners must be finite, and "
          "the first not above the second",
          i, boxes[i].low.x, boxes[i].low.y, boxes[i].low.z, boxes[i].high.x, boxes[i].high.y,
          boxes[i].high.z);
  if (count == 0) return TRIBO_OK;
  bvh made = {.count = count};
  made.order = ARENA_ARRAY(memory, int32_t, count);
  /* Nodes above others have four children, the lowest at least two, and a root of one item one. */
  made.nodes = ARENA_ARRAY(memory, bvh_node, 2 * count / 3 + 2);
  made.parts = ARENA_ARRAY(memory, bvh_range, count);
  made.crown = ARENA_ARRAY(memory, int32_t, count / PART_NODES * BVH_MOST_LEVELS + 1);
  record *records = malloc(count * sizeof *records);
  if (!made.order || !made.nodes || !made.parts || !made.crown || !records) {
    free(records);
    return status_no_memory(err, "a hierarchy of boxes");
  }
  for (size_t i = 0; i < count; i++) {
    vec3 low = boxes[i].low, high = boxes[i].high;
    records[i] = (record){{low.x, low.y, low.z}, {high.x, high.y, high.z}, (int32_t)i};
  }
  builder b = {.records = records, .tree = &made};
  b.stack[b.waiting++] = (pending){span_of(records, 0, count), -1, 0, 0};
  while (b.waiting > 0) build_node(&b);
  free(records);
  find_parts(&made);
  *tree = made;
  return TRIBO_OK;
}

/* ------------------------------------------------------------------------------- refitting -- */

typedef struct refit_job {
  const bvh_box *boxes;
  bvh *tree;
} refit_job;

/* The least and the greatest are exact, so the order in which nodes are done does not matter. */
static void refit_node(const refit_job *job, int32_t number) {
  bvh_node *node = &job->tree->nodes[number];
  for (int slot = 0; slot < node->count; slot++) {
    int32_t child = node->child[slot];
    if (child < 0) {
      const bvh_box *b = &job->boxes[job->tree->order[~child]];
      set_child_box(node, slot, (const double[]){b->low.x, b->low.y, b->low.z},
                    (const double[]){b->high.x, b->high.y, b->high.z});
      continue;
    }
    const bvh_node *below = &job->tree->nodes[child];
    for (int a = 0; a < 3; a++) {
      float low = below->low[a][0], high = below->high[a][0];
      for (int i = 1; i < BVH_WIDTH; i++) {
        low = below->low[a][i] < low ? below->low[a][i] : low;
        high = below->high[a][i] > high ? below->high[a][i] : high;
      }
      node->low[a][slot] = low;
      node->high[a][slot] = high;
    }
  }
}

static void refit_parts(void *context, size_t begin, size_t end) {
  const refit_job *job = context;
  for (size_t p = begin; p < end; p++)
    for (int32_t n = job->tree->parts[p].end - 1; n >= job->tree->parts[p].begin; n--)
      refit_node(job, n);
}

void bvh_refit(const tasks *t, const bvh_box *boxes, bvh *tree) {
  refit_job job = {boxes, tree};
  tasks_for(t, tree->part_count, 4, refit_parts, &job);
  for (size_t i = tree->crown_count; i-- > 0;) refit_node(&job, tree->crown[i]);
}

typedef struct boxes_job {
  const vec3 *start, *end;
  const int32_t *triangles;
  double margin;
  bvh_box *boxes;
} boxes_job;

static void include_point(vec3 p, bvh_box *b) {
  b->low = vec3_make(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
  b->high = vec3_make(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static void fill_boxes(void *context, size_t begin, size_t end) {
  const boxes_job *job = context;
  for (size_t i = begin; i < end; i++) {
    const int32_t *v = job->triangles + 3 * i;
    bvh_box b = {job->start[v[0]], job->start[v[0]]};
    for (int c = 0; c < 3; c++) {
      include_point(job->start[v[c]], &b);
      include_point(job->end[v[c]], &b);
    }
    vec3 margin = vec3_make(job->margin, job->margin, job->margin);
    job->boxes[i] = (bvh_box){vec3_sub(b.low, margin), vec3_add(b.high, margin)};
  }
}

void bvh_triangle_boxes(const tasks *t, const vec3 *start, const vec3 *end,
                        const int32_t *triangles, size_t count, double margin, bvh_box *boxes) {
  boxes_job job = {start, end, triangles, margin, boxes};
  tasks_for(t, count, BOX_GRAIN, fill_boxes, &job);
}
