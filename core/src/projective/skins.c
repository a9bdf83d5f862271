/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/skins.h"

#include <math.h>
#include <string.h>

#include "geom/distance.h"
#include "geom/topology.h"
#include "model/collider.h"
#include "model/kinematics.h"

/* Of the thickness: cloth that rests at its thickness from an obstacle has nothing near. */
static const double REACH = 0.6;

/* ---- setting up -------------------------------------------------------------------------------
 */

static tribo_status build_parts(const vec3 *rest, size_t vertices, const int32_t *triangles,
                                size_t triangle_count, arena *memory, skins_parts *p,
                                tribo_error *err) {
  topology_list edges;
  TRY(topology_edges(triangles, triangle_count, memory, &edges, err));
  bool *used = ARENA_ARRAY(memory, bool, vertices);
  int32_t *list = ARENA_ARRAY(memory, int32_t, vertices);
  *p = (skins_parts){.vertex_count = vertices, .motion = ARENA_ARRAY(memory, bvh_motion, vertices)};
  if (!used || !list || !p->motion) return status_no_memory(err, "the meshes of obstacles");
  for (size_t i = 0; i < 3 * triangle_count; i++) used[triangles[i]] = true;
  for (size_t i = 0; i < vertices; i++)
    if (used[i]) list[p->count[PART_VERTEX]++] = (int32_t)i;
  p->corners[PART_VERTEX] = list;
  p->corners[PART_EDGE] = edges.vertices;
  p->count[PART_EDGE] = edges.count;
  p->corners[PART_TRIANGLE] = triangles;
  p->count[PART_TRIANGLE] = triangle_count;
  for (int k = 0; k < PART_KINDS; k++)
    TRY(bvh_moving_build(rest, p->corners[k], k + 1, p->count[k], memory, &p->trees[k], err));
  return TRIBO_OK;
}

static int32_t edge_number(const skins_parts *p, int32_t a, int32_t b) {
  const int32_t *edges = p->corners[PART_EDGE];
  int32_t low = a < b ? a : b, high = a < b ? b : a;
  size_t first = 0, end = p->count[PART_EDGE];
  while (first + 1 < end) {
    size_t middle = (first + end) / 2;
    bool after =
        edges[2 * middle] > low || (edges[2 * middle] == low && edges[2 * middle + 1] > high);
    *(after ? &end : &first) = middle;
  }
  return (int32_t)first;
}

/* Which triangles are beside an edge, and around a vertex. */
static tribo_status list_faces(obstacle_skin *s, arena *memory, tribo_error *err) {
  const skins_parts *p = &s->parts;
  size_t sides = 3 * p->count[PART_TRIANGLE];
  s->faces = arena_alloc(memory, p->count[PART_EDGE], sizeof *s->faces);
  s->fan_start = ARENA_ARRAY(memory, int32_t, p->vertex_count + 2);
  s->fan = ARENA_ARRAY(memory, int32_t, sides);
  if (!s->faces || !s->fan_start || !s->fan) return status_no_memory(err, s->collider->name);
  for (size_t e = 0; e < p->count[PART_EDGE]; e++) s->faces[e][0] = s->faces[e][1] = -1;
  const int32_t *corner = p->corners[PART_TRIANGLE];
  int32_t *next = s->fan_start + 1;
  for (size_t i = 0; i < sides; i++) {
    int32_t *faces = s->faces[edge_number(p, corner[i], corner[i % 3 == 2 ? i - 2 : i + 1])];
    faces[faces[0] >= 0] = (int32_t)(i / 3);
    next[corner[i] + 1]++;
  }
  for (size_t v = 0; v < p->vertex_count; v++) next[v + 1] += next[v];
  for (size_t i = 0; i < sides; i++) s->fan[next[corner[i]]++] = (int32_t)(i / 3);
  return TRIBO_OK;
}

static void enclose(obstacle_skin *s) {
  const vec3 *rest = s->collider->rest;
  size_t count = s->parts.vertex_count;
  for (size_t i = 0; i < count; i++) s->centre = vec3_madd(s->centre, 1 / (double)count, rest[i]);
  for (size_t i = 0; i < count; i++)
    s->radius = fmax(s->radius, vec3_norm(vec3_sub(rest[i], s->centre)));
}

