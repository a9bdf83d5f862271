/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proximity/candidates.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "geom/distance.h"

/* Askers to a list of their own: what is found does not depend on who looks. */
enum { CHUNK = 64 };

/* ---- setting up -------------------------------------------------------------------------------
 */

tribo_status candidates_create(const surface_mesh *mesh, arena *memory, candidates *out,
                               tribo_error *err) {
  *out = (candidates){.mesh = mesh, .motion = ARENA_ARRAY(memory, bvh_motion, mesh->vertex_count)};
  size_t askers = (size_t)mesh->vertex_count, edges = (size_t)mesh->body_edges;
  out->chunk_count = (askers + CHUNK - 1) / CHUNK + (edges + CHUNK - 1) / CHUNK;
  out->chunks = calloc(out->chunk_count + 1, sizeof *out->chunks);
  if (!out->motion || !out->chunks) return status_no_memory(err, "the search for contacts");
  const int32_t *t = mesh->triangles, *e = mesh->edges;
  size_t body_t = (size_t)mesh->body_triangles, body_e = (size_t)mesh->body_edges;
  TRY(bvh_moving_build(mesh->rest, t, 3, body_t, memory, &out->faces[0], err));
  TRY(bvh_moving_build(mesh->rest, t + 3 * body_t, 3, (size_t)mesh->triangle_count - body_t, memory,
                       &out->faces[1], err));
  TRY(bvh_moving_build(mesh->rest, e, 2, body_e, memory, &out->edges[0], err));
  return bvh_moving_build(mesh->rest, e + 2 * body_e, 2, (size_t)mesh->edge_count - body_e, memory,
                          &out->edges[1], err);
}

void candidates_free(candidates *c) {
  for (size_t i = 0; c->chunks && i < c->chunk_count; i++) free(c->chunks[i].data);
  free(c->chunks);
  free(c->found_faces.data);
  free(c->found_edges.data);
  *c = (candidates){0};
}

/* ---- the filter -------------------------------------------------------------------------------
 */

/* How far apart two vertices are along their strand; infinite of different ones. */
static double along(const surface_mesh *mesh, int32_t a, int32_t b) {
  if (mesh->strand[a] < 0 || mesh->strand[a] != mesh->strand[b]) return INFINITY;
  double apart = fabs(mesh->arc[a] - mesh->arc[b]);
  return fmin(apart, mesh->around[a] - apart);
}

bool candidates_neighbours(const surface_mesh *mesh, const int32_t *a, int count_a,
                           const int32_t *b, int count_b) {
  for (int i = 0; i < count_a; i++)
    for (int j = 0; j < count_b; j++)
      if (mesh->same[a[i]] == mesh->same[b[j]]) return true;
  const surface_part *part = &mesh->parts[mesh->part[a[0]]];
  for (int i = 0; part->lines && mesh->part[b[0]] == mesh->part[a[0]] && i < count_a; i++)
    for (int j = 0; j < count_b; j++)
      if (along(mesh, a[i], b[j]) < part->along) return true;
  return false;
}

static bool parts_meet(const surface_mesh *m, const candidates_filter *f, int32_t a, int32_t b) {
  const surface_part *one = &m->parts[a], *other = &m->parts[b];
  if (f->absent && (f->absent[a] || f->absent[b])) return false;
  if (one->body < 0 && other->body < 0) return false;
  if (a == b && !one->deforms) return false;
  return !f->apart || !f->apart[(size_t)a * (size_t)m->part_count + (size_t)b];
}

static bool is_held(const surface_mesh *m, const candidates_filter *f, int32_t vertex) {
  return f->held ? f->held[vertex] : m->parts[m->part[vertex]].body < 0;
}

static int compare(candidate a, candidate b) {
  if (a.a != b.a) return a.a < b.a ? -1 : 1;
  return (a.b > b.b) - (a.b < b.b);
}

static bool is_excluded(const candidate *list, size_t count, candidate c) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(list[middle], c);
    if (order == 0) return true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

/* ---- one pair ---------------------------------------------------------------------------------
 */

typedef struct search {
  candidates *c;
  const candidates_filter *filter;
  const vec3 *from, *to;
  double farthest; /* the largest reach of a part */
  bool failed;     /* memory ran out; every chunk writes its own flag */
} search;

static double pick(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Whether the boxes of the ways, seen from what moves with the mean of the four, are further apart
 * than reach. */
static bool ways_apart(const vec3 x[4], const vec3 d[4], int split, double reach) {
  for (int axis = 0; axis < 3; axis++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
      int side = i >= split;
      double begin = pick(x[i], axis), end = begin + pick(d[i], axis);
      double least = begin < end ? begin : end, most = begin < end ? end : begin;
      if (least < low[side]) low[side] = least;
      if (most > high[side]) high[side] = most;
    }
    if (low[0] - high[1] > reach || low[1] - high[0] > reach) return true;
  }
  return false;
}

