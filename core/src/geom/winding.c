/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/winding.h"

#include <stdlib.h>

enum { LEAF = 8, DEEPEST = 64 };

/* How many radii away a cluster may be taken for a dipole. */
static const double FAR = 3;

struct winding_node {
  vec3 centre;   /* mean of the triangles, weighed by area */
  double radius; /* about the centre, to the farthest corner */
  vec3 dipole;   /* sum of areas times normals */
  int32_t first, count;
  int32_t right; /* the left child follows its parent; 0: a leaf */
};

typedef struct record {
  double key;
  int32_t triangle;
} record;

typedef struct building {
  const vec3 *positions;
  const int32_t *triangles;
  record *records;
  winding *out;
} building;

static int compare(const void *left, const void *right) {
  const record *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static void load(const building *b, int32_t triangle, vec3 corner[3]) {
  for (int a = 0; a < 3; a++)
    corner[a] = b->positions[b->triangles[3 * (size_t)triangle + (size_t)a]];
}

static vec3 middle(const building *b, int32_t triangle) {
  vec3 c[3];
  load(b, triangle, c);
  return vec3_scale(1.0 / 3, vec3_add(c[0], vec3_add(c[1], c[2])));
}

static double along(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static int longest_axis(const building *b, int32_t first, int32_t count) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (int32_t i = first; i < first + count; i++) {
    vec3 p = middle(b, b->records[i].triangle);
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  vec3 side = vec3_sub(high, low);
  if (side.x >= side.y && side.x >= side.z) return 0;
  return side.y >= side.z ? 1 : 2;
}

static void summarise(const building *b, winding_node *n) {
  double area = 0;
  vec3 sum = {0}, plain = {0};
  n->dipole = (vec3){0};
  for (int32_t i = n->first; i < n->first + n->count; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): load fills c */
    vec3 c[3], at = middle(b, b->records[i].triangle);
    load(b, b->records[i].triangle, c);
    vec3 normal = vec3_scale(0.5, vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    n->dipole = vec3_add(n->dipole, normal);
    sum = vec3_madd(sum, vec3_norm(normal), at);
    plain = vec3_add(plain, at);
    area += vec3_norm(normal);
  }
  n->centre = area > 0 ? vec3_scale(1 / area, sum) : vec3_scale(1.0 / n->count, plain);
  n->radius = 0;
  for (int32_t i = n->first; i < n->first + n->count; i++) {
    vec3 c[3];
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): records[i] is set for all i < count */
    load(b, b->records[i].triangle, c);
    for (int a = 0; a < 3; a++) n->radius = fmax(n->radius, vec3_norm(vec3_sub(c[a], n->centre)));
  }
}

/* Halves until few are left; returns the number of the node. */
static int32_t split(building *b, int32_t first, int32_t count) {
  int32_t self = (int32_t)b->out->node_count++;
  winding_node *n = &b->out->nodes[self];
  *n = (winding_node){.first = first, .count = count};
  summarise(b, n);
  if (count <= LEAF) return self;
  int axis = longest_axis(b, first, count);
  for (int32_t i = first; i < first + count; i++)
    b->records[i].key = along(middle(b, b->records[i].triangle), axis);
  qsort(b->records + first, (size_t)count, sizeof *b->records, compare);
  split(b, first, count / 2);
  n->right = split(b, first + count / 2, count - count / 2);
  return self;
}

tribo_status winding_build(const vec3 *positions, const int32_t *triangles, size_t triangle_count,
                           arena *memory, winding *out, tribo_error *err) {
  *out = (winding){0};
  if (triangle_count == 0) return TRIBO_OK;
  building b = {positions, triangles, malloc(triangle_count * sizeof(record)), out};
  out->nodes = ARENA_ARRAY(memory, winding_node, 2 * triangle_count);
  out->corners = arena_alloc(memory, triangle_count, sizeof *out->corners);
  if (!b.records || !out->nodes || !out->corners) {
    free(b.records);
    return status_no_memory(err, "the inside of a surface");
  }
  for (size_t i = 0; i < triangle_count; i++) b.records[i] = (record){0, (int32_t)i};
  split(&b, 0, (int32_t)triangle_count);
  for (size_t i = 0; i < triangle_count; i++) load(&b, b.records[i].triangle, out->corners[i]);
  free(b.records);
  return TRIBO_OK;
}

double winding_of_triangle(vec3 p, const vec3 corners[3]) {
  vec3 a = vec3_sub(corners[0], p), b = vec3_sub(corners[1], p), c = vec3_sub(corners[2], p);
  double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
  double volume = vec3_dot(a, vec3_cross(b, c));
  if (volume == 0) return 0;
  double base = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
  return 2 * atan2(volume, base) / (4 * acos(-1));
}

double winding_number(const winding *w, vec3 p) {
  double sum = 0;
  int32_t stack[DEEPEST], depth = 0;
  if (w->node_count) stack[depth++] = 0;
  while (depth > 0) {
    int32_t at = stack[--depth];
    const winding_node *n = &w->nodes[at];
    vec3 away = vec3_sub(n->centre, p);
    double distance = vec3_norm(away);
    if (distance > FAR * n->radius) {
      sum += vec3_dot(n->dipole, away) / (distance * distance * distance) / (4 * acos(-1));
    } else if (n->right == 0) {
      for (int32_t i = n->first; i < n->first + n->count; i++)
        sum += winding_of_triangle(p, w->corners[i]);
    } else { /* halves: never deeper than 31 */
      stack[depth++] = n->right;
      stack[depth++] = at + 1;
    }
  }
  return sum;
}

bool winding_inside(const winding *w, vec3 p) { return fabs(winding_number(w, p)) > 0.5; }
