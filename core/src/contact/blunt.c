/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/blunt.h"

#include <assert.h>
#include <math.h>

#include "geom/topology.h"

/* ---- the way inwards --------------------------------------------------------------------------
 */

/* Faces whose normals, as unit vectors, are given. */
typedef struct fan {
  const vec3 *normals;
  size_t count;
} fan;

/* How much deeper, in parts of 1, the best point may lie than the one that is taken. */
static const double WELL_INSIDE = 0.02;
enum { MOST_TURNS = 400 };

/* The face that a way leads away from least. */
static size_t least_below(const fan *faces, vec3 way, double *least) {
  size_t at = 0;
  *least = INFINITY;
  for (size_t k = 0; k < faces->count; k++) {
    double below = -vec3_dot(faces->normals[k], way);
    if (!(below < *least)) continue;
    *least = below;
    at = k;
  }
  return at;
}

/* d, also where it is too long. The shortest one is p / (p . p) with the point p closest to the
 * origin among the mixtures of all -normal_k (Gilbert): from any of them one goes towards the face
 * that is worst off. */
static bool way_inwards(const fan *faces, vec3 *d) {
  vec3 p = {0, 0, 0};
  double least = 0;
  if (faces->count == 0) return false;
  for (size_t k = 0; k < faces->count; k++) p = vec3_sub(p, faces->normals[k]);
  p = vec3_scale(1 / (double)faces->count, p);
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    size_t worst = least_below(faces, p, &least);
    double square = vec3_norm2(p);
    if (!(square > 0) || least >= (1 - WELL_INSIDE) * square) break;
    vec3 towards = vec3_sub(vec3_scale(-1, faces->normals[worst]), p);
    double part = -vec3_dot(p, towards) / vec3_norm2(towards);
    p = vec3_madd(p, fmin(1, fmax(0, part)), towards);
  }
  least_below(faces, p, &least);
  if (!(least > 0)) return false;
  *d = vec3_scale(1 / least, p);
  return vec3_norm(*d) <= BLUNT_FARTHEST;
}

/* ---- the faces at a vertex --------------------------------------------------------------------
 */

/* Normals that differ by less are those of one plane. */
static const double SAME_PLANE = 1e-6;

typedef struct around {
  size_t *start;     /* of each vertex */
  int32_t *triangle; /* around vertex v: triangle[start[v]] to before start[v + 1] */
  vec3 *normal;      /* of triangles; 0 where there is no area */
  vec3 *planes;      /* scratch for one vertex */
} around;

static tribo_status look_around(const blunt_shape *s, arena *memory, around *out,
                                tribo_error *err) {
  size_t corners = 3 * s->triangle_count, most = 0;
  *out = (around){.start = ARENA_ARRAY(memory, size_t, s->vertex_count + 2),
                  .triangle = ARENA_ARRAY(memory, int32_t, corners),
                  .normal = ARENA_ARRAY(memory, vec3, s->triangle_count)};
  if (!out->start || !out->triangle || !out->normal) return status_no_memory(err, s->name);
  for (size_t c = 0; c < corners; c++) out->start[s->triangles[c] + 2]++;
  for (size_t v = 0; v < s->vertex_count; v++) {
    if (out->start[v + 2] > most) most = out->start[v + 2];
    out->start[v + 2] += out->start[v + 1];
  }
  for (size_t c = 0; c < corners; c++)
    out->triangle[out->start[s->triangles[c] + 1]++] = (int32_t)(c / 3);
  for (size_t t = 0; t < s->triangle_count; t++) {
    const int32_t *v = s->triangles + 3 * t;
    vec3 n = vec3_cross(vec3_sub(s->x[v[1]], s->x[v[0]]), vec3_sub(s->x[v[2]], s->x[v[0]]));
    out->normal[t] = vec3_normalized(n);
  }
  out->planes = ARENA_ARRAY(memory, vec3, most);
  return out->planes ? TRIBO_OK : status_no_memory(err, s->name);
}

static fan planes_at(const around *a, int32_t vertex) {
  fan faces = {.normals = a->planes};
  for (size_t k = a->start[vertex]; k < a->start[vertex + 1]; k++) {
    vec3 n = a->normal[a->triangle[k]];
    bool known = !(vec3_norm2(n) > 0);
    for (size_t j = 0; j < faces.count && !known; j++)
      known = vec3_norm2(vec3_sub(n, a->planes[j])) < SAME_PLANE * SAME_PLANE;
    if (!known) a->planes[faces.count++] = n;
  }
  return faces;
}

/* ---- edges ------------------------------------------------------------------------------------
 */

/* Bent by less than this, an edge is as good as flat: sine, about a degree. */
static const double FLAT = 0.02;

enum { MOST_SPANS = 1000 };

typedef struct bent_edge {
  vec3 normals[2];
  size_t segments; /* 0: it is flat, or a groove */
} bent_edge;

static bent_edge bent_at(const blunt_shape *s, const int32_t *hinge) {
  const vec3 *x = s->x;
  vec3 e = vec3_sub(x[hinge[1]], x[hinge[0]]), first = vec3_sub(x[hinge[2]], x[hinge[0]]);
  vec3 second = vec3_sub(x[hinge[3]], x[hinge[0]]);
  bent_edge b = {
      .normals = {vec3_normalized(vec3_cross(e, first)), vec3_normalized(vec3_cross(second, e))}};
  vec3 across = vec3_normalized(vec3_cross(vec3_cross(e, second), e));
  if (vec3_dot(b.normals[0], across) > -FLAT && vec3_dot(b.normals[0], b.normals[1]) > 0) return b;
  if (vec3_dot(b.normals[0], across) >= 0) return b;
  double parts = s->apart > 0 ? ceil(vec3_norm(e) / s->apart * (1 - 1e-9)) : 1;
  b.segments = (size_t)fmin(fmax(parts, 1), MOST_SPANS);
  return b;
}

