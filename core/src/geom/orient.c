/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/orient.h"

#include <stdlib.h>
#include <string.h>

typedef struct side {
  int32_t low, high; /* vertices */
  uint32_t triangle;
  uint32_t forward; /* 1: the triangle runs from low to high */
} side;

static int compare(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Over each side of a triangle: the neighbour, or -1; and whether it is wound against this one. */
typedef struct joint {
  int32_t neighbour[3];
  bool against[3];
  unsigned char count;
} joint;

static void join(joint *l, uint32_t neighbour, bool against) {
  if (l->count == 3) return; /* a triangle that uses a vertex twice */
  l->neighbour[l->count] = (int32_t)neighbour;
  l->against[l->count++] = against;
}

static void join_up(const int32_t *triangles, size_t count, side *sides, joint *joints) {
  for (size_t s = 0; s < 3 * count; s++) {
    int32_t a = triangles[s], b = triangles[s % 3 == 2 ? s - 2 : s + 1];
    sides[s] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)(s / 3), a < b};
  }
  qsort(sides, 3 * count, sizeof *sides, compare);
  for (size_t first = 0, end; first < 3 * count; first = end) {
    for (end = first + 1; end < 3 * count && sides[end].low == sides[first].low &&
                          sides[end].high == sides[first].high;
         end++) {
    }
    const side *a = &sides[first], *b = a + 1;
    if (end != first + 2) continue;
    join(&joints[a->triangle], b->triangle, a->forward == b->forward);
    join(&joints[b->triangle], a->triangle, a->forward == b->forward);
  }
}

enum { UNSEEN, KEPT, TURNED };

static double area_of(const vec3 *p, const int32_t *t) {
  return vec3_norm(vec3_cross(vec3_sub(p[t[1]], p[t[0]]), vec3_sub(p[t[2]], p[t[0]])));
}

/* Goes through the part of triangle `seed`; queue gets its triangles. Returns how many. */
static size_t walk(const joint *joints, int32_t seed, unsigned char *fate, int32_t *queue) {
  size_t found = 0;
  queue[found++] = seed;
  fate[seed] = KEPT;
  for (size_t at = 0; at < found; at++) {
    const joint *l = &joints[queue[at]];
    for (int i = 0; i < l->count; i++) {
      int32_t next = l->neighbour[i];
      if (fate[next] != UNSEEN) continue;
      bool same = fate[queue[at]] == KEPT;
      fate[next] = same != l->against[i] ? KEPT : TURNED;
      queue[found++] = next;
    }
  }
  return found;
}

/* What only the work needs. */
typedef struct work {
  arena memory;
  side *sides;
  joint *joints;
  unsigned char *fate;
  int32_t *queue;
} work;

static bool work_open(work *w, size_t count) {
  w->sides = ARENA_ARRAY(&w->memory, side, 3 * count);
  w->joints = ARENA_ARRAY(&w->memory, joint, count);
  w->fate = ARENA_ARRAY(&w->memory, unsigned char, count);
  w->queue = ARENA_ARRAY(&w->memory, int32_t, count);
  return w->sides && w->joints && w->fate && w->queue;
}

/* Turns over the minority of the part that triangle `seed` belongs to; returns how many. part[t]:
 * is set to `number`, unless NULL. */
static size_t multipliers_part(const vec3 *positions, work *w, int32_t seed, int32_t number,
                               int32_t *triangles, int32_t *part) {
  size_t found = walk(w->joints, seed, w->fate, w->queue), turned = 0;
  for (size_t i = 0; part && i < found; i++) part[w->queue[i]] = number;
  double area[3] = {0};
  for (size_t i = 0; i < found; i++)
    area[w->fate[w->queue[i]]] += area_of(positions, triangles + 3 * (size_t)w->queue[i]);
  unsigned char minority = area[TURNED] > area[KEPT] ? KEPT : TURNED;
  for (size_t i = 0; i < found; i++) {
    int32_t *t = triangles + 3 * (size_t)w->queue[i], second = t[1];
    if (w->fate[w->queue[i]] != minority) continue;
    t[1] = t[2];
    t[2] = second;
    turned++;
  }
  return turned;
}

tribo_status orient_parts(const vec3 *positions, const int32_t *triangles, size_t count,
                          arena *memory, int32_t **out, int32_t *part, size_t *turned,
                          tribo_error *err) {
  work w = {0};
  int32_t parts = 0;
  *out = ARENA_ARRAY(memory, int32_t, 3 * count);
  *turned = 0;
  bool enough = work_open(&w, count) && *out;
  if (enough && count) {
    memcpy(*out, triangles, 3 * count * sizeof **out);
    join_up(triangles, count, w.sides, w.joints);
    for (size_t seed = 0; seed < count; seed++)
      if (w.fate[seed] == UNSEEN)
        *turned += multipliers_part(positions, &w, (int32_t)seed, parts++, *out, part);
  }
  arena_free(&w.memory);
  return enough ? TRIBO_OK : status_no_memory(err, "the sides of a surface");
}

tribo_status orient_surface(const vec3 *positions, const int32_t *triangles, size_t count,
                            arena *memory, int32_t **out, size_t *turned, tribo_error *err) {
  return orient_parts(positions, triangles, count, memory, out, NULL, turned, err);
}
