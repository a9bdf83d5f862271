/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/crossed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geom/crossings.h"
#include "model/collider.h"
#include "model/kinematics.h"
#include "step/crossed_strands.h"

/* Of the mean edge of the finer mesh: what is shallower is not seen. */
static const double SHALLOW = 1e-3;

typedef struct party {
  const char *name;
  size_t object;
  int32_t body, collider; /* one of the two; the other is -1 */
  bool deforms;           /* it may cross itself */
  bool stands_still;      /* and was placed once */
  bool placed, present;
  crossings_mesh mesh;
  vec3 *moved; /* of a collider: where its vertices are */
  ARRAY(int32_t) pierced;
} party;

/* Two parties that crossed at the first frame: a flag a vertex, of those near a crossing. */
typedef struct memory {
  size_t a, b;
  int count;
  bool *near_a, *near_b;
} memory;

struct crossed_objects {
  const model *model;
  arena arena;
  double slack;
  party *parties;
  size_t party_count;
  ARRAY(memory) started;
  ARRAY(tribo_crossing) pairs;
  crossed_strands strands;
  ARRAY(tribo_crossing) strands_started; /* pairs of objects whose strands crossed then */
  crossing_list found;                   /* of the pair at work */
  int total, fresh, grazing;
};

/* ---- setting up -------------------------------------------------------------------------------
 */

static const model_collider *collider_of(const crossed_objects *c, const party *p) {
  return p->collider < 0 ? NULL : &c->model->colliders[p->collider];
}

static bool is_listed(const crossed_objects *c, size_t object) {
  for (size_t i = 0; i < c->party_count; i++)
    if (c->parties[i].object == object) return true;
  return false;
}

static tribo_status add_party(crossed_objects *c, size_t object, int32_t body, int32_t collider,
                              const int32_t *triangles, size_t triangle_count,
                              const vec3 *positions, int64_t *next_number, tribo_error *err) {
  if (is_listed(c, object)) return TRIBO_OK;
  const model *m = c->model;
  const model_body *b = body >= 0 ? &m->bodies[body] : NULL;
  const model_collider *k = collider >= 0 ? &m->colliders[collider] : NULL;
  party *p = &c->parties[c->party_count++];
  *p = (party){.name = b ? b->name : k->name,
               .object = object,
               .body = body,
               .collider = collider,
               .deforms = b && b->kinematics->deforms,
               .stands_still = k && k->sample_count < 2 && !k->samples};
  size_t vertices = (size_t)(b ? b->vertex_count : k->vertex_count);
  const vec3 *rest = b ? positions + b->first_vertex : k->rest;
  if (k) p->moved = ARENA_ARRAY(&c->arena, vec3, vertices);
  if (k && !p->moved) return status_no_memory(err, "crossings");
  TRY(crossings_mesh_build(rest, vertices, triangles, triangle_count, *next_number, &c->arena,
                           &p->mesh, err));
  *next_number += (int64_t)vertices;
  return TRIBO_OK;
}

static int compare_parties(const void *left, const void *right) {
  const party *a = left, *b = right;
  return (a->object > b->object) - (a->object < b->object);
}

static tribo_status list_parties(crossed_objects *c, const vec3 *positions, tribo_error *err) {
  const model *m = c->model;
  c->parties = calloc(m->surface_count + m->probe_count + 1, sizeof *c->parties);
  if (!c->parties) return status_no_memory(err, "crossings");
  int64_t number = 0;
  for (size_t i = 0; i < m->probe_count; i++) {
    const model_probes *f = &m->probes[i];
    TRY(add_party(c, f->object, f->body, -1, f->triangles, f->triangle_count, positions, &number,
                  err));
  }
  for (size_t i = 0; i < m->surface_count; i++) {
    const model_surface *s = &m->surfaces[i];
    TRY(add_party(c, s->object, s->body, s->collider, s->triangles, s->triangle_count, positions,
                  &number, err));
  }
  qsort(c->parties, c->party_count, sizeof *c->parties, compare_parties);
  return TRIBO_OK;
}

/* ---- counting ---------------------------------------------------------------------------------
 */

static void place(crossed_objects *c, const tasks *t, party *p, const vec3 *positions,
                  double seconds) {
  const model_collider *k = collider_of(c, p);
  p->pierced.count = 0;
  p->present = !k || collider_present(k, seconds);
  if (!p->present || (p->stands_still && p->placed)) return;
  if (k) collider_vertices(k, t, seconds, p->moved);
  crossings_mesh_move(t, k ? p->moved : positions + c->model->bodies[p->body].first_vertex,
                      &p->mesh);
  p->placed = true;
}