/* The number of a vertex among the shape's, which are ascending. */
static int32_t number_of(const blunt_shape *s, int32_t vertex) {
  size_t low = 0, high = s->count - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->vertices[middle] < vertex)
      low = middle + 1;
    else
      high = middle;
  }
  assert(s->vertices[low] == vertex);
  return (int32_t)low;
}

static void add_edge(const blunt_shape *s, const int32_t *hinge, const bent_edge *edge,
                     blunt_points *to) {
  vec3 d, from = s->x[hinge[0]], way = vec3_sub(s->x[hinge[1]], from);
  fan faces = {edge->normals, 2};
  bool drawn = s->radius > 0 && way_inwards(&faces, &d);
  vec3 tip = drawn ? vec3_scale(-s->radius, d) : vec3_make(0, 0, 0);
  double round = drawn ? s->radius : 0;
  int32_t last = number_of(s, hinge[0]), end = number_of(s, hinge[1]);
  for (size_t k = 0; k < edge->segments; k++) {
    double part = (double)k / (double)edge->segments,
           next = (double)(k + 1) / (double)edge->segments;
    bool ends = k + 1 == edge->segments;
    blunt_span *segment = &to->segments[to->segment_count++];
    *segment = (blunt_span){.end = {last, ends ? end : (int32_t)to->count},
                            .from = vec3_sub(vec3_madd(from, part, way), tip),
                            .to = vec3_sub(vec3_madd(from, next, way), tip),
                            .tip = tip,
                            .round = round};
    if (ends) break;
    size_t i = to->count++;
    to->local[i] = segment->to;
    to->tip[i] = tip;
    to->round[i] = round;
    to->rides[i] = hinge[0];
    to->between[i][0] = last;
    to->between[i][1] = k + 2 < edge->segments ? (int32_t)i + 1 : end;
    last = (int32_t)i;
  }
}

static void add_corners(const blunt_shape *s, const around *a, blunt_points *to) {
  for (size_t i = 0; i < s->count; i++, to->count++) {
    vec3 d;
    fan faces = planes_at(a, s->vertices[i]);
    bool drawn = s->radius > 0 && way_inwards(&faces, &d);
    to->tip[i] = drawn ? vec3_scale(-s->radius, d) : vec3_make(0, 0, 0);
    to->round[i] = drawn ? s->radius : 0;
    to->local[i] = vec3_sub(s->x[s->vertices[i]], to->tip[i]);
    to->rides[i] = s->vertices[i];
    to->between[i][0] = to->between[i][1] = -1;
  }
}

tribo_status blunt_make(const blunt_shape *shape, arena *memory, blunt_points *out,
                        tribo_error *err) {
  around a;
  topology_list edges;
  TRY(look_around(shape, memory, &a, err));
  TRY(topology_hinges(shape->triangles, shape->triangle_count, memory, &edges, err));
  size_t count = shape->count, segments = 0;
  for (size_t e = 0; e < edges.count; e++) {
    bent_edge edge = bent_at(shape, edges.vertices + 4 * e);
    segments += edge.segments;
    count += edge.segments > 0 ? edge.segments - 1 : 0;
  }
  *out = (blunt_points){.local = ARENA_ARRAY(memory, vec3, count),
                        .tip = ARENA_ARRAY(memory, vec3, count),
                        .round = ARENA_ARRAY(memory, double, count),
                        .rides = ARENA_ARRAY(memory, int32_t, count),
                        .between = arena_alloc(memory, count, sizeof *out->between),
                        .segments = ARENA_ARRAY(memory, blunt_span, segments)};
  if (!out->local || !out->tip || !out->round || !out->rides || !out->between || !out->segments)
    return status_no_memory(err, shape->name);
  add_corners(shape, &a, out);
  for (size_t e = 0; e < edges.count; e++) {
    bent_edge edge = bent_at(shape, edges.vertices + 4 * e);
    if (edge.segments > 0) add_edge(shape, edges.vertices + 4 * e, &edge, out);
  }
  return TRIBO_OK;
}

/* ---- corners ----------------------------------------------------------------------------------
 */

/* By how much the triangles around a corner fall away from a plane through it: sine. */
static const double FALLS = 1e-3;

static bool is_corner(const blunt_shape *s, const around *a, int32_t vertex) {
  vec3 inwards = {0, 0, 0};
  fan faces = planes_at(a, vertex);
  way_inwards(&faces, &inwards);
  inwards = vec3_normalized(inwards);
  for (size_t k = a->start[vertex]; k < a->start[vertex + 1]; k++)
    for (int j = 0; j < 3; j++) {
      vec3 way = vec3_sub(s->x[s->triangles[3 * a->triangle[k] + j]], s->x[vertex]);
      double length = vec3_norm(way);
      if (length > 0 && !(vec3_dot(way, inwards) > FALLS * length)) return false;
    }
  return true;
}

tribo_status blunt_corners(const blunt_shape *shape, arena *memory, int32_t **out, size_t *count,
                           tribo_error *err) {
  around a;
  TRY(look_around(shape, memory, &a, err));
  *out = ARENA_ARRAY(memory, int32_t, shape->count);
  if (!*out) return status_no_memory(err, shape->name);
  *count = 0;
  for (size_t i = 0; i < shape->count; i++)
    if (is_corner(shape, &a, shape->vertices[i])) (*out)[(*count)++] = (int32_t)i;
  return TRIBO_OK;
}

double blunt_least_extent(const blunt_shape *shape) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < shape->count; i++) {
    vec3 p = shape->x[shape->vertices[i]];
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  return fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
}