static tribo_status make_skin(const model *m, int32_t number, arena *memory, obstacle_skin *s,
                              tribo_error *err) {
  const model_surface *def = &m->surfaces[number];
  const model_collider *c = &m->colliders[def->collider];
  size_t count = (size_t)c->vertex_count;
  *s = (obstacle_skin){.surface = number,
                       .collider = c,
                       .two_sided = def->two_sided,
                       .before = ARENA_ARRAY(memory, vec3, count),
                       .after = ARENA_ARRAY(memory, vec3, count),
                       .v = ARENA_ARRAY(memory, vec3, count)};
  if (!s->before || !s->after || !s->v) return status_no_memory(err, c->name);
  TRY(build_parts(c->rest, count, def->triangles, def->triangle_count, memory, &s->parts, err));
  enclose(s);
  return list_faces(s, memory, err);
}

/* Cloth; and solids that keep a thickness, whose vertices are nodes. */
static bool has_skin(const model *m, const model_probes *f) {
  const model_body *body = &m->bodies[f->body];
  return f->triangle_count > 0 && (body->sheet || f->params.thickness > 0) &&
         kinematics_vertices_are_nodes(body);
}

static bool is_met(const contact_finder *finder, size_t number) {
  const model *m = finder->model;
  for (size_t i = 0; i < m->probe_count; i++)
    if (has_skin(m, &m->probes[i]) && broad_phase_allowed(&finder->broad_phase, i, number))
      return true;
  return false;
}

static tribo_status take_skins(skins *s, const contact_finder *finder, tribo_error *err) {
  const model *m = s->model;
  s->list = ARENA_ARRAY(s->memory, obstacle_skin, m->surface_count);
  if (!s->list) return status_no_memory(err, "the meshes of obstacles");
  for (size_t j = 0; j < m->surface_count; j++)
    if (m->surfaces[j].collider >= 0 && m->surfaces[j].triangle_count > 0 && is_met(finder, j))
      TRY(make_skin(m, (int32_t)j, s->memory, &s->list[s->count++], err));
  return TRIBO_OK;
}

static tribo_status take_sheets(skins *s, tribo_error *err) {
  const model *m = s->model;
  s->sheets = ARENA_ARRAY(s->memory, skins_sheet, m->probe_count);
  if (!s->sheets) return status_no_memory(err, "the meshes of cloth");
  for (size_t i = 0; i < m->probe_count; i++) {
    const model_probes *f = &m->probes[i];
    const model_body *body = &m->bodies[f->body];
    if (!has_skin(m, f)) continue;
    skins_sheet *sheet = &s->sheets[s->sheet_count++];
    *sheet = (skins_sheet){.probes = (int32_t)i,
                           .first_node = body->first_node,
                           .asks = ARENA_ARRAY(s->memory, bool, body->node_count)};
    if (!sheet->asks) return status_no_memory(err, "the meshes of cloth");
    TRY(build_parts(m->rest + body->first_node, (size_t)body->vertex_count, f->triangles,
                    f->triangle_count, s->memory, &sheet->parts, err));
  }
  return TRIBO_OK;
}

static tribo_status make_couples(skins *s, const contact_finder *finder, double margin,
                                 tribo_error *err) {
  const model *m = s->model;
  s->couples = ARENA_ARRAY(s->memory, skins_couple, s->count * s->sheet_count);
  if (!s->couples) return status_no_memory(err, "the meshes of obstacles");
  for (size_t i = 0; i < s->sheet_count; i++)
    for (size_t j = 0; j < s->count; j++) {
      int32_t by = s->sheets[i].probes, whom = s->list[j].surface;
      if (!broad_phase_allowed(&finder->broad_phase, (size_t)by, (size_t)whom)) continue;
      double thickness = finder->probes[by].thickness + m->surfaces[whom].params.thickness;
      s->couples[s->couple_count++] =
          (skins_couple){.sheet = (int32_t)i,
                         .skin = (int32_t)j,
                         .thickness = thickness,
                         .reach = thickness > 0 ? REACH * thickness : margin};
    }
  return TRIBO_OK;
}

tribo_status skins_create(const model *m, const contact_finder *finder, double h, double margin,
                          const tasks *t, arena *memory, skins *out, tribo_error *err) {
  *out = (skins){.model = m, .tasks = *t, .h = h, .memory = memory};
  TRY(take_skins(out, finder, err));
  if (out->count == 0) return TRIBO_OK;
  TRY(take_sheets(out, err));
  return make_couples(out, finder, margin, err);
}

void skins_free(skins *s) {
  for (size_t i = 0; i < s->couple_count; i++) ARRAY_FREE(s->couples[i].pairs);
  *s = (skins){0};
}

