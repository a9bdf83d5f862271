/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/uv_frame.h"

#include <stdlib.h>
#include <string.h>

/* Twice the area in the UV plane, negative where mirrored; 0 where it is lost to rounding. */
static double uv_area(const double uv[6]) {
  double a[2] = {uv[2] - uv[0], uv[3] - uv[1]}, b[2] = {uv[4] - uv[0], uv[5] - uv[1]};
  double area = a[0] * b[1] - a[1] * b[0];
  double c[2] = {b[0] - a[0], b[1] - a[1]};
  double longest =
      fmax(a[0] * a[0] + a[1] * a[1], fmax(b[0] * b[0] + b[1] * b[1], c[0] * c[0] + c[1] * c[1]));
  return fabs(area) > UV_FRAME_FLAT * longest ? area : 0;
}

bool uv_frame_of(const vec3 corners[3], const double uv[6], uv_frame *out) {
  *out = (uv_frame){0};
  vec3 p = vec3_sub(corners[1], corners[0]), q = vec3_sub(corners[2], corners[0]);
  vec3 r = vec3_sub(q, p), n = vec3_cross(p, q);
  double longest = fmax(vec3_norm2(p), fmax(vec3_norm2(q), vec3_norm2(r)));
  double area = uv_area(uv);
  if (area == 0 || !(vec3_norm(n) > UV_FRAME_FLAT * longest)) return false;
  /* E D^-1 but for the length, which goes away */
  double sign = area > 0 ? 1 : -1;
  double v1 = sign * (uv[3] - uv[1]), v2 = sign * (uv[5] - uv[1]);
  vec3 along = vec3_sub(vec3_scale(v2, p), vec3_scale(v1, q));
  out->t = vec3_normalized(along);
  out->b = vec3_scale(sign, vec3_normalized(vec3_cross(n, out->t)));
  out->mirrored = area < 0;
  return true;
}

/* ---- islands --------------------------------------------------------------------------------- */

/* An edge as one triangle has it, from its lower vertex to its higher one. */
typedef struct side {
  int32_t low, high, triangle;
  bool mirrored;
  double uv[4];
} side;

static int compare(const void *a, const void *b) {
  const side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static size_t list_sides(const int32_t *triangles, const double *uvs, size_t count, side *sides) {
  size_t found = 0;
  for (size_t t = 0; t < count; t++) {
    double area = uv_area(uvs + 6 * t);
    if (area == 0) continue;
    for (size_t k = 0; k < 3; k++) {
      size_t i = 3 * t + k, j = 3 * t + (k + 1) % 3;
      if (triangles[i] > triangles[j]) {
        size_t other = i;
        i = j;
        j = other;
      }
      side *s = &sides[found++];
      *s = (side){.low = triangles[i], .high = triangles[j], .triangle = (int32_t)t};
      s->mirrored = area < 0;
      for (size_t c = 0; c < 4; c++)
        s->uv[c] = uvs[2 * (c < 2 ? i : j) + c % 2] + 0.0; /* -0 becomes 0 */
    }
  }
  return found;
}

static int32_t find_root(int32_t *parent, int32_t t) {
  while (parent[t] != t) t = parent[t] = parent[parent[t]];
  return t;
}

static bool joined(const side *a, const side *b) {
  return a->low == b->low && a->high == b->high && a->mirrored == b->mirrored &&
         /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of one bit pattern, -0 made 0 */
         memcmp(a->uv, b->uv, sizeof a->uv) == 0;
}

tribo_status uv_frame_islands(const int32_t *triangles, const double *uvs, size_t triangle_count,
                              arena *memory, int32_t **islands, size_t *count, tribo_error *err) {
  int32_t *parent = ARENA_ARRAY(memory, int32_t, triangle_count);
  side *sides = malloc((3 * triangle_count + 1) * sizeof *sides);
  if (!parent || !sides) {
    free(sides);
    return status_no_memory(err, "the islands of UVs");
  }
  for (size_t t = 0; t < triangle_count; t++) parent[t] = (int32_t)t;
  size_t found = list_sides(triangles, uvs, triangle_count, sides);
  qsort(sides, found, sizeof *sides, compare);
  for (size_t first = 0; first < found;) {
    size_t end = first + 1;
    while (end < found && sides[end].low == sides[first].low &&
           sides[end].high == sides[first].high)
      end++;
    for (size_t i = first; i < end; i++)
      for (size_t j = first; j < i; j++) {
        if (!joined(&sides[i], &sides[j])) continue;
        int32_t a = find_root(parent, sides[i].triangle), b = find_root(parent, sides[j].triangle);
        parent[a > b ? a : b] = a > b ? b : a; /* the lower number stays the root */
      }
    first = end;
  }
  free(sides);
  *count = 0;
  for (size_t t = 0; t < triangle_count; t++) {
    parent[t] = find_root(parent, (int32_t)t);
    *count += parent[t] == (int32_t)t;
  }
  *islands = parent;
  return TRIBO_OK;
}
