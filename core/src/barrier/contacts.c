/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "geom/distance.h"

/* Sets what follows from the gap; `size` is n m. */
static void bear(barrier_contact *c, const barrier_constants *k, double size) {
  double value, slope, curve;
  barrier_law(c->gap / k->band, &value, &slope, &curve);
  double unit = size * k->stiffness;
  c->count = size;
  c->of = *k;
  c->energy = unit * k->band * k->band * value;
  c->force = -unit * k->band * slope;
  c->curve = fmax(0, unit * curve);
}

/* ---- a vertex and the surface of a part -------------------------------------------------------
 */

/* A corner, an edge or a triangle that is closest, by its vertices: ascending, -1 behind the last.
 */
typedef struct feature {
  int32_t vertex[3];
  int count;
  double distance;
} feature;

enum { MOST_FACES = 64, MOST_FEATURES = 7 * MOST_FACES };

typedef struct surroundings {
  const barrier_scale *s;
  const vec3 *x;
  int32_t vertex, part;
  int32_t face[MOST_FACES][3];  /* vertices of the faces in reach, */
  int32_t triangle[MOST_FACES]; /* and their numbers */
  int face_count;
  feature features[MOST_FEATURES];
  int feature_count;
} surroundings;

/* Vertices at one place of what keeps its shape are one. */
static int32_t place_of(const surface_mesh *m, int32_t v) {
  return m->parts[m->part[v]].deforms ? v : m->same[v];
}

static void sort3(int32_t *v, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && v[j] < v[j - 1]; j--) {
      int32_t swap = v[j];
      v[j] = v[j - 1];
      v[j - 1] = swap;
    }
}

/* Adds n to the count of the feature. */
static void count_feature(surroundings *a, const int32_t *corners, int count, double distance,
                          int n) {
  feature f = {{-1, -1, -1}, n, distance};
  memcpy(f.vertex, corners, (size_t)count * sizeof *corners);
  sort3(f.vertex, count);
  for (int i = 0; i < a->feature_count; i++) {
    if (memcmp(a->features[i].vertex, f.vertex, sizeof f.vertex) != 0) continue;
    a->features[i].count += n;
    return;
  }
  if (a->feature_count < MOST_FEATURES) a->features[a->feature_count++] = f;
}

/* The closest feature of some of the surface's vertices: one, two or three. */
static void count_closest(surroundings *a, const int32_t *corners, int count, int n) {
  vec3 q = a->x[a->vertex], c[3];
  if (n == 0) return;
  for (int k = 0; k < count; k++) c[k] = a->x[corners[k]];
  if (count == 1) {
    count_feature(a, corners, 1, vec3_norm(vec3_sub(q, c[0])), n);
  } else if (count == 2) {
    double t, d = sqrt(distance_point_segment(q, c[0], c[1], &t));
    bool inside = t > 0 && t < 1;
    count_feature(a, corners + (t >= 1), inside ? 2 : 1, d, n);
  } else {
    static const int32_t taken[][3] = {
        [DISTANCE_CORNER_0] = {0},   [DISTANCE_CORNER_1] = {1},   [DISTANCE_CORNER_2] = {2},
        [DISTANCE_SIDE_01] = {0, 1}, [DISTANCE_SIDE_12] = {1, 2}, [DISTANCE_SIDE_20] = {2, 0},
        [DISTANCE_FACE] = {0, 1, 2}};
    distance_foot f = distance_point_triangle(q, c);
    int corners_taken = f.feature == DISTANCE_FACE ? 3 : f.feature >= DISTANCE_SIDE_01 ? 2 : 1;
    int32_t of[3] = {0, 0, 0};
    for (int k = 0; k < corners_taken; k++) of[k] = corners[taken[f.feature][k]];
    count_feature(a, of, corners_taken, sqrt(f.distance2), n);
  }
}

static bool has(const int32_t *face, int32_t v) {
  return face[0] == v || face[1] == v || face[2] == v;
}