/* ---- putting them where they are --------------------------------------------------------------
 */

static void place_parts(const tasks *t, const vec3 *x, const vec3 *v, skins_parts *p) {
  bvh_motion_take(t, x, v, p->vertex_count, p->motion);
  for (int k = 0; k < PART_KINDS; k++) bvh_moving_refit(t, p->motion, &p->trees[k]);
}

static void find_speeds(obstacle_skin *s, double h) {
  size_t count = s->parts.vertex_count;
  s->mean = vec3_make(0, 0, 0);
  s->spread = 0;
  for (size_t i = 0; i < count; i++) {
    s->v[i] = vec3_scale(1 / h, vec3_sub(s->after[i], s->before[i]));
    s->mean = vec3_madd(s->mean, 1 / (double)count, s->v[i]);
  }
  for (size_t i = 0; i < count; i++)
    s->spread = fmax(s->spread, vec3_norm(vec3_sub(s->v[i], s->mean)));
}

static void place_skin(const skins *s, obstacle_skin *k) {
  double end = s->seconds + s->h;
  bool rests = !k->collider->samples && k->collider->sample_count < 2; /* samples may come yet */
  if (k->placed) return;
  k->placed = true;
  if (k->still && rests) return;
  collider_vertices(k->collider, &s->tasks, k->appears ? end : s->seconds, k->before);
  collider_vertices(k->collider, &s->tasks, end, k->after);
  find_speeds(k, s->h);
  place_parts(&s->tasks, k->before, k->v, &k->parts);
  k->mesh_placed = false;
  k->still = rests;
}

/* ---- what is near -----------------------------------------------------------------------------
 */

/* All of a tree. */
static one_box whole(const bvh_moving *tree) {
  one_box all = bvh_moving_box(tree, tree->levels - 1, 0);
  for (size_t l = 1; l < EIGHT; l++) {
    one_box more = bvh_moving_box(tree, tree->levels - 1, l);
    for (int a = 0; a < 3; a++) {
      all.low[a] = fminf(all.low[a], more.low[a]);
      all.high[a] = fmaxf(all.high[a], more.high[a]);
      all.slow[a] = fminf(all.slow[a], more.slow[a]);
      all.fast[a] = fmaxf(all.fast[a], more.fast[a]);
    }
  }
  return all;
}

/* Whether the cloth, none of it faster than this, may come to the ball around what keeps its shape.
 * A turn takes none of that further than its radius from the way of its centre. */
static bool comes_near(const skins *s, const obstacle_skin *k, const skins_sheet *sheet,
                       double fastest, double reach) {
  if (collider_deforms(k->collider) || k->placed) return true;
  one_box box = whole(&sheet->parts.trees[PART_VERTEX]);
  rigid_map from = collider_map(k->collider, k->appears ? s->seconds + s->h : s->seconds);
  rigid_map to = collider_map(k->collider, s->seconds + s->h);
  vec3 a = rigid_map_apply(&from, k->centre), b = rigid_map_apply(&to, k->centre);
  double radius = k->radius * fmax(from.scale, to.scale) * (1 + 1e-6);
  double far = radius + reach + s->h * fastest;
  for (int axis = 0; axis < 3; axis++) {
    double one = (&a.x)[axis], other = (&b.x)[axis];
    if (fmin(one, other) - far > (double)box.high[axis]) return false;
    if (fmax(one, other) + far < (double)box.low[axis]) return false;
  }
  return true;
}

static double fastest_of(const vec3 *v, size_t count) {
  double fastest2 = 0;
  for (size_t i = 0; i < count; i++) fastest2 = fmax(fastest2, vec3_norm2(v[i]));
  return sqrt(fastest2);
}

/* A walk through both, with some of the cloth's parts. */
typedef struct walk {
  const bvh_moving *own, *other;
  const bool *asks; /* vertices of the cloth; NULL: all */
  int kind;
  float near, time;
  size_t group;
  one_box lanes[EIGHT];
  skins_visitor visit;
  void *context;
} walk;

static one_box question(const walk *w, const bvh_moving *tree, int level, size_t at) {
  one_box box = bvh_moving_box(tree, level, at);
  box.near = w->near, box.time = w->time, box.most = INFINITY;
  return box;
}

static bool does_ask(const walk *w, size_t place) {
  if (place >= w->own->count) return false;
  const int32_t *corner = w->own->corners + (size_t)(w->kind + 1) * (size_t)w->own->order[place];
  for (int k = 0; k <= w->kind; k++)
    if (!w->asks || w->asks[corner[k]]) return true;
  return false;
}

