// SPDX-License-Identifier: GPL-3.0-or-later
#include "crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, STACK = 128 };

typedef struct {
  double low[3], high[3];
} box;

typedef struct {
  box box;
  int first,
      count;  // leaf: its items; otherwise count is 0, and first its left child, the right one next
} node;

typedef struct {
  const box *boxes;
  int *items;
  node *nodes;
  int used;
} tree;

static void subtract(double out[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static void cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static box box_of(const double (*place)[3], const int *corners, int count) {
  box out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      out.low[k] = fmin(out.low[k], place[corners[i]][k]);
      out.high[k] = fmax(out.high[k], place[corners[i]][k]);
    }
  return out;
}

static void join(box *into, const box *other) {
  for (int k = 0; k < 3; k++) {
    into->low[k] = fmin(into->low[k], other->low[k]);
    into->high[k] = fmax(into->high[k], other->high[k]);
  }
}

static bool broad_phase(const box *a, const box *b) {
  for (int k = 0; k < 3; k++)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
  return true;
}

// Puts the items whose middle is low on an axis first; how many they are.
static int divide(const tree *in, int first, int count, int axis, double middle) {
  int *items = in->items + first, low = 0;
  for (int i = 0; i < count; i++) {
    const box *one = &in->boxes[items[i]];
    if (0.5 * (one->low[axis] + one->high[axis]) >= middle) continue;
    int kept = items[i];
    items[i] = items[low];
    items[low++] = kept;
  }
  return low == 0 || low == count ? count / 2 : low;
}

static void grow(tree *in, int at, int first, int count) {
  box whole = in->boxes[in->items[first]];
  for (int i = 1; i < count; i++) join(&whole, &in->boxes[in->items[first + i]]);
  in->nodes[at] = (node){whole, first, count};
  if (count <= LEAF) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (whole.high[k] - whole.low[k] > whole.high[axis] - whole.low[axis]) axis = k;
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const box *one = &in->boxes[in->items[first + i]];
    sum += 0.5 * (one->low[axis] + one->high[axis]);
  }
  int low = divide(in, first, count, axis, sum / count), child = in->used;
  in->used += 2;
  in->nodes[at].first = child;
  in->nodes[at].count = 0;
  grow(in, child, first, low);
  grow(in, child + 1, first + low, count - low);
}

// Whether the edge p q goes through the triangle; then `at` is where.
static bool goes_through(const double p[3], const double q[3], const double *const corner[3],
                         double at[3]) {
  double u[3], v[3], normal[3], to_p[3], to_q[3];
  subtract(u, corner[1], corner[0]);
  subtract(v, corner[2], corner[0]);
  cross(normal, u, v);
  double size = sqrt(dot(normal, normal));
  if (size == 0.0) return false;
  subtract(to_p, p, corner[0]);
  subtract(to_q, q, corner[0]);
  double above = dot(normal, to_p) / size, below = dot(normal, to_q) / size;
  if (above * below >= 0 || fmin(fabs(above), fabs(below)) <= TOUCHES) return false;
  for (int k = 0; k < 3; k++) at[k] = p[k] + above / (above - below) * (q[k] - p[k]);
  for (int i = 0; i < 3; i++) {  // further than that from all three sides, too
    double side[3], from[3], turned[3];
    subtract(side, corner[(i + 1) % 3], corner[i]);
    subtract(from, at, corner[i]);
    cross(turned, side, from);
    if (dot(turned, normal) <= TOUCHES * size * sqrt(dot(side, side))) return false;
  }
  return true;
}

static bool shares_a_point(const int edge[2], const int triangle[3]) {
  for (int i = 0; i < 3; i++)
    if (triangle[i] == edge[0] || triangle[i] == edge[1]) return true;
  return false;
}

typedef struct {
  const thing *edges, *triangles;
  const double (*edge_place)[3], (*triangle_place)[3];
  crossings *out;
} pair;

static void try_edge(const pair *of, int e, int t) {
  const int *edge = of->edges->edge[e], *triangle = of->triangles->triangle[t];
  if (of->edges == of->triangles && shares_a_point(edge, triangle)) return;
  const double *corner[3];
  for (int i = 0; i < 3; i++) corner[i] = of->triangle_place[triangle[i]];
  double at[3];
  if (!goes_through(of->edge_place[edge[0]], of->edge_place[edge[1]], corner, at)) return;
  if (of->out->count++ == 0) memcpy(of->out->at, at, sizeof at);
}

