/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/mesh_distance.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>

#include "geom/places.h"

enum { GRAIN = 512, QUERY_GRAIN = 32 };

/* Twice the area over the square of the longest side: below this the normal is rounding. */
static const double no_area = 1e-13;
/* Normals of unit length that add up to less than this cancel. */
static const double no_normal = 1e-9;

/* ------------------------------------------------------------------------- what meets where -- */

typedef struct side {
  int32_t low, high, corner; /* places, and 3 triangle + side */
} side;

static int compare_sides(const void *a, const void *b) {
  const side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return (p->corner > q->corner) - (p->corner < q->corner);
}

static int32_t next_corner(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

/* Two corners at one place: a segment or a point, which has no sides to be told apart. */
static bool collapsed(const int32_t *place_of_corner, int32_t corner) {
  const int32_t *p = place_of_corner + corner / 3 * 3;
  return p[0] == p[1] || p[1] == p[2] || p[2] == p[0];
}

/* One edge: the sides in sorted[0..count), all with the same ends. */
static void add_edge(const side *sorted, size_t count, mesh_distance *m) {
  int32_t edge = (int32_t)m->edge_count++, first = m->edge_start[edge], end = first, forward = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t corner = sorted[i].corner;
    m->sides[corner / 3][corner % 3] = edge;
    if (collapsed(m->place_of_corner, corner)) continue;
    m->edge_corner[end++] = corner;
    forward += m->place_of_corner[corner] == sorted[i].low;
  }
  m->edge_start[edge + 1] = end;
  m->edge_rim[edge] = end - first == 1;
  if (m->edge_rim[edge]) {
    m->rim_edges++;
    m->place_rim[sorted->low] = m->place_rim[sorted->high] = true;
  }
  if (end - first > 2 || (end - first == 2 && forward != 1)) m->crossed_edges++;
}

static void find_edges(side *sides, mesh_distance *m) {
  size_t count = 3 * m->triangle_count;
  for (size_t c = 0; c < count; c++) {
    int32_t a = m->place_of_corner[c], b = m->place_of_corner[next_corner((int32_t)c)];
    sides[c] = (side){a < b ? a : b, a < b ? b : a, (int32_t)c};
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count; end++)
      if (sides[end].low != sides[first].low || sides[end].high != sides[first].high) break;
    add_edge(sides + first, end - first, m);
  }
}

/* The corners at each place, ascending. */
static void find_corners(mesh_distance *m) {
  size_t count = 3 * m->triangle_count;
  for (size_t c = 0; c < count; c++) m->place_start[m->place_of_corner[c] + 1]++;
  for (size_t p = 0; p < m->place_count; p++) m->place_start[p + 1] += m->place_start[p];
  for (size_t c = count; c-- > 0;) /* from behind, so that starts end up where they belong */
    m->place_corner[--m->place_start[m->place_of_corner[c] + 1]] = (int32_t)c;
  for (size_t p = 0; p < m->place_count; p++) m->place_start[p] = m->place_start[p + 1];
  m->place_start[m->place_count] = (int32_t)count;
}

/* ------------------------------------------------------------------------------- the normals -- */

typedef struct fit_job {
  const vec3 *points;
  mesh_distance *m;
  atomic_size_t flat;
} fit_job;

/* The unit normal and the angles of a triangle; a zero normal when it has no area. */
static vec3 measure(const vec3 c[3], double angles[3]) {
  const double pi = 3.14159265358979323846;
  vec3 a = vec3_sub(c[1], c[0]), b = vec3_sub(c[2], c[1]), e = vec3_sub(c[0], c[2]);
  vec3 normal = vec3_cross(a, b);
  double longest2 = fmax(vec3_norm2(a), fmax(vec3_norm2(b), vec3_norm2(e)));
  double length = vec3_norm(normal);
  if (!(length > no_area * longest2)) return vec3_make(0, 0, 0);
  angles[0] = atan2(length, -vec3_dot(e, a));
  angles[1] = atan2(length, -vec3_dot(a, b));
  angles[2] = fmax(pi - angles[0] - angles[1], 0);
  return vec3_scale(1 / length, normal);
}

