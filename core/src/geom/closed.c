/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/closed.h"

#include <stdlib.h>

#include "base/arena.h"

typedef struct surface {
  const vec3 *positions;
  size_t vertex_count;
  const int32_t *triangles;
  size_t triangle_count;
} surface;

/* ---- vertices and edges ---------------------------------------------------------------------- */

static tribo_status check_used(const surface *s, arena *memory, tribo_error *err) {
  bool *used = ARENA_ARRAY(memory, bool, s->vertex_count);
  if (!used) return status_no_memory(err, "the check of a surface");
  for (size_t i = 0; i < 3 * s->triangle_count; i++) used[s->triangles[i]] = true;
  for (size_t v = 0; v < s->vertex_count; v++)
    if (!used[v])
      return status_fail(err, TRIBO_BAD_INPUT,
                         "vertex %zu at (%g, %g, %g) belongs to no triangle; remove it", v,
                         s->positions[v].x, s->positions[v].y, s->positions[v].z);
  return TRIBO_OK;
}

typedef struct side {
  int32_t low, high; /* vertices */
  uint32_t triangle;
  uint32_t forward; /* 1: the triangle runs from low to high */
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static tribo_status check_edge(const surface *s, const side *sides, size_t count,
                               tribo_error *err) {
  const side *a = &sides[0], *b = &sides[1];
  if (count == 2 && a->forward != b->forward) return TRIBO_OK;
  vec3 p = vec3_scale(0.5, vec3_add(s->positions[a->low], s->positions[a->high]));
  if (count == 1)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the surface is open: the edge between vertices %d and %d, at (%g, %g, %g), "
                       "has one triangle (%u) only; close the hole, or merge vertices that lie on "
                       "each other",
                       a->low, a->high, p.x, p.y, p.z, a->triangle);
  if (count > 2)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the edge between vertices %d and %d, at (%g, %g, %g), has %zu triangles "
                       "(%u, %u, %u%s), but two is what a surface has; remove the others",
                       a->low, a->high, p.x, p.y, p.z, count, a->triangle, b->triangle,
                       sides[2].triangle, count > 3 ? ", ..." : "");
  return status_fail(err, TRIBO_BAD_INPUT,
                     "triangles %u and %u are wound against each other at the edge between "
                     "vertices %d and %d, at (%g, %g, %g); make the normals consistent",
                     a->triangle, b->triangle, a->low, a->high, p.x, p.y, p.z);
}

static tribo_status check_edges(const surface *s, arena *memory, tribo_error *err) {
  size_t count = 3 * s->triangle_count;
  side *sides = ARENA_ARRAY(memory, side, count);
  if (!sides) return status_no_memory(err, "the check of a surface");
  for (size_t i = 0; i < count; i++) {
    int32_t a = s->triangles[i], b = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
    sides[i] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3), a < b};
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1;
         end < count && sides[end].low == sides[first].low && sides[end].high == sides[first].high;
         end++) {
    }
    TRY(check_edge(s, sides + first, end - first, err));
  }
  return TRIBO_OK;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Six times the volume of a tet. */