static const memory *memory_of(const crossed_objects *c, size_t a, size_t b) {
  for (size_t i = 0; i < c->started.count; i++)
    if (c->started.data[i].a == a && c->started.data[i].b == b) return &c->started.data[i];
  return NULL;
}

/* Edge of `from` through a triangle of `into`; one of them is the pair's first. */
static bool was_there(const crossed_objects *c, const party *from, const party *into, crossing x) {
  size_t f = (size_t)(from - c->parties), i = (size_t)(into - c->parties);
  const memory *m = memory_of(c, f < i ? f : i, f < i ? i : f);
  if (!m) return false;
  const bool *edges = f <= i ? m->near_a : m->near_b, *triangles = f <= i ? m->near_b : m->near_a;
  const int32_t *edge = from->mesh.edges + 2 * (size_t)x.edge;
  const int32_t *t = into->mesh.triangles + 3 * (size_t)x.triangle;
  return (edges[edge[0]] || edges[edge[1]]) &&
         (triangles[t[0]] || triangles[t[1]] || triangles[t[2]]);
}

static double shallow(const crossed_objects *c, const party *a, const party *b) {
  return fmax(c->slack, SHALLOW * fmin(a->mesh.spacing, b->mesh.spacing));
}

static void show(const party *from, const party *into, crossing x, tribo_crossing *out) {
  vec3 at = crossings_place(&from->mesh, &into->mesh, x);
  out->place[0] = at.x;
  out->place[1] = at.y;
  out->place[2] = at.z;
  out->edge_of = from->name;
  memcpy(out->edge, from->mesh.edges + 2 * (size_t)x.edge, sizeof out->edge);
  memcpy(out->triangle, into->mesh.triangles + 3 * (size_t)x.triangle, sizeof out->triangle);
}

/* Adds the edges of `from` through triangles of `into` to the pair. */
static tribo_status count_one_way(crossed_objects *c, const tasks *t, party *from, party *into,
                                  tribo_crossing *pair, tribo_error *err) {
  c->found.count = 0;
  TRY(crossings_find(t, &from->mesh, &into->mesh, &c->found, err));
  double least = shallow(c, from, into);
  for (size_t i = 0; i < c->found.count; i++) {
    crossing x = c->found.data[i];
    double depth = crossings_depth(&from->mesh, &into->mesh, x);
    if (!(depth > least)) {
      c->grazing++;
      continue;
    }
    bool fresh = !was_there(c, from, into, x);
    /* A new one goes before one that was there. */
    if (pair->count == 0 || (fresh && pair->new_count == 0) ||
        (depth > pair->depth && (fresh || pair->new_count == 0))) {
      pair->depth = depth;
      show(from, into, x, pair);
    }
    pair->count++;
    pair->new_count += fresh;
    if (!ARRAY_PUSH(into->pierced, x.triangle)) return status_no_memory(err, "crossings");
  }
  return TRIBO_OK;
}

static tribo_status count_pair(crossed_objects *c, const tasks *t, size_t a, size_t b,
                               tribo_error *err) {
  party *one = &c->parties[a], *other = &c->parties[b];
  tribo_crossing pair = {
      .object = one->name, .other = other->name, .a = one->object, .b = other->object};
  TRY(count_one_way(c, t, one, other, &pair, err));
  if (a != b) TRY(count_one_way(c, t, other, one, &pair, err));
  if (pair.count == 0) return TRIBO_OK;
  const memory *m = memory_of(c, a, b);
  pair.at_start = m ? m->count : 0;
  c->total += pair.count;
  c->fresh += pair.new_count;
  return ARRAY_PUSH(c->pairs, pair) ? TRIBO_OK : status_no_memory(err, "crossings");
}

static bool may_cross(const crossed_objects *c, size_t a, size_t b) {
  const party *one = &c->parties[a], *other = &c->parties[b];
  if (!one->present || !other->present) return false;
  return a == b ? one->deforms : one->body >= 0 || other->body >= 0;
}

static int compare_numbers(const void *left, const void *right) {
  int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

/* From numbers of triangles, each maybe many times, to three vertices each. */
static tribo_status list_pierced(party *p, tribo_error *err) {
  size_t kept = 0, count = p->pierced.count;
  if (count == 0) return TRIBO_OK;
  qsort(p->pierced.data, count, sizeof *p->pierced.data, compare_numbers);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || p->pierced.data[i] != p->pierced.data[kept - 1])
      p->pierced.data[kept++] = p->pierced.data[i];
  if (!ARRAY_RESERVE(p->pierced, 3 * kept)) return status_no_memory(err, "crossings");
  for (size_t i = kept; i-- > 0;) /* from behind, so that none is written over */
    memcpy(p->pierced.data + 3 * i, p->mesh.triangles + 3 * (size_t)p->pierced.data[i],
           3 * sizeof *p->pierced.data);
  p->pierced.count = 3 * kept;
  return TRIBO_OK;
}