static void fit_triangles(void *context, size_t begin, size_t end) {
  fit_job *job = context;
  mesh_distance *m = job->m;
  size_t flat = 0;
  for (size_t place = begin; place < end; place++) {
    const int32_t *v = m->triangles + 3 * place;
    for (int c = 0; c < 3; c++) m->corners[place][c] = job->points[v[c]];
    int32_t triangle = m->tree.order[place];
    vec3 normal = measure(m->corners[place], m->angles[triangle]);
    m->face_normals[triangle] = normal;
    flat += vec3_norm2(normal) == 0;
  }
  atomic_fetch_add(&job->flat, flat);
}

/* Zero where the normals cancel: the caller then takes the face's. */
static vec3 unit_sum(vec3 sum) {
  double length = vec3_norm(sum);
  return length > no_normal ? vec3_scale(1 / length, sum) : vec3_make(0, 0, 0);
}

static void fit_edges(void *context, size_t begin, size_t end) {
  mesh_distance *m = ((fit_job *)context)->m;
  for (size_t e = begin; e < end; e++) {
    vec3 sum = {0, 0, 0};
    for (int32_t i = m->edge_start[e]; i < m->edge_start[e + 1]; i++)
      sum = vec3_add(sum, m->face_normals[m->edge_corner[i] / 3]);
    m->edge_normals[e] = unit_sum(sum);
  }
}

/* Triangles without area have a zero normal, and add nothing. */
static void fit_places(void *context, size_t begin, size_t end) {
  mesh_distance *m = ((fit_job *)context)->m;
  for (size_t p = begin; p < end; p++) {
    vec3 sum = {0, 0, 0};
    for (int32_t i = m->place_start[p]; i < m->place_start[p + 1]; i++) {
      int32_t triangle = m->place_corner[i] / 3, corner = m->place_corner[i] % 3;
      sum = vec3_madd(sum, m->angles[triangle][corner], m->face_normals[triangle]);
    }
    m->place_normals[p] = unit_sum(sum);
  }
}

static void fit_normals(const tasks *t, const vec3 *points, mesh_distance *m) {
  fit_job job = {.points = points, .m = m};
  atomic_init(&job.flat, 0);
  tasks_for(t, m->triangle_count, GRAIN, fit_triangles, &job);
  m->flat_triangles = atomic_load(&job.flat);
  tasks_for(t, m->edge_count, GRAIN, fit_edges, &job);
  tasks_for(t, m->place_count, GRAIN, fit_places, &job);
}

/* ------------------------------------------------------------------------------- the build -- */