static void broad_phase_group(void *context, int32_t group) {
  walk *w = context;
  one_box them = question(w, w->other, 1, (size_t)group);
  for (unsigned mine = bvh_moving_met(w->own, w->group, &them); mine; mine &= mine - 1) {
    int l = __builtin_ctz(mine);
    size_t place = EIGHT * w->group + (size_t)l;
    if (!does_ask(w, place)) continue;
    unsigned theirs = bvh_moving_met(w->other, (size_t)group, &w->lanes[l]);
    for (; theirs; theirs &= theirs - 1) {
      int32_t other = w->other->order[EIGHT * (size_t)group + (size_t)__builtin_ctz(theirs)];
      w->visit(w->context, (skins_pair){w->kind, w->own->order[place], other});
    }
  }
}

static void ask_group(void *context, int32_t group) {
  walk *w = context;
  bool any = false;
  w->group = (size_t)group;
  for (size_t l = 0; l < EIGHT; l++) {
    any |= does_ask(w, EIGHT * w->group + l);
    w->lanes[l] = question(w, w->own, 0, EIGHT * w->group + l);
  }
  one_box box = question(w, w->own, 1, w->group);
  if (any) bvh_moving_visit(w->other, &box, broad_phase_group, w);
}

static void walk_couple(const skins *s, const skins_couple *c, const bool *asks, double near,
                        double time, skins_visitor visit, void *context) {
  const skins_parts *own = &s->sheets[c->sheet].parts, *other = &s->list[c->skin].parts;
  for (int kind = 0; kind < PART_KINDS; kind++) {
    walk w = {.own = &own->trees[kind],
              .other = &other->trees[PART_TRIANGLE - kind],
              .asks = asks,
              .kind = kind,
              .near = eights_above(near),
              .time = eights_above(time),
              .visit = visit,
              .context = context};
    one_box box = whole(w.other);
    box.near = w.near, box.time = w.time, box.most = INFINITY;
    bvh_moving_visit(w.own, &box, ask_group, &w);
  }
}

int skins_corners(const skins *s, const skins_couple *c, skins_pair pair, int32_t corner[4]) {
  const skins_sheet *sheet = &s->sheets[c->sheet];
  int own = pair.kind + 1, kind = PART_TRIANGLE - pair.kind;
  for (int k = 0; k < own; k++)
    corner[k] = sheet->first_node + sheet->parts.corners[pair.kind][own * pair.own + k];
  for (int k = own; k < 4; k++)
    corner[k] = s->list[c->skin].parts.corners[kind][(4 - own) * pair.other + k - own];
  return own;
}

/* ---- the list ---------------------------------------------------------------------------------
 */

typedef struct listing {
  const skins *s;
  skins_couple *c;
  bool full; /* there was no memory */
} listing;

static double distance2_of(const skins *s, const skins_couple *c, skins_pair pair) {
  int32_t corner[4];
  int own = skins_corners(s, c, pair, corner);
  const vec3 *skin = s->list[c->skin].before;
  vec3 x[4];
  double a, b;
  for (int k = 0; k < 4; k++) x[k] = k < own ? s->x0[corner[k]] : skin[corner[k]];
  if (own == 1) return distance_point_triangle(x[0], x + 1).distance2;
  if (own == 3) return distance_point_triangle(x[3], x).distance2;
  return distance_edge_edge(x, x + 2, &a, &b);
}

static void list_near(void *context, skins_pair pair) {
  listing *l = context;
  if (!(distance2_of(l->s, l->c, pair) < l->c->reach * l->c->reach)) return;
  if (!ARRAY_PUSH(l->c->pairs, pair)) l->full = true;
}

tribo_status skins_begin(skins *s, double seconds, const vec3 *x0, const vec3 *v0,
                         tribo_error *err) {
  s->seconds = seconds;
  s->x0 = x0;
  for (size_t i = 0; i < s->count; i++) {
    obstacle_skin *k = &s->list[i];
    k->placed = false;
    k->absent = !collider_present(k->collider, seconds + s->h);
    k->appears = !k->absent && !collider_present(k->collider, seconds);
  }
  bool any = false;
  for (size_t i = 0; i < s->count; i++) any |= !s->list[i].absent;
  for (size_t i = 0; any && i < s->sheet_count; i++) {
    skins_sheet *sheet = &s->sheets[i];
    place_parts(&s->tasks, x0 + sheet->first_node, v0 + sheet->first_node, &sheet->parts);
  }
  for (size_t i = 0; i < s->couple_count; i++) {
    skins_couple *c = &s->couples[i];
    obstacle_skin *k = &s->list[c->skin];
    c->pairs.count = 0;
    c->knows_tangles = c->tangled = false;
    const skins_sheet *sheet = &s->sheets[c->sheet];
    double fastest = fastest_of(v0 + sheet->first_node, sheet->parts.vertex_count);
    if (k->absent || !comes_near(s, k, sheet, fastest, c->reach)) continue;
    place_skin(s, k);
    listing l = {s, c, false};
    walk_couple(s, c, NULL, c->reach, 0, list_near, &l);
    if (l.full) return status_no_memory(err, "the meshes of obstacles");
  }
  return TRIBO_OK;
}