/* ---- strands ----------------------------------------------------------------------------------
 */

/* Of two objects, the lower first; NULL without memory. */
static tribo_crossing *pair_for(crossed_objects *c, const surface_part *a, const surface_part *b) {
  const surface_part *one = a->object <= b->object ? a : b, *other = one == a ? b : a;
  for (size_t i = 0; i < c->pairs.count; i++)
    if (c->pairs.data[i].a == one->object && c->pairs.data[i].b == other->object)
      return &c->pairs.data[i];
  tribo_crossing fresh = {
      .object = one->name, .other = other->name, .a = one->object, .b = other->object};
  for (size_t i = 0; i < c->strands_started.count; i++)
    if (c->strands_started.data[i].a == fresh.a && c->strands_started.data[i].b == fresh.b)
      fresh.at_start = c->strands_started.data[i].count;
  return ARRAY_PUSH(c->pairs, fresh) ? &c->pairs.data[c->pairs.count - 1] : NULL;
}

static void show_strands(const crossed_strands *s, const strands_crossing *x, tribo_crossing *out) {
  const surface_mesh *m = &s->mesh;
  const int32_t *edge = m->edges + 2 * (size_t)x->edge[0], *of = m->edges + 2 * (size_t)x->edge[1];
  out->depth = x->depth;
  memcpy(out->place, &x->place, sizeof out->place);
  out->edge_of = m->parts[m->part[edge[0]]].name;
  for (int k = 0; k < 2; k++) out->edge[k] = m->own[edge[k]];
  for (int k = 0; k < 3; k++) out->triangle[k] = m->own[of[k ? 1 : 0]];
}

static tribo_status count_strands(crossed_objects *c, const tasks *t, const vec3 *positions,
                                  tribo_error *err) {
  TRY(crossed_strands_count(&c->strands, t, positions, err));
  const surface_mesh *m = &c->strands.mesh;
  for (size_t i = 0; i < c->strands.found.count; i++) {
    const strands_crossing *x = &c->strands.found.data[i];
    tribo_crossing *pair = pair_for(c, &m->parts[surface_mesh_part_of_edge(m, x->edge[0])],
                                    &m->parts[surface_mesh_part_of_edge(m, x->edge[1])]);
    if (!pair) return status_no_memory(err, "crossings");
    bool first = pair->count == 0 || (x->fresh && pair->new_count == 0);
    if (first || (x->depth > pair->depth && (x->fresh || pair->new_count == 0)))
      show_strands(&c->strands, x, pair);
    pair->count++;
    pair->new_count += x->fresh;
    c->total++;
    c->fresh += x->fresh;
  }
  return TRIBO_OK;
}

tribo_status crossed_count(crossed_objects *c, const tasks *t, const vec3 *positions,
                           double seconds, tribo_error *err) {
  c->pairs.count = 0;
  c->total = c->fresh = c->grazing = 0;
  for (size_t i = 0; i < c->party_count; i++) place(c, t, &c->parties[i], positions, seconds);
  for (size_t a = 0; a < c->party_count; a++)
    for (size_t b = a; b < c->party_count; b++)
      if (may_cross(c, a, b)) TRY(count_pair(c, t, a, b, err));
  TRY(count_strands(c, t, positions, err));
  for (size_t i = 0; i < c->party_count; i++) TRY(list_pierced(&c->parties[i], err));
  return TRIBO_OK;
}

/* ---- what was there at the start --------------------------------------------------------------
 */

static void mark_elements(const crossing_list *found, const party *from, const party *into,
                          bool *edges, bool *triangles) {
  for (size_t i = 0; i < found->count; i++) {
    const int32_t *edge = from->mesh.edges + 2 * (size_t)found->data[i].edge;
    const int32_t *t = into->mesh.triangles + 3 * (size_t)found->data[i].triangle;
    for (int k = 0; k < 2; k++) edges[edge[k]] = true;
    for (int k = 0; k < 3; k++) triangles[t[k]] = true;
  }
}