static tribo_status check(const vec3 *points, size_t point_count, const int32_t *triangles,
                          size_t triangle_count, tribo_error *err) {
  for (size_t i = 0; i < point_count; i++)
    if (!vec3_finite(points[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "vertex %zu is at (%g, %g, %g): not a place", i,
                         points[i].x, points[i].y, points[i].z);
  for (size_t c = 0; c < 3 * triangle_count; c++)
    if (triangles[c] < 0 || (size_t)triangles[c] >= point_count)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "triangle %zu has vertex %d, but vertices are numbered from 0 to %zu",
                         c / 3, (int)triangles[c], point_count - 1);
  return TRIBO_OK;
}

static bool reserve(size_t triangle_count, size_t point_count, arena *memory, mesh_distance *m) {
  size_t corners = 3 * triangle_count;
  m->corners = arena_alloc(memory, triangle_count, sizeof *m->corners);
  m->face_normals = ARENA_ARRAY(memory, vec3, triangle_count);
  m->angles = arena_alloc(memory, triangle_count, sizeof *m->angles);
  m->sides = arena_alloc(memory, triangle_count, sizeof *m->sides);
  m->boxes = ARENA_ARRAY(memory, bvh_box, triangle_count);
  m->edge_normals = ARENA_ARRAY(memory, vec3, corners);
  m->edge_rim = ARENA_ARRAY(memory, bool, corners);
  m->edge_start = ARENA_ARRAY(memory, int32_t, corners + 1);
  m->edge_corner = ARENA_ARRAY(memory, int32_t, corners);
  m->place_normals = ARENA_ARRAY(memory, vec3, point_count);
  m->place_rim = ARENA_ARRAY(memory, bool, point_count);
  m->place_start = ARENA_ARRAY(memory, int32_t, point_count + 1);
  m->place_corner = ARENA_ARRAY(memory, int32_t, corners);
  m->place_of_corner = ARENA_ARRAY(memory, int32_t, corners);
  return m->corners && m->face_normals && m->angles && m->sides && m->boxes && m->edge_normals &&
         m->edge_rim && m->edge_start && m->edge_corner && m->place_normals && m->place_rim &&
         m->place_start && m->place_corner && m->place_of_corner;
}

static tribo_status find_neighbours(const vec3 *points, size_t point_count, mesh_distance *m,
                                    tribo_error *err) {
  int32_t *place_of_point = malloc((point_count + 1) * sizeof *place_of_point);
  side *sides = malloc((3 * m->triangle_count + 1) * sizeof *sides);
  bool whole = place_of_point && sides;
  tribo_status status = TRIBO_OK;
  if (whole) status = places_number(points, point_count, place_of_point, &m->place_count, err);
  if (whole && status == TRIBO_OK) {
    for (size_t c = 0; c < 3 * m->triangle_count; c++)
      m->place_of_corner[c] = place_of_point[m->given[c]];
    find_edges(sides, m);
    find_corners(m);
  }
  free(sides);
  free(place_of_point);
  return whole ? status : status_no_memory(err, "the edges of a mesh");
}

tribo_status mesh_distance_build(const tasks *t, const vec3 *points, size_t point_count,
                                 const int32_t *triangles, size_t triangle_count, arena *memory,
                                 mesh_distance *out, tribo_error *err) {
  assert(triangle_count < (size_t)1 << 29);
  *out = (mesh_distance){0};
  TRY(check(points, point_count, triangles, triangle_count, err));
  if (triangle_count == 0) return TRIBO_OK;
  mesh_distance made = {.triangle_count = triangle_count}, *m = &made;
  int32_t *given = ARENA_ARRAY(memory, int32_t, 3 * triangle_count);
  int32_t *in_tree = ARENA_ARRAY(memory, int32_t, 3 * triangle_count);
  if (!given || !in_tree || !reserve(triangle_count, point_count, memory, m))
    return status_no_memory(err, "the distance to a mesh");
  for (size_t c = 0; c < 3 * triangle_count; c++) given[c] = triangles[c];
  m->given = given;
  TRY(find_neighbours(points, point_count, m, err));
  bvh_triangle_boxes(t, points, points, given, triangle_count, 0, m->boxes);
  TRY(bvh_build(m->boxes, triangle_count, memory, &m->tree, err));
  for (size_t c = 0; c < 3 * triangle_count; c++)
    in_tree[c] = given[3 * m->tree.order[c / 3] + (int32_t)(c % 3)];
  m->triangles = in_tree;
  fit_normals(t, points, m);
  *out = made;
  return TRIBO_OK;
}

void mesh_distance_refit(const tasks *t, const vec3 *points, mesh_distance *m) {
  bvh_triangle_boxes(t, points, points, m->given, m->triangle_count, 0, m->boxes);
  bvh_refit(t, m->boxes, &m->tree);
  fit_normals(t, points, m);
}

/* ------------------------------------------------------------------------------ the question -- */

typedef struct search {
  const mesh_distance *m;
  vec3 q;
  int32_t triangle; /* the nearest so far, -1: none */
  distance_foot foot;
} search;

static double visit_triangle(void *context, int32_t place, double limit) {
  search *s = context;
  distance_foot f = distance_point_triangle(s->q, s->m->corners[place]);
  int32_t triangle = s->m->tree.order[place];
  if (f.distance2 < limit ||
      (f.distance2 == limit && (s->triangle < 0 || triangle < s->triangle))) {
    s->foot = f;
    s->triangle = triangle;
    return f.distance2;
  }
  return limit;
}

/* Inside a triangle without area is on one of its sides: that which the smallest weight faces. */
static distance_feature side_of_flat(const double weight[3]) {
  int least = weight[1] < weight[0] ? 1 : 0;
  if (weight[2] < weight[least]) least = 2;
  return least == 2 ? DISTANCE_SIDE_01 : (distance_feature)(DISTANCE_SIDE_12 + least);
}

/* The pseudo-normal of the feature the foot is on; zero when nothing there has area. */
static vec3 feature_normal(const mesh_distance *m, int32_t triangle, distance_foot *f, bool *rim) {
  vec3 normal = m->face_normals[triangle];
  if (f->feature == DISTANCE_FACE && vec3_norm2(normal) == 0) f->feature = side_of_flat(f->weight);
  distance_feature feature = f->feature;
  *rim = false;
  if (feature <= DISTANCE_CORNER_2) {
    int32_t place = m->place_of_corner[3 * triangle + (int32_t)feature];
    *rim = m->place_rim[place];
    if (vec3_norm2(m->place_normals[place]) > 0) normal = m->place_normals[place];
  } else if (feature <= DISTANCE_SIDE_20) {
    int32_t edge = m->sides[triangle][feature - DISTANCE_SIDE_01];
    *rim = m->edge_rim[edge];
    if (vec3_norm2(m->edge_normals[edge]) > 0) normal = m->edge_normals[edge];
  }
  return normal;
}

/* Where foot and query cannot be told apart the distance has no direction of its own. */
static vec3 gradient(vec3 q, const distance_foot *f, double sign, double distance, vec3 normal) {
  double rounding = 16 * DBL_EPSILON * fmax(vec3_max_abs(q), vec3_max_abs(f->foot));
  bool known = vec3_norm2(normal) > 0;
  if (known && (f->feature == DISTANCE_FACE || distance <= rounding)) return normal;
  vec3 away = vec3_normalized(vec3_sub(q, f->foot));
  if (vec3_norm2(away) > 0) return vec3_scale(sign, away);
  return known ? normal : vec3_make(0, 0, 1);
}

bool mesh_distance_query(const mesh_distance *m, vec3 q, double reach, mesh_foot *out) {
  search s = {.m = m, .q = q, .triangle = -1};
  if (reach >= 0) bvh_nearest(&m->tree, q, reach * reach, visit_triangle, &s);
  *out = (mesh_foot){.triangle = s.triangle};
  if (s.triangle < 0) return false;
  distance_foot *f = &s.foot;
  vec3 normal = feature_normal(m, s.triangle, f, &out->rim);
  double distance = sqrt(f->distance2);
  double sign = vec3_dot(vec3_sub(q, f->foot), normal) < 0 ? -1 : 1;
  out->distance = sign * distance;
  out->normal = gradient(q, f, sign, distance, normal);
  out->foot = f->foot;
  for (int i = 0; i < 3; i++) out->weight[i] = f->weight[i];
  out->feature = f->feature;
  return true;
}

typedef struct batch_job {
  const mesh_distance *m;
  const vec3 *queries;
  const double *reach;
  mesh_foot *out;
} batch_job;

static void ask_batch(void *context, size_t begin, size_t end) {
  const batch_job *job = context;
  for (size_t i = begin; i < end; i++)
    mesh_distance_query(job->m, job->queries[i], job->reach[i], &job->out[i]);
}

void mesh_distance_batch(const tasks *t, const mesh_distance *m, const vec3 *queries,
                         const double *reach, size_t count, mesh_foot *out) {
  batch_job job = {m, queries, reach, out};
  tasks_for(t, count, QUERY_GRAIN, ask_batch, &job);
}