/* How many of the faces have the corner, or both. */
static int faces_with(const surroundings *a, int32_t v, int32_t w) {
  int count = 0;
  for (int f = 0; f < a->face_count; f++) count += has(a->face[f], v) && has(a->face[f], w);
  return count;
}

/* An edge v, w counts once: an earlier face may have had it. */
static bool was_before(const surroundings *a, int face, int32_t v, int32_t w) {
  for (int f = 0; f < face; f++)
    if (has(a->face[f], v) && has(a->face[f], w)) return true;
  return false;
}

/* sum over the edges at p of n_e - 1 */
static int shared_edges_at(const surroundings *a, int32_t p) {
  int sum = 0;
  for (int f = 0; f < a->face_count; f++)
    for (int k = 0; k < 3; k++) {
      int32_t v = a->face[f][k], w = a->face[f][(k + 1) % 3];
      if ((v == p || w == p) && !was_before(a, f, v, w)) sum += faces_with(a, v, w) - 1;
    }
  return sum;
}

static void count_all(surroundings *a) {
  a->feature_count = 0;
  for (int f = 0; f < a->face_count; f++) count_closest(a, a->face[f], 3, 1);
  if (a->face_count < 2) return;
  for (int f = 0; f < a->face_count; f++)
    for (int k = 0; k < 3; k++) {
      int32_t edge[2] = {a->face[f][k], a->face[f][(k + 1) % 3]};
      if (!was_before(a, f, edge[0], edge[1]))
        count_closest(a, edge, 2, 1 - faces_with(a, edge[0], edge[1]));
      if (!was_before(a, f, edge[0], edge[0]))
        count_closest(a, edge, 1,
                      1 - faces_with(a, edge[0], edge[0]) + shared_edges_at(a, edge[0]));
    }
}

/* Segments of a rod, which are triangles a b b: they share points alone. */
static void count_line(surroundings *a) {
  a->feature_count = 0;
  for (int f = 0; f < a->face_count; f++) {
    count_closest(a, a->face[f], 2, 1);
    for (int k = 0; k < 2; k++) {
      int32_t p = a->face[f][k];
      if (!was_before(a, f, p, p)) count_closest(a, &p, 1, 1 - faces_with(a, p, p));
    }
  }
}

