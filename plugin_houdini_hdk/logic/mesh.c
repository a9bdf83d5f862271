/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct vec {
  double x, y, z;
} vec;

static vec at(const hou_geo *geo, size_t prim, int32_t corner) {
  const float *p = geo->positions + 3 * geo->corners[geo->first[prim] + (size_t)corner];
  return (vec){(double)p[0], (double)p[1], (double)p[2]};
}

static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static vec cross(vec a, vec b) {
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Twice the area of a corner triangle, seen along n. */
static double area(vec a, vec b, vec c, vec n) { return dot(cross(minus(b, a), minus(c, a)), n); }

/* The area vector of a polygon. */
static vec normal(const hou_geo *geo, size_t prim, size_t count) {
  vec sum = {0, 0, 0}, origin = at(geo, prim, 0);
  for (size_t i = 1; i + 1 < count; i++) {
    vec n = cross(minus(at(geo, prim, (int32_t)i), origin),
                  minus(at(geo, prim, (int32_t)i + 1), origin));
    sum = (vec){sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return sum;
}

/* Clockwise from outside becomes the other way round. */
static void put(int32_t **out, int32_t a, int32_t b, int32_t c) {
  (*out)[0] = a;
  (*out)[1] = c;
  (*out)[2] = b;
  *out += 3;
}

static void cut_quad(const hou_geo *geo, size_t prim, int32_t *out) {
  vec n = normal(geo, prim, 4), p[4];
  for (int32_t i = 0; i < 4; i++) p[i] = at(geo, prim, i);
  bool by_02 = area(p[0], p[1], p[2], n) > 0 && area(p[0], p[2], p[3], n) > 0;
  bool by_13 = area(p[1], p[2], p[3], n) > 0 && area(p[1], p[3], p[0], n) > 0;
  vec d02 = minus(p[2], p[0]), d13 = minus(p[3], p[1]);
  if (by_13 && (!by_02 || dot(d13, d13) < dot(d02, d02))) {
    put(&out, 1, 2, 3);
    put(&out, 1, 3, 0);
  } else {
    put(&out, 0, 1, 2);
    put(&out, 0, 2, 3);
  }
}

/* Whether no other corner lies in the triangle before, here, after; seen along n. */
static bool is_ear(const hou_geo *geo, size_t prim, const int32_t *left, size_t count, size_t here,
                   vec n) {
  size_t before = (here + count - 1) % count, after = (here + 1) % count;
  vec a = at(geo, prim, left[before]), b = at(geo, prim, left[here]);
  vec c = at(geo, prim, left[after]);
  if (area(a, b, c, n) <= 0) return false;
  for (size_t i = 0; i < count; i++) {
    if (i == before || i == here || i == after) continue;
    vec p = at(geo, prim, left[i]);
    if (area(a, b, p, n) >= 0 && area(b, c, p, n) >= 0 && area(c, a, p, n) >= 0) return false;
  }
  return true;
}

static void cut_ears(const hou_geo *geo, size_t prim, size_t count, int32_t *left, int32_t *out) {
  vec n = normal(geo, prim, count);
  for (size_t i = 0; i < count; i++) left[i] = (int32_t)i;
  while (count > 3) {
    size_t ear = 1; /* where there is none, as of what crosses itself: any */
    for (size_t i = 0; i < count; i++) {
      size_t here = (i + 1) % count; /* a convex polygon becomes a fan about its first corner */
      if (!is_ear(geo, prim, left, count, here, n)) continue;
      ear = here;
      break;
    }
    put(&out, left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]);
    for (size_t i = ear; i + 1 < count; i++) left[i] = left[i + 1];
    count--;
  }
  put(&out, left[0], left[1], left[2]);
}

void hou_polygon_cut(const hou_geo *geo, size_t prim, int32_t *scratch, int32_t *corners) {
  size_t count = geo->first[prim + 1] - geo->first[prim];
  if (count < 3) return;
  if (count == 3) {
    put(&corners, 0, 1, 2);
  } else if (count == 4) {
    cut_quad(geo, prim, corners);
  } else {
    cut_ears(geo, prim, count, scratch, corners);
  }
}

/* ---- what is connected ----------------------------------------------------------------------- */

static int32_t root(int32_t *parents, int32_t p) {
  while (parents[p] != p) p = parents[p] = parents[parents[p]];
  return p;
}

void hou_connected(const hou_geo *geo, int32_t *parents) {
  for (size_t p = 0; p < geo->point_count; p++) parents[p] = (int32_t)p;
  for (size_t prim = 0; prim < geo->prim_count; prim++)
    for (size_t c = geo->first[prim] + 1; c < geo->first[prim + 1]; c++) {
      int32_t a = root(parents, geo->corners[c - 1]), b = root(parents, geo->corners[c]);
      if (a < b)
        parents[b] = a;
      else
        parents[a] = b;
    }
  for (size_t p = 0; p < geo->point_count; p++) parents[p] = root(parents, (int32_t)p);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int hou_triangles_closed(const int32_t *triangles, size_t count) {
  uint64_t *edges = malloc((3 * count + 1) * sizeof *edges);
  if (!edges) return -1;
  for (size_t t = 0; t < count; t++)
    for (size_t k = 0; k < 3; k++)
      edges[3 * t + k] =
          (uint64_t)(uint32_t)triangles[3 * t + k] << 32 | (uint32_t)triangles[3 * t + (k + 1) % 3];
  qsort(edges, 3 * count, sizeof *edges, by_number);
  int closed = count > 0;
  for (size_t i = 0; closed && i < 3 * count; i++) {
    uint64_t other = edges[i] << 32 | edges[i] >> 32;
    if (i > 0 && edges[i] == edges[i - 1]) closed = 0;
    if (!bsearch(&other, edges, 3 * count, sizeof *edges, by_number)) closed = 0;
  }
  free(edges);
  return closed;
}