static double largest_difference(const vec3 d[4], int split) {
  double most = 0;
  for (int i = 0; i < split; i++)
    for (int j = split; j < 4; j++) {
      double way2 = vec3_norm2(vec3_sub(d[i], d[j]));
      if (way2 > most) most = way2;
    }
  return sqrt(most);
}

static bool comes_near(const search *s, const int32_t v[4], int split, double reach) {
  vec3 x[4], d[4], mean = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    x[i] = s->from[v[i]];
    d[i] = vec3_sub(s->to[v[i]], x[i]);
    mean = vec3_madd(mean, 0.25, d[i]);
  }
  for (int i = 0; i < 4; i++) d[i] = vec3_sub(d[i], mean);
  if (ways_apart(x, d, split, reach)) return false;
  double p, q, far = reach + largest_difference(d, split);
  double distance2 = split == 1 ? distance_point_triangle(x[0], x + 1).distance2
                                : distance_edge_edge(x, x + 2, &p, &q);
  return distance2 <= far * far;
}

static bool push(candidate_span *list, candidate c) {
  if (list->count == list->capacity &&
      !array_reserve(&list->data, &list->capacity, list->count + 1, sizeof *list->data))
    return false;
  list->data[list->count++] = c;
  return true;
}

/* ---- asking -----------------------------------------------------------------------------------
 */

/* One vertex or edge that looks around. */
typedef struct asker {
  const search *s;
  const bvh_moving *tree;
  int32_t offset; /* mesh-wide number of the tree's item 0 */
  int32_t number, part;
  const int32_t *own;
  int own_count;
  bool held; /* all of its own vertices are */
  one_box box;
  candidate_span *out;
  bool failed;
} asker;

/* Of vertices of one side, to the part of the other. */
static bool any_lost(const asker *a, const int32_t *v, int count, int32_t part) {
  const candidates_filter *f = a->s->filter;
  size_t parts = (size_t)a->s->c->mesh->part_count;
  for (int i = 0; f->lost && i < count; i++)
    if (f->lost[(size_t)v[i] * parts + (size_t)part]) return true;
  return false;
}

static void broad_phase(asker *a, int32_t other) {
  const search *s = a->s;
  const surface_mesh *m = s->c->mesh;
  const candidates_filter *f = s->filter;
  bool faces = a->own_count == 1;
  if (!faces && a->number >= other && other < m->body_edges) return;
  candidate c = {a->number, other};
  int32_t v[4];
  if (faces)
    candidate_face_vertices(m, c, v);
  else
    candidate_edge_vertices(m, c, v);
  int split = a->own_count;
  int32_t part = m->part[v[split]];
  if (!parts_meet(m, f, a->part, part)) return;
  if (a->part == part && candidates_neighbours(m, v, split, v + split, 4 - split)) return;
  bool held = a->held;
  for (int i = split; held && i < 4; i++) held = is_held(m, f, v[i]);
  if (held) return;
  if (any_lost(a, v, split, part) || any_lost(a, v + split, 4 - split, a->part)) return;
  if (!comes_near(s, v, split, f->reach[a->part] + f->reach[part])) return;
  if (is_excluded(faces ? f->excluded_faces : f->excluded_edges,
                  faces ? f->excluded_face_count : f->excluded_edge_count, c))
    return;
  if (!push(a->out, c)) a->failed = true;
}

static void broad_phase_group(void *context, int32_t group) {
  asker *a = context;
  size_t g = (size_t)group;
  unsigned bits = bvh_moving_met(a->tree, g, &a->box);
  for (; bits; bits &= bits - 1)
    broad_phase(a, a->offset + a->tree->order[EIGHT * g + (size_t)__builtin_ctz(bits)]);
}

/* Low and high of places and motions, in floats, rounded outward. */
static one_box box_of(const search *s, const int32_t *v, int count, double reach) {
  one_box box = {.near = eights_above(reach), .time = 1, .most = FLT_MAX};
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY, slow = INFINITY, fast = -INFINITY;
    for (int i = 0; i < count; i++) {
      double x = pick(s->from[v[i]], axis), d = pick(s->to[v[i]], axis) - x;
      low = fmin(low, x), high = fmax(high, x);
      slow = fmin(slow, d), fast = fmax(fast, d);
    }
    box.low[axis] = -eights_above(-low), box.high[axis] = eights_above(high);
    box.slow[axis] = -eights_above(-slow), box.fast[axis] = eights_above(fast);
  }
  return box;
}

