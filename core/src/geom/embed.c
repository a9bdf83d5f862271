/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/embed.h"

#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"

const double EMBED_OUTSIDE = 1e-6;

/* ---- points that are nodes ------------------------------------------------------------------- */

typedef struct place {
  vec3 at;
  int32_t node;
} place;

static int compare_coordinates(vec3 a, vec3 b) {
  if (a.x != b.x) return a.x < b.x ? -1 : 1;
  if (a.y != b.y) return a.y < b.y ? -1 : 1;
  return a.z < b.z ? -1 : a.z > b.z;
}

static int compare_places(const void *left, const void *right) {
  const place *a = left, *b = right;
  int by_place = compare_coordinates(a->at, b->at);
  return by_place ? by_place : a->node < b->node ? -1 : a->node > b->node;
}

/* The first of the sorted places that is not before p. */
static size_t lower_bound(const place *places, size_t count, vec3 p) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t half = low + (high - low) / 2;
    if (compare_coordinates(places[half].at, p) < 0)
      low = half + 1;
    else
      high = half;
  }
  return low;
}

/* ---- tets by place --------------------------------------------------------------------------- */

/* A grid of about as many cells as tets; each knows the tets whose boxes reach into it. */
typedef struct bins {
  vec3 low;
  vec3 cells_a_metre;
  int32_t size[3];
  int32_t *start, *tet;
} bins;