/* ---- what goes far ----------------------------------------------------------------------------
 */

void skins_visit(skins *s, const skins_couple *c, const vec3 *v, skins_visitor visit,
                 void *context) {
  obstacle_skin *k = &s->list[c->skin];
  skins_sheet *sheet = &s->sheets[c->sheet];
  if (k->absent) return;
  const vec3 *own = v + sheet->first_node;
  size_t count = sheet->parts.vertex_count;
  if (!comes_near(s, k, sheet, fastest_of(own, count), c->reach)) return;
  place_skin(s, k);
  double most = c->reach / s->h - k->spread;
  bool any = false, *asks = sheet->asks;
  for (size_t i = 0; i < count; i++) {
    asks[i] = most < 0 || vec3_norm2(vec3_sub(own[i], k->mean)) > most * most;
    any |= asks[i];
  }
  if (!any) return;
  place_parts(&s->tasks, s->x0 + sheet->first_node, own, &sheet->parts);
  walk_couple(s, c, asks, 1e-3 * c->reach, s->h, visit, context);
}

/* ---- inside and outside -----------------------------------------------------------------------
 */

static void place_corners(const obstacle_skin *s, int32_t triangle, double on, vec3 x[3]) {
  const int32_t *corner = s->parts.corners[PART_TRIANGLE] + 3 * triangle;
  for (int k = 0; k < 3; k++) {
    vec3 from = s->before[corner[k]];
    x[k] = vec3_madd(from, on, vec3_sub(s->after[corner[k]], from));
  }
}

static vec3 face_normal(const obstacle_skin *s, int32_t triangle, double on) {
  vec3 x[3];
  place_corners(s, triangle, on, x);
  return vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]));
}

static vec3 unit(vec3 v) {
  double length = vec3_norm(v);
  return length > 0 ? vec3_scale(1 / length, v) : v;
}

/* By angles: so it is the same however the faces are cut into triangles, and tells outside of
 * inside (Baerentzen and Aanaes 2005). */
static vec3 fan_normal(const obstacle_skin *s, int32_t vertex, double on) {
  vec3 sum = {0, 0, 0};
  for (int32_t i = s->fan_start[vertex]; i < s->fan_start[vertex + 1]; i++) {
    const int32_t *corner = s->parts.corners[PART_TRIANGLE] + 3 * s->fan[i];
    vec3 x[3];
    place_corners(s, s->fan[i], on, x);
    int at = corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
    vec3 a = vec3_sub(x[(at + 1) % 3], x[at]), b = vec3_sub(x[(at + 2) % 3], x[at]);
    vec3 n = vec3_cross(a, b);
    sum = vec3_madd(sum, atan2(vec3_norm(n), vec3_dot(a, b)), unit(n));
  }
  return sum;
}

vec3 skins_outward(const obstacle_skin *s, int kind, int32_t part, double on) {
  if (kind == PART_TRIANGLE) return face_normal(s, part, on);
  if (kind == PART_VERTEX) return fan_normal(s, s->parts.corners[PART_VERTEX][part], on);
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < 2; k++)
    if (s->faces[part][k] >= 0) sum = vec3_add(sum, unit(face_normal(s, s->faces[part][k], on)));
  return sum;
}

/* ---- what crosses -----------------------------------------------------------------------------
 */