static uint64_t mix(uint64_t h, int32_t v) {
  h = (h ^ (uint64_t)(uint32_t)(v + 1)) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

/* Kind, then the first feature, then a hash of the second: contacts of one vertex stand together.
 */
static uint64_t key_of(int kind, int32_t first, const int32_t *second, int count) {
  uint64_t hash = 1;
  for (int i = 0; i < count; i++) hash = mix(hash, second[i]);
  return (uint64_t)kind << 63 | (uint64_t)(uint32_t)first << 32 | hash >> 32;
}

/* The first of the faces that has all of the feature. */
static int32_t triangle_of(const surroundings *a, const feature *f) {
  for (int i = 0; i < a->face_count; i++) {
    bool all = true;
    for (int k = 0; k < 3; k++) all = all && (f->vertex[k] < 0 || has(a->face[i], f->vertex[k]));
    if (all) return a->triangle[i];
  }
  return a->triangle[0];
}

static bool push_feature(const surroundings *a, const feature *f, const barrier_constants *k,
                         barrier_contact_list *out) {
  barrier_contact c = {
      .gap = f->distance - k->thickness, .other = a->part, .triangle = triangle_of(a, f)};
  vec3 x[4] = {a->x[a->vertex]};
  int corners = 0;
  while (corners < 3 && f->vertex[corners] >= 0) corners++;
  c.vertex[0] = a->vertex;
  for (int i = 0; i < 3; i++) {
    c.vertex[i + 1] = f->vertex[i < corners ? i : 0];
    x[i + 1] = a->x[c.vertex[i + 1]];
  }
  /* Corners stand twice in a triangle that is none: its closest point is theirs. */
  stencil s = stencil_vertex_face(x);
  for (int i = 0; i < 4; i++) c.weight[i] = s.weight[i];
  c.normal = s.normal;
  c.key = key_of(0, a->vertex, f->vertex, 3);
  bear(&c, k, f->count);
  return ARRAY_PUSH(*out, c);
}

/* Contacts of one vertex with one part of the mesh: candidates `from` to before `to`. */
static bool find_around(surroundings *a, const candidate_span *near, size_t from, size_t to,
                        barrier_contact_list *out, bool *blocked) {
  const surface_mesh *m = a->s->mesh;
  barrier_constants k = barrier_scale_face(a->s, a->vertex, a->part);
  a->face_count = 0;
  for (size_t i = from; i < to; i++) {
    const int32_t *t = m->triangles + 3 * (size_t)near->data[i].b;
    if (m->part[t[0]] != a->part) continue;
    vec3 c[3] = {a->x[t[0]], a->x[t[1]], a->x[t[2]]};
    double d2 = distance_point_triangle(a->x[a->vertex], c).distance2;
    double far = k.thickness + k.band;
    if (!(d2 < far * far)) continue;
    if (!(d2 > k.thickness * k.thickness)) *blocked = true;
    if (a->face_count == MOST_FACES) break;
    for (int j = 0; j < 3; j++) a->face[a->face_count][j] = place_of(m, t[j]);
    a->triangle[a->face_count] = near->data[i].b;
    a->face_count++;
  }
  if (a->face_count == 0 || *blocked) return true;
  if (m->parts[a->part].lines)
    count_line(a);
  else
    count_all(a);
  for (int f = 0; f < a->feature_count; f++)
    if (a->features[f].count != 0 && a->features[f].distance < k.thickness + k.band &&
        !push_feature(a, &a->features[f], &k, out))
      return false;
  return true;
}

static bool find_faces(surroundings *a, const candidates *near, barrier_contact_list *out,
                       bool *blocked) {
  const surface_mesh *m = a->s->mesh;
  const candidate_span *list = &near->found_faces;
  for (size_t i = 0, end; i < list->count; i = end) {
    int32_t v = list->data[i].a;
    for (end = i; end < list->count && list->data[end].a == v;) end++;
    if (!m->vertex_met[v]) continue;
    a->vertex = v;
    /* Triangles ascend, and so do their parts. */
    for (size_t from = i, to; from < end; from = to) {
      a->part = surface_mesh_part_of_triangle(m, list->data[from].b);
      for (to = from; to < end && surface_mesh_part_of_triangle(m, list->data[to].b) == a->part;)
        to++;
      if (glide_has(a->s->glide, a->part)) continue; /* felt below */
      if (!find_around(a, list, from, to, out, blocked)) return false;
    }
  }
  return true;
}

/* ---- a vertex and a smooth surface ------------------------------------------------------------
 */

/* Whether a vertex of a body is to feel the smooth part. */
static bool sees(const glide *g, int32_t vertex, int32_t part) {
  if (g->held && g->held[vertex]) return false;
  return !g->lost || !g->lost[(size_t)vertex * (size_t)g->mesh->part_count + (size_t)part];
}

static bool push_glide(const barrier_scale *s, const glide_gap *at, int32_t vertex, int32_t part,
                       double left, const vec3 *x, barrier_contact_list *out, bool *blocked) {
  barrier_constants k = barrier_scale_glide(s, vertex, part);
  const int32_t *t = s->mesh->triangles + 3 * (size_t)at->triangle;
  int32_t none[3] = {part, -2, -2};
  barrier_contact c = {.gap = at->height - k.thickness + left,
                       .other = part,
                       .triangle = at->triangle,
                       .key = key_of(0, vertex, none, 3),
                       .glides = true};
  if (!(c.gap < k.band)) return true;
  if (!(c.gap > 0)) *blocked = true;
  if (*blocked) return true;
  vec3 y[4] = {x[vertex], x[t[0]], x[t[1]], x[t[2]]};
  stencil foot = stencil_vertex_face(y);
  for (int i = 0; i < 4; i++) {
    c.vertex[i] = i ? t[i - 1] : vertex;
    c.weight[i] = foot.weight[i];
  }
  double steep = vec3_norm(at->by_point);
  bear(&c, &k, 1);
  c.normal = vec3_scale(1 / steep, at->by_point);
  c.bend = mat3_scale(1 / steep, &at->bend);
  c.force *= steep;
  c.curve *= steep * steep;
  return ARRAY_PUSH(*out, c);
}

static int compare_contacts(const void *left, const void *right) {
  const barrier_contact *a = left, *b = right;
  return (a->key > b->key) - (a->key < b->key);
}

/* Glides, the contacts with smooth surfaces. They are merged into the list of the others, so that
 * the contacts of one vertex stand together. */
static bool find_glides(const barrier_scale *s, const vec3 *x, barrier_contact_list *out,
                        bool *blocked) {
  const glide *g = s->glide;
  size_t before = out->count;
  for (int32_t k = 0; g && k < g->count; k++) {
    int32_t part = g->parts[k].part;
    if (g->absent && g->absent[part]) continue;
    glide_place place = glide_place_of(g, k, x);
    for (int32_t v = 0; v < s->mesh->body_vertices; v++) {
      if (!sees(g, v, part)) continue;
      glide_gap at = glide_ask(&place, s->mesh, x[v]);
      double left = g->left[(size_t)k * (size_t)s->mesh->body_vertices + (size_t)v];
      if (at.near && !push_glide(s, &at, v, part, left, x, out, blocked)) return false;
      if (*blocked) return true;
    }
  }
  if (out->count > before) qsort(out->data, out->count, sizeof *out->data, compare_contacts);
  return true;
}

void barrier_contacts_start(const barrier_scale *s, const vec3 *x) {
  const glide *g = s->glide;
  for (int32_t k = 0; g && k < g->count; k++) {
    glide_place place = glide_place_of(g, k, x);
    for (int32_t v = 0; v < s->mesh->body_vertices; v++) {
      double *left = &g->left[(size_t)k * (size_t)s->mesh->body_vertices + (size_t)v];
      glide_gap at = glide_ask(&place, s->mesh, x[v]);
      barrier_constants of = barrier_scale_glide(s, v, g->parts[k].part);
      *left = at.near ? barrier_scale_left(s, at.height - of.thickness, &of) : 0;
    }
  }
}

static void bend_glide(const barrier_contact *c, double h[144]) {
  memset(h, 0, 144 * sizeof *h);
  mat3 n = mat3_outer(vec3_scale(c->curve, c->normal), c->normal);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) h[12 * i + j] = n.m[i][j] - c->force * c->bend.m[i][j];
}