static double component(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static int32_t bin_along(const bins *b, vec3 p, int axis) {
  double at = (component(p, axis) - component(b->low, axis)) * component(b->cells_a_metre, axis);
  int32_t most = b->size[axis] - 1;
  return at <= 0 ? 0 : at >= most ? most : (int32_t)at;
}

static size_t bin_number(const bins *b, int32_t i, int32_t j, int32_t k) {
  return (size_t)i + (size_t)b->size[0] * ((size_t)j + (size_t)b->size[1] * (size_t)k);
}

static void grow(vec3 *low, vec3 *high, vec3 p) {
  *low = vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
  *high = vec3_make(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

/* Visits the bins of every tet: counts them, or writes the tets once `tet` is there. */
static void visit_tets(bins *b, const vec3 *nodes, const int32_t *tets, size_t tet_count) {
  for (size_t t = 0; t < tet_count; t++) {
    vec3 low = nodes[tets[4 * t]], high = low;
    for (size_t a = 1; a < 4; a++) grow(&low, &high, nodes[tets[4 * t + a]]);
    vec3 margin = vec3_scale(EMBED_OUTSIDE, vec3_sub(high, low));
    low = vec3_sub(low, margin);
    high = vec3_add(high, margin);
    for (int32_t k = bin_along(b, low, 2); k <= bin_along(b, high, 2); k++)
      for (int32_t j = bin_along(b, low, 1); j <= bin_along(b, high, 1); j++)
        for (int32_t i = bin_along(b, low, 0); i <= bin_along(b, high, 0); i++) {
          int32_t *next = &b->start[bin_number(b, i, j, k) + 1];
          if (b->tet) b->tet[*next] = (int32_t)t;
          ++*next;
        }
  }
}

static tribo_status fill_bins(const vec3 *nodes, size_t node_count, const int32_t *tets,
                              size_t tet_count, arena *scratch, bins *b, tribo_error *err) {
  *b = (bins){0};
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < node_count; i++) grow(&low, &high, nodes[i]);
  vec3 side = vec3_sub(high, low);
  double cell = cbrt(side.x * side.y * side.z / (double)(tet_count + 1));
  b->low = low;
  for (int a = 0; a < 3; a++) {
    double wanted = cell > 0 ? component(side, a) / cell : 1;
    b->size[a] = wanted >= 1 && wanted < 1000 ? (int32_t)wanted : wanted < 1000 ? 1 : 1000;
  }
  b->cells_a_metre =
      vec3_make(side.x > 0 ? b->size[0] / side.x : 0, side.y > 0 ? b->size[1] / side.y : 0,
                side.z > 0 ? b->size[2] / side.z : 0);
  size_t count = (size_t)b->size[0] * (size_t)b->size[1] * (size_t)b->size[2];
  b->start = ARENA_ARRAY(scratch, int32_t, count + 2);
  if (!b->start) return status_no_memory(err, "the tets' places");
  visit_tets(b, nodes, tets, tet_count); /* start[c + 1]: tets in c */
  size_t total = 0;
  for (size_t c = 0; c <= count; c++) {
    size_t here = (size_t)b->start[c];
    total += here;
    if (total > INT32_MAX) return status_no_memory(err, "the tets' places");
    b->start[c] = (int32_t)total;
  }
  /* start[c] is now where c begins, in the entry that the second visit moves on for c - 1. */
  b->tet = ARENA_ARRAY(scratch, int32_t, total);
  if (!b->tet) return status_no_memory(err, "the tets' places");
  memmove(b->start + 1, b->start, (count + 1) * sizeof *b->start);
  b->start[0] = 0;
  visit_tets(b, nodes, tets, tet_count);
  return TRIBO_OK;
}

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct search {
  const vec3 *nodes, *points;
  const int32_t *tets;
  const place *places;
  size_t place_count;
  const int32_t *holder; /* of every node, the first tet it belongs to; -1: none */
  bins bins;
  embedding *out;
  unsigned char *fate; /* of every point */
} search;

enum { LOST, IN_TET, ON_NODE };

static void weigh(const vec3 *nodes, const int32_t *tet, vec3 p, double weight[4]) {
  vec3 x = nodes[tet[0]];
  mat3 edges = mat3_from_columns(vec3_sub(nodes[tet[1]], x), vec3_sub(nodes[tet[2]], x),
                                 vec3_sub(nodes[tet[3]], x));
  mat3 inverse = mat3_inverse(&edges);
  vec3 w = mat3_mul_vec3(&inverse, vec3_sub(p, x));
  weight[0] = 1 - w.x - w.y - w.z;
  weight[1] = w.x;
  weight[2] = w.y;
  weight[3] = w.z;
}

static bool hang_on_node(const search *s, size_t i) {
  size_t at = lower_bound(s->places, s->place_count, s->points[i]);
  for (; at < s->place_count && !compare_coordinates(s->places[at].at, s->points[i]); at++) {
    int32_t node = s->places[at].node;
    if (s->holder[node] < 0) continue;
    const int32_t *tet = s->tets + 4 * (size_t)s->holder[node];
    int32_t *anchor = s->out->anchor[i];
    memcpy(anchor, tet, 4 * sizeof *anchor);
    for (int a = 1; a < 4; a++)
      if (anchor[a] == node) anchor[a] = anchor[0];
    anchor[0] = node;
    s->out->weight[i][0] = 1;
    return true;
  }
  return false;
}

static bool hang_in_tet(const search *s, size_t i) {
  vec3 p = s->points[i];
  const bins *b = &s->bins;
  size_t bin = bin_number(b, bin_along(b, p, 0), bin_along(b, p, 1), bin_along(b, p, 2));
  double deepest = -INFINITY;
  for (int32_t at = b->start[bin]; at < b->start[bin + 1]; at++) {
    const int32_t *tet = s->tets + 4 * (size_t)b->tet[at];
    double weight[4];
    weigh(s->nodes, tet, p, weight);
    double depth = fmin(fmin(weight[0], weight[1]), fmin(weight[2], weight[3]));
    if (!(depth > deepest)) continue;
    deepest = depth;
    memcpy(s->out->anchor[i], tet, 4 * sizeof *tet);
    memcpy(s->out->weight[i], weight, sizeof weight);
  }
  return deepest >= -EMBED_OUTSIDE;
}

static void hang_points(void *context, size_t begin, size_t end) {
  const search *s = context;
  for (size_t i = begin; i < end; i++)
    s->fate[i] = hang_on_node(s, i) ? ON_NODE : hang_in_tet(s, i) ? IN_TET : LOST;
}

static tribo_status prepare(search *s, size_t node_count, size_t tet_count, size_t point_count,
                            arena *scratch, tribo_error *err) {
  place *places = ARENA_ARRAY(scratch, place, node_count);
  int32_t *holder = ARENA_ARRAY(scratch, int32_t, node_count);
  s->fate = ARENA_ARRAY(scratch, unsigned char, point_count);
  if (!places || !holder || !s->fate) return status_no_memory(err, "an embedded surface");
  for (size_t i = 0; i < node_count; i++) {
    places[i] = (place){s->nodes[i], (int32_t)i};
    holder[i] = -1;
  }
  qsort(places, node_count, sizeof *places, compare_places);
  for (size_t i = 4 * tet_count; i-- > 0;) holder[s->tets[i]] = (int32_t)(i / 4);
  s->places = places;
  s->place_count = node_count;
  s->holder = holder;
  return fill_bins(s->nodes, node_count, s->tets, tet_count, scratch, &s->bins, err);
}

static tribo_status settle(const search *s, size_t point_count, tribo_error *err) {
  s->out->exact = true;
  for (size_t i = 0; i < point_count; i++) {
    if (s->fate[i] == LOST)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "vertex %zu at (%g, %g, %g) lies outside the tets that should carry it; "
                         "widen the cage",
                         i, s->points[i].x, s->points[i].y, s->points[i].z);
    s->out->exact &= s->fate[i] == ON_NODE;
  }
  return TRIBO_OK;
}

tribo_status embed_points(const tasks *t, const vec3 *nodes, size_t node_count, const int32_t *tets,
                          size_t tet_count, const vec3 *points, size_t point_count, arena *memory,
                          embedding *out, tribo_error *err) {
  search s = {.nodes = nodes, .points = points, .tets = tets, .out = out};
  arena scratch = {0};
  *out = (embedding){.anchor = arena_alloc(memory, point_count, sizeof *out->anchor),
                     .weight = arena_alloc(memory, point_count, sizeof *out->weight)};
  tribo_status status = out->anchor && out->weight
                            ? prepare(&s, node_count, tet_count, point_count, &scratch, err)
                            : status_no_memory(err, "an embedded surface");
  if (status == TRIBO_OK) {
    tasks_for(t, point_count, 256, hang_points, &s);
    status = settle(&s, point_count, err);
  }
  arena_free(&scratch);
  return status;
}