static double orient(vec3 a, vec3 b, vec3 c, vec3 d) {
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* Whether the segment p q meets the triangle. A segment within rounding of the triangle's plane
 * does not count: there the signs would be noise. */
static bool meets(vec3 p, vec3 q, const vec3 t[3]) {
  double sp = orient(t[0], t[1], t[2], p), sq = orient(t[0], t[1], t[2], q);
  if ((sp > 0 && sq > 0) || (sp < 0 && sq < 0)) return false;
  vec3 normal = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  double reach =
      vec3_norm(vec3_sub(t[1], t[0])) + vec3_norm(vec3_sub(q, p)) + vec3_norm(vec3_sub(p, t[0]));
  double far = fmax(vec3_max_abs(p), fmax(vec3_max_abs(q), vec3_max_abs(t[0])));
  double noise = 1e-14 * vec3_norm(normal) * (reach + far);
  if (fabs(sp) <= noise && fabs(sq) <= noise) return false;
  double ab = orient(p, q, t[0], t[1]), bc = orient(p, q, t[1], t[2]),
         ca = orient(p, q, t[2], t[0]);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

static vec3 crossing(vec3 p, vec3 q, const vec3 t[3]) {
  double sp = orient(t[0], t[1], t[2], p), sq = orient(t[0], t[1], t[2], q);
  return vec3_madd(p, sp / (sp - sq), vec3_sub(q, p));
}

/* Whether an edge of a that ends at none of b's corners meets b. */
static bool edges_meet(const surface *s, const int32_t *a, const int32_t *b, vec3 *at) {
  vec3 t[3] = {s->positions[b[0]], s->positions[b[1]], s->positions[b[2]]};
  for (int i = 0; i < 3; i++) {
    int32_t u = a[i], v = a[(i + 1) % 3];
    if (u == b[0] || u == b[1] || u == b[2] || v == b[0] || v == b[1] || v == b[2]) continue;
    if (!meets(s->positions[u], s->positions[v], t)) continue;
    *at = crossing(s->positions[u], s->positions[v], t);
    return true;
  }
  return false;
}

static int shared(const int32_t *a, const int32_t *b) {
  int count = 0;
  for (int i = 0; i < 3; i++) count += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
  return count;
}

static bool triangles_cut(const surface *s, size_t i, size_t j, vec3 *at) {
  const int32_t *a = s->triangles + 3 * i, *b = s->triangles + 3 * j;
  int common = shared(a, b);
  if (common == 3) *at = s->positions[a[0]]; /* one lies on the other */
  if (common >= 2) return common == 3;
  return edges_meet(s, a, b, at) || edges_meet(s, b, a, at);
}

typedef struct box {
  vec3 low, high;
  int32_t triangle;
} box;

static int compare_boxes(const void *left, const void *right) {
  const box *a = left, *b = right;
  if (a->low.x != b->low.x) return a->low.x < b->low.x ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Axes take turns, so that the one to sweep along comes first. */
static vec3 turned(vec3 p, int axis) {
  if (axis == 0) return p;
  return axis == 1 ? vec3_make(p.y, p.z, p.x) : vec3_make(p.z, p.x, p.y);
}

static box box_of(const surface *s, size_t i, int axis) {
  const int32_t *t = s->triangles + 3 * i;
  vec3 a = turned(s->positions[t[0]], axis), b = turned(s->positions[t[1]], axis),
       c = turned(s->positions[t[2]], axis);
  return (box){{fmin(a.x, fmin(b.x, c.x)), fmin(a.y, fmin(b.y, c.y)), fmin(a.z, fmin(b.z, c.z))},
               {fmax(a.x, fmax(b.x, c.x)), fmax(a.y, fmax(b.y, c.y)), fmax(a.z, fmax(b.z, c.z))},
               (int32_t)i};
}

/* Along which triangles have the most room. */
static int longest_axis(const surface *s) {
  vec3 low = s->positions[0], high = low;
  for (size_t i = 1; i < s->vertex_count; i++) {
    vec3 p = s->positions[i];
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  vec3 extent = vec3_sub(high, low);
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

/* Sweeps along the longest side; of all cuts, the one of the lowest triangles is told. */
static tribo_status check_cuts(const surface *s, arena *memory, tribo_error *err) {
  size_t count = s->triangle_count, first = count, second = count;
  box *boxes = ARENA_ARRAY(memory, box, count);
  if (!boxes) return status_no_memory(err, "the check of a surface");
  int axis = longest_axis(s);
  for (size_t i = 0; i < count; i++) boxes[i] = box_of(s, i, axis);
  qsort(boxes, count, sizeof *boxes, compare_boxes);
  vec3 place = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && boxes[j].low.x <= boxes[i].high.x; j++) {
      const box *a = &boxes[i], *b = &boxes[j];
      if (a->low.y > b->high.y || b->low.y > a->high.y || a->low.z > b->high.z ||
          b->low.z > a->high.z)
        continue;
      size_t low = (size_t)(a->triangle < b->triangle ? a->triangle : b->triangle);
      size_t high = (size_t)(a->triangle < b->triangle ? b->triangle : a->triangle);
      if (low > first || (low == first && high >= second)) continue;
      vec3 at;
      if (!triangles_cut(s, low, high, &at)) continue;
      first = low;
      second = high;
      place = at;
    }
  if (first == count) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the surface cuts itself: triangles %zu and %zu meet at (%g, %g, %g); take "
                     "the overlap away",
                     first, second, place.x, place.y, place.z);
}

/* ---------------------------------------------------------------------------------------------- */

double closed_volume(const vec3 *positions, const int32_t *triangles, size_t triangle_count) {
  double volume = 0;
  for (size_t i = 0; i < triangle_count; i++) {
    const int32_t *t = triangles + 3 * i;
    volume +=
        orient(positions[triangles[0]], positions[t[0]], positions[t[1]], positions[t[2]]) / 6;
  }
  return volume;
}

static tribo_status check_all(const surface *s, arena *memory, tribo_error *err) {
  if (s->triangle_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "the surface has no triangles");
  TRY(check_edges(s, memory, err));
  TRY(check_used(s, memory, err));
  TRY(check_cuts(s, memory, err));
  double volume = closed_volume(s->positions, s->triangles, s->triangle_count);
  if (volume > 0) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the surface is inside out (it encloses %g m^3); flip its normals", volume);
}

tribo_status closed_check(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                          size_t triangle_count, tribo_error *err) {
  surface s = {positions, vertex_count, triangles, triangle_count};
  arena memory = {0};
  tribo_status status = check_all(&s, &memory, err);
  arena_free(&memory);
  return status;
}