/* ---- two edges --------------------------------------------------------------------------------
 */

/* The window of an edge: a foot nearer to an end than this part of the edge fades out. */
static const double WINDOW = 0.2;

/* 0 at the ends of an edge, 1 between; t: the parameter of its closest point. */
static double window(double t, double *slope, double *bend) {
  double side = t < 0.5 ? 1 : -1, s = (t < 0.5 ? t : 1 - t) / WINDOW;
  *slope = s < 1 ? side * 6 * s * (1 - s) / WINDOW : 0;
  *bend = s < 1 ? (6 - 12 * s) / (WINDOW * WINDOW) : 0;
  return s < 1 ? s * s * (3 - 2 * s) : 1;
}

/* The factor m of an edge-edge contact: mollifier and two windows, with derivatives. */
typedef struct fading {
  double mollifier, in[2], slope[2], bend[2];
  vec3 by_mollifier[4], by[4][2]; /* of the mollifier, and of the two parameters */
} fading;

/* How the two parameters move with the points (proximity/stencil.h). */
static void move_parameters(const stencil *at, const vec3 x[4], vec3 by[4][2]) {
  vec3 t[2] = {vec3_sub(x[1], x[0]), vec3_sub(x[2], x[3])};
  vec3 r = vec3_scale(at->distance, at->normal);
  double aa = vec3_norm2(t[0]), bb = vec3_norm2(t[1]), ab = vec3_dot(t[0], t[1]);
  double det = aa * bb - ab * ab;
  for (int i = 0; i < 4; i++) {
    vec3 row[2];
    for (int k = 0; k < 2; k++)
      row[k] = vec3_madd(vec3_scale(at->by[i][k], r), at->weight[i], t[k]);
    by[i][0] = vec3_scale(-1 / det, vec3_sub(vec3_scale(bb, row[0]), vec3_scale(ab, row[1])));
    by[i][1] = vec3_scale(-1 / det, vec3_sub(vec3_scale(aa, row[1]), vec3_scale(ab, row[0])));
  }
}