/* The vertices beside those that are marked too. */
static tribo_status widen(const party *p, bool *marks, tribo_error *err) {
  bool *before = malloc(p->mesh.vertex_count + 1);
  if (!before) return status_no_memory(err, "crossings");
  memcpy(before, marks, p->mesh.vertex_count);
  for (size_t e = 0; e < p->mesh.edge_count; e++) {
    const int32_t *edge = p->mesh.edges + 2 * e;
    if (before[edge[0]] || before[edge[1]]) marks[edge[0]] = marks[edge[1]] = true;
  }
  free(before);
  return TRIBO_OK;
}

static tribo_status remember(crossed_objects *c, const tasks *t, const tribo_crossing *pair,
                             tribo_error *err) {
  memory m = {.count = pair->count};
  for (size_t i = 0; i < c->party_count; i++) {
    if (c->parties[i].object == pair->a) m.a = i;
    if (c->parties[i].object == pair->b) m.b = i;
  }
  const party *a = &c->parties[m.a], *b = &c->parties[m.b];
  m.near_a = ARENA_ARRAY(&c->arena, bool, a->mesh.vertex_count);
  m.near_b = m.a == m.b ? m.near_a : ARENA_ARRAY(&c->arena, bool, b->mesh.vertex_count);
  if (!m.near_a || !m.near_b) return status_no_memory(err, "crossings");
  c->found.count = 0;
  TRY(crossings_find(t, &a->mesh, &b->mesh, &c->found, err));
  mark_elements(&c->found, a, b, m.near_a, m.near_b);
  c->found.count = 0;
  if (a != b) TRY(crossings_find(t, &b->mesh, &a->mesh, &c->found, err));
  mark_elements(&c->found, b, a, m.near_b, m.near_a);
  TRY(widen(a, m.near_a, err));
  if (a != b) TRY(widen(b, m.near_b, err));
  return ARRAY_PUSH(c->started, m) ? TRIBO_OK : status_no_memory(err, "crossings");
}

tribo_status crossed_create(const model *m, const tasks *t, const vec3 *positions, double slack,
                            crossed_objects **out, tribo_error *err) {
  crossed_objects *c = calloc(1, sizeof *c);
  *out = c;
  if (!c) return status_no_memory(err, "crossings");
  c->model = m;
  c->slack = slack;
  tribo_status status = list_parties(c, positions, err);
  if (status == TRIBO_OK)
    status = crossed_strands_create(m, t, positions, &c->arena, &c->strands, err);
  if (status == TRIBO_OK) status = crossed_count(c, t, positions, 0, err);
  for (size_t i = 0; status == TRIBO_OK && i < c->pairs.count; i++)
    if (c->strands.any && !ARRAY_PUSH(c->strands_started, c->pairs.data[i]))
      status = status_no_memory(err, "crossings");
  for (size_t i = 0; status == TRIBO_OK && i < c->pairs.count; i++)
    status = remember(c, t, &c->pairs.data[i], err);
  /* Once more, to tell them from new ones. */
  if (status == TRIBO_OK) status = crossed_count(c, t, positions, 0, err);
  if (status != TRIBO_OK) {
    crossed_free(c);
    *out = NULL;
  }
  return status;
}

void crossed_free(crossed_objects *c) {
  if (!c) return;
  for (size_t i = 0; i < c->party_count; i++) ARRAY_FREE(c->parties[i].pierced);
  free(c->parties);
  ARRAY_FREE(c->started);
  ARRAY_FREE(c->strands_started);
  crossed_strands_free(&c->strands);
  ARRAY_FREE(c->pairs);
  ARRAY_FREE(c->found);
  arena_free(&c->arena);
  free(c);
}

/* ---- what was counted -------------------------------------------------------------------------
 */

const tribo_crossing *crossed_pairs(const crossed_objects *c, size_t *count) {
  *count = c->pairs.count;
  return c->pairs.count ? c->pairs.data : NULL;
}

int crossed_total(const crossed_objects *c) { return c->total; }
int crossed_new(const crossed_objects *c) { return c->fresh; }
int crossed_grazing(const crossed_objects *c) { return c->grazing; }

const int32_t *crossed_pierced(const crossed_objects *c, size_t object, size_t *count) {
  *count = 0;
  for (size_t i = 0; i < c->party_count; i++) {
    if (c->parties[i].object != object) continue;
    *count = c->parties[i].pierced.count / 3;
    return *count ? c->parties[i].pierced.data : NULL;
  }
  return NULL;
}

size_t crossed_work(const crossed_objects *c) {
  size_t work = 0;
  for (size_t i = 0; i < c->party_count; i++)
    if (!c->parties[i].stands_still) work += c->parties[i].mesh.edge_count;
  return work;
}
