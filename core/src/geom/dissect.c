/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/dissect.h"

#include <stdlib.h>
#include <string.h>

/* 2^5 leaves feed 8 threads four parts each; a part smaller than the least is not worth a cut. */
enum { DEPTH = 5, LEAST_PART = 256, MOST_PARTS = 2 << DEPTH };

typedef struct part {
  size_t level, first, count; /* elements in `sequence` */
} part;

typedef struct dissector {
  const int32_t *vertices;
  size_t arity;
  const vec3 *positions;
  int32_t *sequence; /* the elements, cut after cut closer to the final order */
  int32_t *spare;
  double *keys,
      *sorted;      /* an element's place along the cut's axis, by element; and for the median */
  uint32_t *stamps; /* the last cut that had the vertex in its first half */
  uint32_t stamp;
  part parts[MOST_PARTS];
  size_t part_count;
} dissector;

static vec3 element_sum(const dissector *d, int32_t element) {
  vec3 sum = {0, 0, 0};
  for (size_t a = 0; a < d->arity; a++)
    sum = vec3_add(sum, d->positions[d->vertices[(size_t)element * d->arity + a]]);
  return sum;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Gives every element of the range its place along the longest side, and returns the median. */
static double measure(dissector *d, const int32_t *elements, size_t count) {
  vec3 low = element_sum(d, elements[0]), high = low;
  for (size_t i = 1; i < count; i++) {
    vec3 c = element_sum(d, elements[i]);
    low = vec3_make(fmin(low.x, c.x), fmin(low.y, c.y), fmin(low.z, c.z));
    high = vec3_make(fmax(high.x, c.x), fmax(high.y, c.y), fmax(high.z, c.z));
  }
  vec3 side = vec3_sub(high, low);
  int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  for (size_t i = 0; i < count; i++) {
    vec3 c = element_sum(d, elements[i]);
    d->sorted[i] = d->keys[elements[i]] = axis == 0 ? c.x : axis == 1 ? c.y : c.z;
  }
  qsort(d->sorted, count, sizeof *d->sorted, compare_doubles);
  return d->sorted[count / 2];
}

static bool touches_stamp(const dissector *d, int32_t element) {
  for (size_t a = 0; a < d->arity; a++)
    if (d->stamps[d->vertices[(size_t)element * d->arity + a]] == d->stamp) return true;
  return false;
}

static void stamp_vertices(dissector *d, int32_t element) {
  for (size_t a = 0; a < d->arity; a++)
    d->stamps[d->vertices[(size_t)element * d->arity + a]] = d->stamp;
}

/* Brings the range into the order first half, second half, cut; each keeps its order inside. */
static void halve(dissector *d, size_t first, size_t count, size_t *first_half,
                  size_t *second_half) {
  int32_t *elements = d->sequence + first;
  double median = measure(d, elements, count);
  d->stamp++;
  size_t below = 0, above = 0, cut = 0;
  for (size_t i = 0; i < count; i++)
    if (d->keys[elements[i]] < median) {
      stamp_vertices(d, elements[i]);
      below++;
    }
  for (size_t i = 0; i < count; i++)
    if (d->keys[elements[i]] >= median && !touches_stamp(d, elements[i])) above++;
  *first_half = below;
  *second_half = above;
  size_t next[3] = {0, below, below + above};
  for (size_t i = 0; i < count; i++) {
    bool low = d->keys[elements[i]] < median;
    cut = low ? 0 : touches_stamp(d, elements[i]) ? 2 : 1;
    d->spare[next[cut]++] = elements[i];
  }
  memcpy(elements, d->spare, count * sizeof *elements);
}

static void add_part(dissector *d, size_t level, size_t first, size_t count) {
  if (count) d->parts[d->part_count++] = (part){level, first, count};
}

static void dissect(dissector *d, size_t first, size_t count, size_t depth) {
  if (depth == DEPTH || count < 2 * LEAST_PART) {
    add_part(d, 0, first, count);
    return;
  }
  size_t a, b;
  halve(d, first, count, &a, &b);
  dissect(d, first, a, depth + 1);
  dissect(d, first + a, b, depth + 1);
  add_part(d, DEPTH - depth, first + a + b, count - a - b);
}

/* Lays the parts out level by level. */
static void lay_out(const dissector *d, dissection *out, int32_t *order) {
  size_t element = 0, number = 0;
  for (size_t level = 0; level <= DEPTH; level++) {
    size_t before = number;
    for (size_t p = 0; p < d->part_count; p++) {
      if (d->parts[p].level != level) continue;
      memcpy(order + element, d->sequence + d->parts[p].first, d->parts[p].count * sizeof *order);
      element += d->parts[p].count;
      out->part_start[++number] = element;
    }
    if (number > before) out->level_start[++out->level_count] = number;
  }
}

tribo_status dissect_elements(const int32_t *vertices, size_t count, int arity,
                              const vec3 *positions, size_t vertex_count, arena *memory,
                              dissection *out, int32_t *order, tribo_error *err) {
  arena scratch = {0};
  dissector *d = ARENA_ARRAY(&scratch, dissector, 1);
  *out = (dissection){.level_start = ARENA_ARRAY(memory, size_t, DEPTH + 2),
                      .part_start = ARENA_ARRAY(memory, size_t, MOST_PARTS + 1)};
  bool whole = d && out->level_start && out->part_start;
  if (whole) {
    *d = (dissector){.vertices = vertices,
                     .arity = (size_t)arity,
                     .positions = positions,
                     .sequence = ARENA_ARRAY(&scratch, int32_t, count),
                     .spare = ARENA_ARRAY(&scratch, int32_t, count),
                     .keys = ARENA_ARRAY(&scratch, double, count),
                     .sorted = ARENA_ARRAY(&scratch, double, count),
                     .stamps = ARENA_ARRAY(&scratch, uint32_t, vertex_count)};
    whole = d->sequence && d->spare && d->keys && d->sorted && d->stamps;
  }
  if (whole) {
    for (size_t e = 0; e < count; e++) d->sequence[e] = (int32_t)e;
    dissect(d, 0, count, 0);
    lay_out(d, out, order);
  }
  arena_free(&scratch);
  return whole ? TRIBO_OK : status_no_memory(err, "the parts of a mesh");
}