static fading fading_of(const surface_mesh *m, const int32_t v[4], const stencil *at,
                        const vec3 x[4], double hessian[144]) {
  fading f;
  vec3 rest[4];
  for (int i = 0; i < 4; i++) rest[i] = m->rest[v[i]];
  f.mollifier = stencil_mollifier(x, stencil_mollifier_bound(rest), f.by_mollifier, hessian);
  f.in[0] = window(at->weight[1], &f.slope[0], &f.bend[0]);
  f.in[1] = window(-at->weight[3], &f.slope[1], &f.bend[1]);
  move_parameters(at, x, f.by);
  return f;
}

/* The gradient of the product at point i. */
static vec3 fading_by(const fading *f, int i) {
  vec3 g = vec3_scale(f->in[0] * f->in[1], f->by_mollifier[i]);
  g = vec3_madd(g, f->mollifier * f->slope[0] * f->in[1], f->by[i][0]);
  return vec3_madd(g, f->mollifier * f->in[0] * f->slope[1], f->by[i][1]);
}

static bool push_edges(const barrier_scale *s, candidate pair, const int32_t v[4], const vec3 y[4],
                       const barrier_constants *k, barrier_contact_list *out) {
  const surface_mesh *m = s->mesh;
  stencil at = stencil_edge_edge(y);
  if (at.type != STENCIL_EDGE_EDGE) return true; /* its vertices touch, not the edges */
  barrier_contact c = {.gap = at.distance - k->thickness,
                       .normal = at.normal,
                       .other = m->part[v[2]],
                       .key = key_of(1, pair.a, &pair.b, 1)};
  for (int i = 0; i < 4; i++) {
    c.vertex[i] = v[i];
    c.weight[i] = at.weight[i];
  }
  fading f = fading_of(m, v, &at, y, NULL);
  double all = f.mollifier * f.in[0] * f.in[1];
  bear(&c, k, 1);
  c.fades = all < 1;
  for (int i = 0; c.fades && i < 4; i++) c.fade[i] = vec3_scale(c.energy, fading_by(&f, i));
  c.energy *= all;
  c.force *= all;
  c.curve *= all;
  return ARRAY_PUSH(*out, c);
}

static bool find_edges(const barrier_scale *s, const candidates *near, const vec3 *x,
                       barrier_contact_list *out, bool *blocked) {
  const surface_mesh *m = s->mesh;
  for (size_t i = 0; i < near->found_edges.count; i++) {
    candidate pair = near->found_edges.data[i];
    if (!m->edge_met[pair.a] || !m->edge_met[pair.b]) continue;
    int32_t v[4];
    vec3 y[4];
    unsigned taking;
    candidate_edge_vertices(m, pair, v);
    for (int k = 0; k < 4; k++) y[k] = x[v[k]];
    barrier_constants k = barrier_scale_edges(s, pair.a, pair.b);
    double d = stencil_edge_edge_distance(y, &taking);
    if (!(d < k.thickness + k.band)) continue;
    if (!(d > k.thickness)) {
      *blocked = true;
      return true;
    }
    if (!push_edges(s, pair, v, y, &k, out)) return false;
  }
  return true;
}

/* ---- second derivatives -----------------------------------------------------------------------
 */

static double component(const vec3 *v, int k) { return (&v->x)[k]; }