static void visit(const pair *of, const tree *in, int e) {
  box edge = box_of(of->edge_place, of->edges->edge[e], 2);
  int stack[STACK], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node *here = &in->nodes[stack[--depth]];
    if (!broad_phase(&here->box, &edge)) continue;
    if (here->count == 0 && depth + 2 <= STACK) {
      stack[depth++] = here->first;
      stack[depth++] = here->first + 1;
    }
    for (int i = 0; i < here->count; i++) {
      int t = in->items[here->first + i];
      if (broad_phase(&in->boxes[t], &edge)) try_edge(of, e, t);
    }
  }
}

// Edges of one in triangles of the other, added to what was found before.
static bool one_way(const thing *edges, const thing *triangles, int frame, crossings *out) {
  if (triangles->triangles == 0) return true;
  size_t count = (size_t)triangles->triangles;
  box *boxes = malloc(count * sizeof *boxes);
  tree in = {boxes, malloc(count * sizeof *in.items), malloc(2 * count * sizeof *in.nodes), 1};
  bool enough = boxes && in.items && in.nodes;
  if (enough) {
    pair of = {edges, triangles, places_of(edges, frame), places_of(triangles, frame), out};
    for (int t = 0; t < triangles->triangles; t++) {
      boxes[t] = box_of(of.triangle_place, triangles->triangle[t], 3);
      in.items[t] = t;
    }
    grow(&in, 0, 0, triangles->triangles);
    for (int e = 0; e < edges->edges; e++) visit(&of, &in, e);
  }
  free(boxes);
  free(in.items);
  free(in.nodes);
  return enough;
}

bool crossings_of(const thing *a, const thing *b, int frame, crossings *out) {
  *out = (crossings){0};
  return one_way(a, b, frame, out) && (a == b || one_way(b, a, frame, out));
}

// How often a closed mesh goes around a point, by the solid angles of its triangles (Van Oosterom
// and Strackee 1983).
static double winding(const thing *around, const double (*place)[3], const double point[3]) {
  double sum = 0;
  for (int t = 0; t < around->triangles; t++) {
    double to[3][3], size[3], normal[3];
    for (int i = 0; i < 3; i++) {
      subtract(to[i], place[around->triangle[t][i]], point);
      size[i] = sqrt(dot(to[i], to[i]));
    }
    cross(normal, to[1], to[2]);
    double below = size[0] * size[1] * size[2] + dot(to[0], to[1]) * size[2] +
                   dot(to[1], to[2]) * size[0] + dot(to[2], to[0]) * size[1];
    sum += 2 * atan2(dot(to[0], normal), below);
  }
  return sum / (4 * acos(-1.0));
}

// Square of the distance to a segment.
static double from_segment(const double point[3], const double a[3], const double b[3]) {
  double along[3], to[3], off[3];
  subtract(along, b, a);
  subtract(to, point, a);
  double size = dot(along, along);
  double part = size > 0 ? fmin(fmax(dot(to, along) / size, 0), 1) : 0;
  for (int k = 0; k < 3; k++) off[k] = to[k] - part * along[k];
  return dot(off, off);
}

static double from_triangle(const double point[3], const double *const corner[3]) {
  double u[3], v[3], normal[3], to[3];
  subtract(u, corner[1], corner[0]);
  subtract(v, corner[2], corner[0]);
  cross(normal, u, v);
  subtract(to, point, corner[0]);
  double size = dot(normal, normal);
  bool over = size > 0;
  double nearest = INFINITY;
  for (int i = 0; i < 3; i++) {
    const double *from = corner[i], *until = corner[(i + 1) % 3];
    double side[3], off[3], turned[3];
    subtract(side, until, from);
    subtract(off, point, from);
    cross(turned, side, off);
    over = over && dot(turned, normal) >= 0;
    nearest = fmin(nearest, from_segment(point, from, until));
  }
  return over ? fabs(dot(to, normal)) / sqrt(size) : sqrt(nearest);
}

inside inside_of(const thing *what, const thing *around, int frame) {
  inside out = {0};
  const double(*place)[3] = places_of(around, frame), (*points)[3] = places_of(what, frame);
  box whole = box_of(place, &around->triangle[0][0], 3 * around->triangles);
  for (int i = 0; i < what->points; i++) {
    box here = box_of(points, &i, 1);
    if (!broad_phase(&whole, &here) || fabs(winding(around, place, points[i])) < 0.5) continue;
    double depth = INFINITY;
    for (int t = 0; t < around->triangles; t++) {
      const double *corner[3];
      for (int c = 0; c < 3; c++) corner[c] = place[around->triangle[t][c]];
      depth = fmin(depth, from_triangle(points[i], corner));
    }
    if (depth <= TOUCHES) continue;
    out.count++;
    out.deepest = fmax(out.deepest, depth);
  }
  return out;
}