static tribo_status place_meshes(skins *s, skins_sheet *sheet, obstacle_skin *k, tribo_error *err) {
  const model *m = s->model;
  if (!sheet->has_mesh)
    TRY(crossings_mesh_build(m->rest + sheet->first_node, sheet->parts.vertex_count,
                             sheet->parts.corners[PART_TRIANGLE], sheet->parts.count[PART_TRIANGLE],
                             0, s->memory, &sheet->mesh, err));
  if (!k->has_mesh)
    TRY(crossings_mesh_build(k->collider->rest, k->parts.vertex_count,
                             k->parts.corners[PART_TRIANGLE], k->parts.count[PART_TRIANGLE],
                             m->vertex_count, s->memory, &k->mesh, err));
  sheet->has_mesh = k->has_mesh = true;
  crossings_mesh_move(&s->tasks, s->x0 + sheet->first_node, &sheet->mesh);
  if (!k->mesh_placed) crossings_mesh_move(&s->tasks, k->before, &k->mesh);
  k->mesh_placed = true;
  return TRIBO_OK;
}

static void mark(const crossings_mesh *from, const crossings_mesh *into, const crossing_list *found,
                 bool *edges, bool *triangles) {
  for (size_t i = 0; i < found->count; i++) {
    for (int k = 0; k < 2; k++) edges[from->edges[2 * found->data[i].edge + k]] = true;
    for (int k = 0; k < 3; k++) triangles[into->triangles[3 * found->data[i].triangle + k]] = true;
  }
}

static tribo_status find_tangles(skins *s, skins_couple *c, tribo_error *err) {
  skins_sheet *sheet = &s->sheets[c->sheet];
  obstacle_skin *k = &s->list[c->skin];
  size_t own = sheet->parts.vertex_count, other = k->parts.vertex_count;
  if (!c->sheet_tangles) c->sheet_tangles = ARENA_ARRAY(s->memory, bool, own);
  if (!c->skin_tangles) c->skin_tangles = ARENA_ARRAY(s->memory, bool, other);
  if (!c->sheet_tangles || !c->skin_tangles) return status_no_memory(err, "crossings");
  memset(c->sheet_tangles, 0, own * sizeof *c->sheet_tangles);
  memset(c->skin_tangles, 0, other * sizeof *c->skin_tangles);
  TRY(place_meshes(s, sheet, k, err));
  crossing_list in = {0}, out = {0};
  tribo_status status = crossings_find(&s->tasks, &sheet->mesh, &k->mesh, &in, err);
  if (status == TRIBO_OK) status = crossings_find(&s->tasks, &k->mesh, &sheet->mesh, &out, err);
  if (status == TRIBO_OK) {
    mark(&sheet->mesh, &k->mesh, &in, c->sheet_tangles, c->skin_tangles);
    mark(&k->mesh, &sheet->mesh, &out, c->skin_tangles, c->sheet_tangles);
  }
  c->knows_tangles = true;
  c->tangled = in.count + out.count > 0;
  ARRAY_FREE(in);
  ARRAY_FREE(out);
  return status;
}

tribo_status skins_tangled(skins *s, skins_couple *c, skins_pair pair, bool *tangled,
                           tribo_error *err) {
  if (!c->knows_tangles) TRY(find_tangles(s, c, err));
  *tangled = false;
  if (!c->tangled) return TRIBO_OK;
  int32_t corner[4];
  int own = skins_corners(s, c, pair, corner), first = s->sheets[c->sheet].first_node;
  bool one = false, other = false;
  for (int k = 0; k < own; k++) one |= c->sheet_tangles[corner[k] - first];
  for (int k = own; k < 4; k++) other |= c->skin_tangles[corner[k]];
  *tangled = one && other;
  return TRIBO_OK;
}

/* ---- moving along -----------------------------------------------------------------------------
 */

bool skins_move(const skins *s) {
  for (size_t i = 0; i < s->count; i++) {
    const obstacle_skin *k = &s->list[i];
    if (!k->absent && k->placed && (k->spread > 0 || vec3_norm2(k->mean) > 0)) return true;
  }
  return false;
}

vec3 skins_carried(const skins *s, size_t number, vec3 x) {
  const obstacle_skin *k = &s->list[number];
  if (!collider_deforms(k->collider)) {
    double end = s->seconds + s->h;
    rigid_map from = collider_map(k->collider, k->appears ? end : s->seconds);
    rigid_map to = collider_map(k->collider, end);
    vec3 there = rigid_map_apply(&to, rigid_map_unapply(&from, x));
    return vec3_scale(1 / s->h, vec3_sub(there, x));
  }
  size_t nearest = 0;
  double least = INFINITY;
  for (size_t i = 0; i < k->parts.vertex_count; i++) {
    double distance2 = vec3_norm2(vec3_sub(k->before[i], x));
    if (distance2 < least) least = distance2, nearest = i;
  }
  return k->v[nearest];
}