/* h += s (a b^T + b a^T) / 2, of four vectors each. */
static void add_outer(double s, const vec3 a[4], const vec3 b[4], double h[144]) {
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) {
      double ab = component(&a[i / 3], i % 3) * component(&b[j / 3], j % 3);
      double ba = component(&b[i / 3], i % 3) * component(&a[j / 3], j % 3);
      h[12 * i + j] += s * (ab + ba) / 2;
    }
}

/* slope and curve: derivatives of the energy by the distance. */
static void bend_distance(const stencil *s, const vec3 x[4], double slope, double curve,
                          double h[144]) {
  vec3 by[4];
  for (int i = 0; i < 4; i++) by[i] = vec3_scale(s->weight[i], s->normal);
  stencil_hessian(s, x, h);
  for (int k = 0; k < 144; k++) h[k] *= slope / (2 * s->distance);
  add_outer(curve - slope / s->distance, by, by, h);
}

static void bend_fading(const surface_mesh *m, const barrier_contact *c, const stencil *at,
                        const vec3 x[4], double energy, double slope, double h[144]) {
  double by_mollifier[144];
  fading f = fading_of(m, c->vertex, at, x, by_mollifier);
  vec3 by[4], all[4], first[4], second[4];
  for (int i = 0; i < 4; i++) {
    by[i] = vec3_scale(at->weight[i], at->normal);
    all[i] = fading_by(&f, i);
    first[i] = f.by[i][0];
    second[i] = f.by[i][1];
  }
  double p = f.in[0] * f.in[1];
  for (int k = 0; k < 144; k++) h[k] = f.mollifier * p * h[k] + energy * p * by_mollifier[k];
  add_outer(2 * slope, all, by, h);
  double e = energy * f.mollifier;
  add_outer(e * f.bend[0] * f.in[1], first, first, h);
  add_outer(e * f.in[0] * f.bend[1], second, second, h);
  add_outer(2 * e * f.slope[0] * f.slope[1], first, second, h);
  add_outer(2 * energy * f.slope[0] * f.in[1], first, f.by_mollifier, h);
  add_outer(2 * energy * f.in[0] * f.slope[1], second, f.by_mollifier, h);
}

void barrier_contact_hessian(const barrier_contact *c, const surface_mesh *m, const vec3 *x,
                             double h[144]) {
  vec3 y[4];
  double value, slope, curve, unit = c->count * c->of.stiffness;
  bool edges = c->key >> 63;
  if (c->glides) {
    bend_glide(c, h);
    return;
  }
  for (int i = 0; i < 4; i++) y[i] = x[c->vertex[i]];
  stencil at = edges ? stencil_edge_edge(y) : stencil_vertex_face(y);
  barrier_law(c->gap / c->of.band, &value, &slope, &curve);
  bend_distance(&at, y, unit * c->of.band * slope, unit * curve, h);
  if (c->fades)
    bend_fading(m, c, &at, y, unit * c->of.band * c->of.band * value, unit * c->of.band * slope, h);
}

/* ---- all --------------------------------------------------------------------------------------
 */

tribo_status barrier_contacts_find(const barrier_scale *s, const candidates *near, const vec3 *x,
                                   barrier_contact_list *out, bool *blocked, tribo_error *err) {
  surroundings a = {.s = s, .x = x};
  out->count = 0;
  *blocked = false;
  if (!find_faces(&a, near, out, blocked) || (!*blocked && !find_glides(s, x, out, blocked)) ||
      (!*blocked && !find_edges(s, near, x, out, blocked)))
    return status_no_memory(err, "contacts");
  return TRIBO_OK;
}

tribo_status barrier_contacts_energy(const barrier_scale *s, const candidates *near, const vec3 *x,
                                     barrier_contact_list *scratch, double *out, tribo_error *err) {
  bool blocked;
  TRY(barrier_contacts_find(s, near, x, scratch, &blocked, err));
  double sum = 0;
  for (size_t i = 0; i < scratch->count; i++) sum += scratch->data[i].energy;
  *out = blocked ? INFINITY : sum;
  return TRIBO_OK;
}
