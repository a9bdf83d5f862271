/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_check.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"

#define PI 3.14159265358979323846

static vec3 point(const mesh *m, int32_t v) { return vec3_from(m->positions + 3 * (size_t)v); }

/* ---- edges and fans ---------------------------------------------------------------------------
 */

typedef struct side {
  int32_t low, high; /* vertices */
  int32_t corner;    /* where it starts: triangle * 3 + 0..2 */
  bool rising;       /* runs from low to high */
} side;

static int by_edge(const void *a, const void *b) {
  const side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static int32_t next_corner(int32_t c) { return c % 3 == 2 ? c - 2 : c + 1; }

static int32_t root(int32_t *parent, int32_t c) {
  while (parent[c] != c) c = parent[c] = parent[parent[c]];
  return c;
}

static void join(int32_t *parent, int32_t a, int32_t b) {
  a = root(parent, a);
  b = root(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

static size_t count_roots(int32_t *parent, size_t count) {
  size_t roots = 0;
  for (size_t c = 0; c < count; c++) roots += root(parent, (int32_t)c) == (int32_t)c;
  return roots;
}

/* Counts edges by kind and joins corners: those of one vertex across a shared edge (fans), and all
 * of a triangle (pieces). Returns the number of edges. */
static size_t count_edges(const side *sides, size_t count, int32_t *fan, int32_t *piece,
                          surface_report *out) {
  size_t edges = 0;
  for (size_t first = 0, last; first < count; first = last, edges++) {
    for (last = first + 1; last < count && sides[last].low == sides[first].low &&
                           sides[last].high == sides[first].high;
         last++)
      ;
    const side *a = &sides[first], *b = a + 1;
    if (last - first == 1) out->open_edges++;
    if (last - first > 2 || (last - first == 2 && a->rising == b->rising)) out->bad_edges++;
    if (last - first != 2) continue;
    int32_t a0 = a->corner, a1 = next_corner(a0), b0 = b->corner, b1 = next_corner(b0);
    join(fan, a0, a->rising == b->rising ? b0 : b1);
    join(fan, a1, a->rising == b->rising ? b1 : b0);
    join(piece, a0 / 3, b0 / 3);
  }
  return edges;
}

static bool count_parts(const mesh *m, surface_report *out) {
  size_t corners = 3 * m->triangle_count, edges = 0;
  side *sides = malloc((corners + 1) * sizeof *sides);
  int32_t *fan = malloc((corners + 1) * sizeof *fan);
  int32_t *piece = malloc((m->triangle_count + 1) * sizeof *piece);
  char *used = calloc(m->vertex_count + 1, 1);
  bool ok = sides && fan && piece && used;
  if (ok) {
    for (size_t c = 0; c < corners; c++) {
      int32_t a = m->triangles[c], b = m->triangles[next_corner((int32_t)c)];
      sides[c] = (side){a < b ? a : b, a < b ? b : a, (int32_t)c, a < b};
      fan[c] = (int32_t)c;
      used[a] = 1;
    }
    for (size_t t = 0; t < m->triangle_count; t++) piece[t] = (int32_t)t;
    qsort(sides, corners, sizeof *sides, by_edge);
    edges = count_edges(sides, corners, fan, piece, out);
    out->fans = count_roots(fan, corners);
    out->parts = count_roots(piece, m->triangle_count);
    for (size_t v = 0; v < m->vertex_count; v++) out->used += (size_t)used[v];
    out->euler = (long)out->used - (long)edges + (long)m->triangle_count;
  }
  free(sides);
  free(fan);
  free(piece);
  free(used);
  return ok;
}

/* ---- measures ---------------------------------------------------------------------------------
 */

static double angle_between(vec3 a, vec3 b) {
  return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * (180 / PI);
}

bool surface_measure(const mesh *m, surface_report *out) {
  *out = (surface_report){.least_angle = 180, .shortest = INFINITY};
  for (size_t t = 0; t < m->triangle_count; t++) {
    vec3 x[3];
    for (int c = 0; c < 3; c++) x[c] = point(m, m->triangles[3 * t + (size_t)c]);
    out->volume += vec3_dot(x[0], vec3_cross(x[1], x[2])) / 6;
    for (int c = 0; c < 3; c++) {
      vec3 a = vec3_sub(x[(c + 1) % 3], x[c]), b = vec3_sub(x[(c + 2) % 3], x[c]);
      out->least_angle = fmin(out->least_angle, angle_between(a, b));
      out->shortest = fmin(out->shortest, vec3_norm(a));
      out->longest = fmax(out->longest, vec3_norm(a));
    }
  }
  return count_parts(m, out);
}

/* The angle between the faces that meet at edge ab. */
static double dihedral(vec3 a, vec3 b, vec3 c, vec3 d) {
  vec3 e = vec3_sub(b, a);
  return angle_between(vec3_cross(e, vec3_sub(c, a)), vec3_cross(e, vec3_sub(d, a)));
}

bool solid_measure(const mesh *m, solid_report *out) {
  *out = (solid_report){.least_volume = INFINITY, .least_dihedral = 180};
  char *used = calloc(m->vertex_count + 1, 1);
  mesh skin = shape_skin(m);
  bool ok = used && skin.positions;
  for (size_t t = 0; ok && t < m->tet_count; t++) {
    vec3 x[4];
    for (int c = 0; c < 4; c++) {
      x[c] = point(m, m->tets[4 * t + (size_t)c]);
      used[m->tets[4 * t + (size_t)c]] = 1;
    }
    double volume =
        vec3_dot(vec3_sub(x[1], x[0]), vec3_cross(vec3_sub(x[2], x[0]), vec3_sub(x[3], x[0]))) / 6;
    out->volume += volume;
    out->least_volume = fmin(out->least_volume, volume);
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    for (int e = 0; e < 6; e++) {
      double angle = dihedral(x[edges[e][0]], x[edges[e][1]], x[edges[e][2]], x[edges[e][3]]);
      out->least_dihedral = fmin(out->least_dihedral, angle);
      out->most_dihedral = fmax(out->most_dihedral, angle);
    }
  }
  for (size_t v = 0; ok && v < m->vertex_count; v++) out->used += (size_t)used[v];
  ok = ok && surface_measure(&skin, &out->skin);
  mesh_free(&skin);
  free(used);
  return ok;
}

/* ---- distance ---------------------------------------------------------------------------------
 */

static double clamped(double t) { return fmin(fmax(t, 0), 1); }

static double segment_distance(vec3 x, vec3 a, vec3 b) {
  vec3 ab = vec3_sub(b, a);
  double t = clamped(vec3_dot(vec3_sub(x, a), ab) / vec3_dot(ab, ab));
  return vec3_norm(vec3_sub(x, vec3_add(a, vec3_scale(t, ab))));
}

static double triangle_distance(vec3 x, vec3 a, vec3 b, vec3 c) {
  vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  bool within = vec3_dot(n, vec3_cross(vec3_sub(b, a), vec3_sub(x, a))) >= 0 &&
                vec3_dot(n, vec3_cross(vec3_sub(c, b), vec3_sub(x, b))) >= 0 &&
                vec3_dot(n, vec3_cross(vec3_sub(a, c), vec3_sub(x, c))) >= 0;
  if (within) return fabs(vec3_dot(n, vec3_sub(x, a))) / vec3_norm(n);
  return fmin(segment_distance(x, a, b),
              fmin(segment_distance(x, b, c), segment_distance(x, c, a)));
}

/* The solid angle of a triangle seen from the origin (van Oosterom and Strackee 1983). */
static double solid_angle(vec3 a, vec3 b, vec3 c) {
  double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
  double below = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
  return 2 * atan2(vec3_dot(a, vec3_cross(b, c)), below);
}

double surface_distance(const mesh *m, const double place[3]) {
  vec3 x = {place[0], place[1], place[2]};
  double nearest = INFINITY, angle = 0;
  for (size_t t = 0; t < m->triangle_count; t++) {
    vec3 a = point(m, m->triangles[3 * t]), b = point(m, m->triangles[3 * t + 1]);
    vec3 c = point(m, m->triangles[3 * t + 2]);
    nearest = fmin(nearest, triangle_distance(x, a, b, c));
    angle += solid_angle(vec3_sub(a, x), vec3_sub(b, x), vec3_sub(c, x));
  }
  return angle > 2 * PI ? -nearest : nearest;
}