static int compare_found(const void *left, const void *right) {
  return compare(*(const candidate *)left, *(const candidate *)right);
}

static bool look(const search *s, int32_t number, const int32_t *own, int count,
                 candidate_span *out) {
  const surface_mesh *m = s->c->mesh;
  const bvh_moving *trees = count == 1 ? s->c->faces : s->c->edges;
  asker a = {.s = s,
             .number = number,
             .part = m->part[own[0]],
             .own = own,
             .own_count = count,
             .held = true,
             .out = out};
  if (s->filter->absent && s->filter->absent[a.part]) return true;
  for (int i = 0; i < count; i++) a.held = a.held && is_held(m, s->filter, own[i]);
  a.box = box_of(s, own, count, s->filter->reach[a.part] + s->farthest);
  size_t before = out->count;
  bool collider = m->parts[a.part].body < 0;
  for (int k = 0; k < (collider ? 1 : 2); k++) {
    a.tree = &trees[k];
    a.offset = k == 0 ? 0 : count == 1 ? m->body_triangles : m->body_edges;
    bvh_moving_visit(a.tree, &a.box, broad_phase_group, &a);
  }
  if (out->count > before)
    qsort(out->data + before, out->count - before, sizeof *out->data, compare_found);
  return !a.failed;
}

typedef struct chunk_job {
  const search *s;
  size_t face_chunks;
  bool *failed; /* of each chunk */
} chunk_job;

static void look_from_chunks(void *context, size_t begin, size_t end) {
  const chunk_job *j = context;
  const surface_mesh *m = j->s->c->mesh;
  for (size_t k = begin; k < end; k++) {
    candidate_span *out = &j->s->c->chunks[k];
    out->count = 0;
    bool faces = k < j->face_chunks, fine = true;
    size_t first = CHUNK * (faces ? k : k - j->face_chunks);
    size_t all = (size_t)(faces ? m->vertex_count : m->body_edges);
    for (size_t i = first; i < all && i < first + CHUNK; i++) {
      int32_t vertex = (int32_t)i;
      fine = look(j->s, (int32_t)i, faces ? &vertex : m->edges + 2 * i, faces ? 1 : 2, out) && fine;
    }
    j->failed[k] = !fine;
  }
}

static bool gather(const candidates *c, size_t begin, size_t end, candidate_span *out) {
  size_t count = 0;
  for (size_t k = begin; k < end; k++) count += c->chunks[k].count;
  out->count = 0;
  if (count > out->capacity && !array_reserve(&out->data, &out->capacity, count, sizeof *out->data))
    return false;
  for (size_t k = begin; k < end; k++) {
    const candidate_span *from = &c->chunks[k];
    if (from->count) memcpy(out->data + out->count, from->data, from->count * sizeof *from->data);
    out->count += from->count;
  }
  return true;
}

static void take_motion(const search *s, const tasks *t) {
  candidates *c = s->c;
  (void)t;
  for (int32_t v = 0; v < c->mesh->vertex_count; v++) {
    vec3 x = s->from[v], d = vec3_sub(s->to[v], x);
    c->motion[v] = (bvh_motion){
        {(float)x.x, (float)x.y, (float)x.z, 0, (float)d.x, (float)d.y, (float)d.z, 0}};
  }
}

tribo_status candidates_find(candidates *c, const tasks *t, const vec3 *from, const vec3 *to,
                             const candidates_filter *filter, tribo_error *err) {
  search s = {.c = c, .filter = filter, .from = from, .to = to};
  for (int32_t p = 0; p < c->mesh->part_count; p++) s.farthest = fmax(s.farthest, filter->reach[p]);
  take_motion(&s, t);
  for (int k = 0; k < 2; k++) {
    bvh_moving_refit(t, c->motion, &c->faces[k]);
    bvh_moving_refit(t, c->motion, &c->edges[k]);
  }
  size_t face_chunks = ((size_t)c->mesh->vertex_count + CHUNK - 1) / CHUNK;
  bool *failed = calloc(c->chunk_count + 1, sizeof *failed);
  if (!failed) return status_no_memory(err, "the search for contacts");
  chunk_job job = {&s, face_chunks, failed};
  tasks_for(t, c->chunk_count, 1, look_from_chunks, &job);
  bool whole = true;
  for (size_t k = 0; k < c->chunk_count; k++) whole = whole && !failed[k];
  free(failed);
  whole = whole && gather(c, 0, face_chunks, &c->found_faces) &&
          gather(c, face_chunks, c->chunk_count, &c->found_edges);
  return whole ? TRIBO_OK : status_no_memory(err, "the search for contacts");
}
