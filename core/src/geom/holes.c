/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/holes.h"

#include <stdlib.h>
#include <string.h>

#include "geom/places.h"

/* A side of a triangle, from a to b. */
typedef struct side {
  int32_t low, high;
  int32_t a, b;
} side;

static int compare_sides(const void *one, const void *other) {
  const side *x = one, *y = other;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->a < y->a ? -1 : x->a > y->a;
}

/* The triangles over places, each place called by its first vertex; `from`: their numbers as given.
 * Those that are flattened to a line by that are left out. */
static tribo_status weld(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                         size_t count, arena *memory, int32_t *welded, size_t *from, size_t *left,
                         tribo_error *err) {
  int32_t *place = ARENA_ARRAY(memory, int32_t, vertex_count);
  int32_t *first = ARENA_ARRAY(memory, int32_t, vertex_count);
  if (!place || !first) return status_no_memory(err, "a surface");
  size_t places;
  TRY(places_number(positions, vertex_count, place, &places, err));
  for (size_t v = vertex_count; v-- > 0;) first[place[v]] = (int32_t)v;
  *left = 0;
  for (size_t t = 0; t < count; t++) {
    int32_t *to = welded + 3 * *left;
    for (int k = 0; k < 3; k++) to[k] = first[place[triangles[3 * t + (size_t)k]]];
    from[*left] = t;
    *left += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
  }
  return TRIBO_OK;
}

/* Sides that belong to one triangle alone; sorted by their vertices. */
static size_t open_sides(const int32_t *triangles, size_t count, side *sides) {
  for (size_t t = 0; t < count; t++)
    for (size_t k = 0; k < 3; k++) {
      int32_t a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3];
      sides[3 * t + k] = (side){a < b ? a : b, a < b ? b : a, a, b};
    }
  qsort(sides, 3 * count, sizeof *sides, compare_sides);
  size_t open = 0;
  for (size_t i = 0, end; i < 3 * count; i = end) {
    for (end = i + 1;
         end < 3 * count && sides[end].low == sides[i].low && sides[end].high == sides[i].high;)
      end++;
    if (end == i + 1) sides[open++] = sides[i];
  }
  return open;
}

/* The open sides, and by vertex to which ring they belong: its lowest vertex. */
typedef struct rim {
  const side *sides;
  size_t count;
  int32_t *ring;   /* by vertex */
  int32_t *middle; /* by ring: the vertex in the middle of its fan, -1 for none yet */
  int32_t *sizes;  /* by fan: its triangles */
} rim;

static int32_t ring_of(const rim *r, int32_t v) {
  while (r->ring[v] != v) v = r->ring[v] = r->ring[r->ring[v]];
  return v;
}

/* Open sides that hang together are one ring. */
static void find_rings(rim *r) {
  for (size_t i = 0; i < r->count; i++) {
    r->ring[r->sides[i].a] = r->sides[i].a, r->ring[r->sides[i].b] = r->sides[i].b;
    r->middle[r->sides[i].a] = r->middle[r->sides[i].b] = -1;
  }
  for (size_t i = 0; i < r->count; i++) {
    int32_t one = ring_of(r, r->sides[i].a), other = ring_of(r, r->sides[i].b);
    r->ring[one > other ? one : other] = one < other ? one : other;
  }
}

static void add_middles(rim *r, size_t vertex_count, holes_closed *out) {
  for (size_t i = 0; i < r->count; i++) {
    int32_t *middle = &r->middle[ring_of(r, r->sides[i].a)];
    if (*middle < 0) {
      r->sizes[out->holes] = 0;
      *middle = (int32_t)(vertex_count + out->holes);
      out->positions[vertex_count + out->holes++] = (vec3){0, 0, 0};
    }
    r->sizes[(size_t)*middle - vertex_count]++;
    vec3 ends = vec3_add(out->positions[r->sides[i].a], out->positions[r->sides[i].b]);
    out->positions[*middle] = vec3_madd(out->positions[*middle], 0.5, ends);
  }
  for (size_t h = 0; h < out->holes; h++) {
    vec3 *middle = &out->positions[vertex_count + h];
    *middle = vec3_scale(1.0 / r->sizes[h], *middle);
  }
}

static void add_fans(rim *r, size_t vertex_count, holes_closed *out) {
  find_rings(r);
  add_middles(r, vertex_count, out);
  for (size_t i = 0; i < r->count; i++) {
    int32_t *to = out->triangles + 3 * out->triangle_count++;
    to[0] = r->sides[i].b, to[1] = r->sides[i].a;
    to[2] = r->middle[ring_of(r, r->sides[i].a)];
  }
}

static void name_as_given(const topology_fault *welded, const size_t *from, topology_fault *out) {
  *out = *welded;
  if (welded->kind == TOPOLOGY_CLOSED) return;
  out->triangle = from[welded->triangle];
  out->other = from[welded->other];
}

/* With fans over the open sides; the fault is that of what there is now, as far as it lies on the
 * surface itself. */
static tribo_status close_open(size_t vertex_count, side *sides, size_t open, arena *memory,
                               const size_t *from, holes_closed *out, tribo_error *err) {
  rim r = {.sides = sides,
           .count = open,
           .ring = ARENA_ARRAY(memory, int32_t, vertex_count),
           .middle = ARENA_ARRAY(memory, int32_t, vertex_count),
           .sizes = ARENA_ARRAY(memory, int32_t, open)};
  if (!r.ring || !r.middle || !r.sizes) return status_no_memory(err, "a surface");
  size_t surface = out->triangle_count;
  add_fans(&r, vertex_count, out);
  topology_fault after;
  TRY(topology_check_closed(out->triangles, out->triangle_count, &after, err));
  bool closed = after.kind == TOPOLOGY_CLOSED;
  bool given =
      closed || (after.edge[0] < (int32_t)vertex_count && after.edge[1] < (int32_t)vertex_count &&
                 after.triangle < surface && after.other < surface);
  if (given) name_as_given(&after, from, &out->fault);
  return TRIBO_OK;
}

tribo_status holes_close(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                         size_t count, arena *memory, holes_closed *out, tribo_error *err) {
  *out = (holes_closed){.triangle_count = count};
  out->triangles = ARENA_ARRAY(memory, int32_t, 3 * (count + 3 * count)); /* all sides open */
  out->positions = ARENA_ARRAY(memory, vec3, vertex_count + 3 * count);
  size_t *from = ARENA_ARRAY(memory, size_t, count + 1);
  side *sides = ARENA_ARRAY(memory, side, 3 * count);
  if (!out->triangles || !out->positions || !from || !sides)
    return status_no_memory(err, "a surface");
  memcpy(out->positions, positions, vertex_count * sizeof *positions);
  memcpy(out->triangles, triangles, 3 * count * sizeof *triangles);
  TRY(topology_check_closed(triangles, count, &out->fault, err));
  if (out->fault.kind != TOPOLOGY_OPEN) return TRIBO_OK;
  topology_fault joined;
  TRY(weld(positions, vertex_count, triangles, count, memory, out->triangles, from,
           &out->triangle_count, err));
  TRY(topology_check_closed(out->triangles, out->triangle_count, &joined, err));
  if (joined.kind == TOPOLOGY_CLOSED) out->fault = joined;
  if (joined.kind != TOPOLOGY_OPEN) return TRIBO_OK;
  size_t open = open_sides(out->triangles, out->triangle_count, sides);
  return close_open(vertex_count, sides, open, memory, from, out, err);
}
