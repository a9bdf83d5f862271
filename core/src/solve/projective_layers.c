/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/projective_layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/distance.h"

/* Finds of one vertex whose normals are closer than this (cosine) are one contact. */
static const double SAME_SIDE = 0.5;

/* The part of a gap that is too small that a step opens again: what was squeezed together shall not
 * jump apart. */
static const double RECOVERY = 0.2;

/* Rounds through all meetings: in the first iteration, where nothing is known of what they bear,
 * and at the end. */
enum { FIRST_SWEEPS = 6, LAST_SWEEPS = 20 };

/* And how far what does not approach, in thicknesses: forces may drive it together yet. */
static const double SPARE = 0.25;

/* How far ahead fast cloth looks, in thicknesses. */
static const double FARTHEST = 8;

/* The sine of the angle between edges that count as parallel. */
static const double PARALLEL = 0.2;

/* Two points this close, in parts of the thickness, have no direction between them. */
static const double TOUCHING = 1e-6;

/* ---- setting up -------------------------------------------------------------------------------
 */

static const model_feelers *feelers_of(const model *m, size_t body) {
  for (size_t i = 0; i < m->feeler_count; i++)
    if (m->feelers[i].body == (int32_t)body) return &m->feelers[i];
  return NULL;
}

static int compare_edges(const void *a, const void *b) {
  const int32_t *one = a, *other = b;
  if (one[0] != other[0]) return one[0] < other[0] ? -1 : 1;
  return (one[1] > other[1]) - (one[1] < other[1]);
}

/* Every side of a triangle once. */
static void list_edges(projective_layers *l) {
  size_t count = 0, kept = 0;
  for (size_t t = 0; t < l->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      int32_t a = l->triangles[3 * t + (size_t)k], b = l->triangles[3 * t + (size_t)(k + 1) % 3];
      l->edges[2 * count] = a < b ? a : b;
      l->edges[2 * count++ + 1] = a < b ? b : a;
    }
  qsort(l->edges, count, 2 * sizeof *l->edges, compare_edges);
  for (size_t e = 0; e < count; e++) {
    if (kept > 0 && compare_edges(l->edges + 2 * (kept - 1), l->edges + 2 * e) == 0) continue;
    memmove(l->edges + 2 * kept++, l->edges + 2 * e, 2 * sizeof *l->edges);
  }
  l->edge_count = kept;
}

static void take_bodies(projective_layers *l) {
  const model *m = l->model;
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    const model_feelers *f = feelers_of(m, b);
    for (int32_t i = 0; i < body->node_count; i++) l->body[body->first_node + i] = (int32_t)b;
    if (!f || !(f->params.thickness > 0)) continue;
    l->thickest = fmax(l->thickest, f->params.thickness);
    for (size_t i = 0; i < f->count; i++) {
      int32_t node = body->first_node + f->vertices[i];
      l->thickness[node] = f->params.thickness;
      l->vertices[l->vertex_count++] = node;
    }
    for (size_t k = 0; k < 3 * f->triangle_count; k++)
      l->triangles[3 * l->triangle_count + k] = body->first_node + f->triangles[k];
    l->triangle_count += f->triangle_count;
  }
}

/* Boxes of edges, as bvh_triangle_boxes makes those of triangles: of positions or velocities. */
typedef struct box_job {
  const projective_layers *l;
  const vec3 *x;
  bvh_box *boxes;
} box_job;

static bvh_box box_of(vec3 a, vec3 b) {
  return (bvh_box){vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)),
                   vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z))};
}

static void box_edges(void *context, size_t begin, size_t end) {
  const box_job *job = context;
  const int32_t *edges = job->l->edges;
  for (size_t e = begin; e < end; e++)
    job->boxes[e] = box_of(job->x[edges[2 * e]], job->x[edges[2 * e + 1]]);
}

static void box_all(projective_layers *l, const vec3 *x, bvh_box *triangles, bvh_box *edges) {
  box_job job = {l, x, edges};
  bvh_triangle_boxes(&l->tasks, x, x, l->triangles, l->triangle_count, 0, triangles);
  tasks_for(&l->tasks, l->edge_count, 1024, box_edges, &job);
}

static bool allocate_boxes(arena *memory, size_t count, layers_boxes *out) {
  out->at = ARENA_ARRAY(memory, bvh_box, count);
  out->velocity = ARENA_ARRAY(memory, bvh_box, count);
  return out->at && out->velocity;
}

tribo_status projective_layers_create(const model *m, const pairs *mu, double h, const tasks *t,
                                      arena *memory, projective_layers *out, tribo_error *err) {
  size_t nodes = (size_t)m->node_count, triangles = 0;
  for (size_t i = 0; i < m->feeler_count; i++) triangles += m->feelers[i].triangle_count;
  *out = (projective_layers){.model = m,
                             .pairs = mu,
                             .tasks = *t,
                             .h = h,
                             .thickness = ARENA_ARRAY(memory, double, nodes),
                             .body = ARENA_ARRAY(memory, int32_t, nodes),
                             .vertices = ARENA_ARRAY(memory, int32_t, nodes),
                             .triangles = ARENA_ARRAY(memory, int32_t, 3 * triangles),
                             .edges = ARENA_ARRAY(memory, int32_t, 6 * triangles)};
  if (!out->thickness || !out->body || !out->vertices || !out->triangles || !out->edges)
    return status_no_memory(err, "layers of cloth");
  take_bodies(out);
  if (out->triangle_count == 0) return TRIBO_OK;
  list_edges(out);
  size_t askers = out->vertex_count + out->edge_count;
  out->found = ARENA_ARRAY(memory, layers_find, LAYERS_MOST * askers);
  out->found_count = ARENA_ARRAY(memory, int32_t, askers);
  layers_boxes *triangle = &out->triangle_boxes, *edge = &out->edge_boxes;
  if (!allocate_boxes(memory, out->triangle_count, triangle) ||
      !allocate_boxes(memory, out->edge_count, edge) || !out->found || !out->found_count)
    return status_no_memory(err, "layers of cloth");
  box_all(out, m->rest, triangle->at, edge->at);
  TRY(bvh_moving_build(triangle->at, out->triangle_count, memory, &out->triangle_tree, err));
  return bvh_moving_build(edge->at, out->edge_count, memory, &out->edge_tree, err);
}

/* ---- finding ----------------------------------------------------------------------------------
 */

/* One vertex, or one edge, that looks around. */
typedef struct asker {
  const projective_layers *l;
  const vec3 *x, *v;
  const int32_t *own; /* its nodes */
  int nodes;          /* 1 or 2 */
  double reach;       /* that motion may add to the thickness, m */
  layers_find *found;
  int32_t count;
} asker;

static double pair_thickness(const projective_layers *l, int32_t a, int32_t b) {
  return fmax(l->thickness[a], l->thickness[b]);
}

/* Keeps the nearest of every side; `found` ascends by distance, then by number. */
static void keep(asker *a, const layers_find *new) {
  int32_t at = 0;
  for (; at < a->count; at++) {
    const layers_find *old = &a->found[at];
    bool before = old->distance2 < new->distance2 ||
                  (old->distance2 == new->distance2 && old->other < new->other);
    if (!before) break;
    if (vec3_dot(old->normal, new->normal) > SAME_SIDE) return;
  }
  int32_t kept = at; /* those behind that are on its side go */
  for (int32_t k = at; k < a->count; k++)
    if (!(vec3_dot(a->found[k].normal, new->normal) > SAME_SIDE)) a->found[kept++] = a->found[k];
  a->count = kept < LAYERS_MOST ? kept : LAYERS_MOST - 1;
  if (at >= LAYERS_MOST) return;
  memmove(a->found + at + 1, a->found + at, (size_t)(a->count - at) * sizeof *a->found);
  a->found[at] = *new;
  a->count++;
}

/* From the vertex to triangle t in positions x: the distance, and the weights of all four. */
static double to_triangle(const asker *a, int32_t t, const vec3 *x, double weight[4], vec3 *way) {
  const int32_t *corner = a->l->triangles + 3 * t;
  vec3 c[3] = {x[corner[0]], x[corner[1]], x[corner[2]]}, q = x[a->own[0]];
  distance_foot foot = distance_point_triangle(q, c);
  weight[0] = 1;
  for (int k = 0; k < 3; k++) weight[k + 1] = -foot.weight[k];
  *way = vec3_sub(q, foot.foot);
  return foot.distance2;
}

/* From the edge to edge e. */
static double to_edge(const asker *a, int32_t e, const vec3 *x, double weight[4], vec3 *way) {
  const int32_t *end = a->l->edges + 2 * e;
  vec3 mine[2] = {x[a->own[0]], x[a->own[1]]}, other[2] = {x[end[0]], x[end[1]]};
  double s, t, distance2 = distance_edge_edge(mine, other, &s, &t);
  weight[0] = 1 - s, weight[1] = s, weight[2] = t - 1, weight[3] = -t;
  *way = vec3_sub(distance_along(mine[0], mine[1], s), distance_along(other[0], other[1], t));
  return distance2;
}

typedef double (*measure)(const asker *a, int32_t other, const vec3 *x, double weight[4],
                          vec3 *way);

/* Something at this distance, of which `node` is one: kept where it is in reach, and far enough at
 * rest for the two to mind each other. */
static void consider(asker *a, layers_find *find, vec3 way, const int32_t *other, measure by) {
  const projective_layers *l = a->l;
  vec3 closing = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    int32_t i = k < a->nodes ? a->own[k] : other[k - a->nodes];
    closing = vec3_madd(closing, find->weight[k], a->v[i]);
  }
  int32_t node = other[0];
  double thickness = pair_thickness(l, a->own[0], node);
  double most = thickness + fmin(a->reach, SPARE * thickness + 2 * l->h * vec3_norm(closing));
  if (!(find->distance2 < most * most)) return;
  double distance = sqrt(find->distance2);
  if (!(distance > TOUCHING * thickness)) return;
  if (l->body[a->own[0]] == l->body[node]) {
    double weight[4];
    vec3 at_rest;
    if (by(a, find->other, l->model->rest, weight, &at_rest) < thickness * thickness) return;
  }
  find->normal = vec3_scale(1 / distance, way);
  keep(a, find);
}

static void visit_triangle(void *context, int32_t t) {
  asker *a = context;
  const int32_t *corner = a->l->triangles + 3 * t;
  for (int k = 0; k < 3; k++)
    if (corner[k] == a->own[0]) return;
  layers_find find = {.other = t};
  vec3 way;
  find.distance2 = to_triangle(a, t, a->x, find.weight, &way);
  consider(a, &find, way, corner, to_triangle);
}

/* How far the two sides may come closer in a step: each its own way against the mean of all, and
 * that of gravity. */
static double reach_of(const projective_layers *l, const vec3 *v, vec3 mean, const int32_t *own,
                       int nodes) {
  double fastest = 0;
  for (int k = 0; k < nodes; k++) fastest = fmax(fastest, vec3_norm(vec3_sub(v[own[k]], mean)));
  double way = l->h * fastest + l->h * l->h * vec3_norm(l->model->gravity);
  return fmin(2 * way, FARTHEST * l->thickest);
}

typedef struct find_job {
  projective_layers *l;
  const vec3 *x, *v;
  vec3 mean; /* of v */
} find_job;

static vec3 mean_velocity(const projective_layers *l, const vec3 *v) {
  vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < l->vertex_count; i++) sum = vec3_add(sum, v[l->vertices[i]]);
  return vec3_scale(1 / (double)l->vertex_count, sum);
}

/* Side by side there is no one place where two edges are closest, and ends are in reach. */
static bool parallel(const asker *a, const int32_t *end) {
  vec3 mine = vec3_sub(a->x[a->own[1]], a->x[a->own[0]]);
  vec3 other = vec3_sub(a->x[end[1]], a->x[end[0]]);
  double cross2 = vec3_norm2(vec3_cross(mine, other));
  return cross2 < PARALLEL * PARALLEL * vec3_norm2(mine) * vec3_norm2(other);
}

/* Of two edges the one with the higher number looks. Where the closest points are ends, a vertex
 * has seen it. */
static void visit_edge(void *context, int32_t e) {
  asker *a = context;
  const int32_t *end = a->l->edges + 2 * e;
  if (end >= a->own) return;
  for (int k = 0; k < 4; k++)
    if (end[k / 2] == a->own[k % 2]) return;
  if (parallel(a, end)) return;
  layers_find find = {.other = e};
  vec3 way;
  find.distance2 = to_edge(a, e, a->x, find.weight, &way);
  for (int k = 0; k < 4; k++)
    if (find.weight[k] == 0) return;
  consider(a, &find, way, end, to_edge);
}

/* What `consider` may find in reach, by the same bound. */
static bvh_approach question(const asker *a) {
  const projective_layers *l = a->l;
  int32_t first = a->own[0], last = a->own[a->nodes - 1];
  return (bvh_approach){.at = box_of(a->x[first], a->x[last]),
                        .velocity = box_of(a->v[first], a->v[last]),
                        .near = (1 + SPARE) * l->thickest,
                        .time = 2 * l->h,
                        .most = l->thickest + a->reach};
}

static asker make_asker(const find_job *job, const int32_t *own, int nodes, size_t place) {
  projective_layers *l = job->l;
  double reach = reach_of(l, job->v, job->mean, own, nodes);
  return (asker){l, job->x, job->v, own, nodes, reach, l->found + LAYERS_MOST * place, 0};
}

static void find_vertices(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  projective_layers *l = job->l;
  for (size_t i = begin; i < end; i++) {
    asker a = make_asker(job, l->vertices + i, 1, i);
    bvh_approach asked = question(&a);
    bvh_moving_visit(&l->triangle_tree, &asked, visit_triangle, &a);
    l->found_count[i] = a.count;
  }
}

/* In the order of the tree: neighbours walk through the same nodes. */
static void find_edges(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  projective_layers *l = job->l;
  for (size_t i = begin; i < end; i++) {
    size_t edge = (size_t)l->edge_tree.at.order[i], place = l->vertex_count + edge;
    asker a = make_asker(job, l->edges + 2 * edge, 2, place);
    bvh_approach asked = question(&a);
    bvh_moving_visit(&l->edge_tree, &asked, visit_edge, &a);
    l->found_count[place] = a.count;
  }
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static projective_meeting make_meeting(const projective_layers *l, const int32_t *own, int nodes,
                                       const layers_find *f, const double *mass) {
  const model *m = l->model;
  const int32_t *other = nodes == 1 ? l->triangles + 3 * f->other : l->edges + 2 * f->other;
  projective_meeting c = {.layer = -1};
  double flexible = 0;
  for (int k = 0; k < 4; k++) {
    int32_t node = k < nodes ? own[k] : other[k - nodes];
    c.node[k] = node;
    c.weight[k] = f->weight[k];
    c.inverse[k] = m->row_of_node[node] < 0 ? 0 : 1 / mass[node];
    flexible += c.weight[k] * c.weight[k] * c.inverse[k];
  }
  c.mass = flexible > 0 ? 1 / flexible : 0;
  double gap = sqrt(f->distance2) - pair_thickness(l, own[0], other[0]);
  c.shift.x = (gap > 0 ? gap : RECOVERY * gap) / l->h;
  const friction_law *law =
      pairs_law(l->pairs, m->bodies[l->body[own[0]]].object, m->bodies[l->body[other[0]]].object);
  vec3 none = {0, 0, 0};
  c.cone = law_cone(law, f->normal, none, none, 0);
  return c;
}

static tribo_status list_meetings(projective_layers *l, const double *mass, arena *step,
                                  tribo_error *err) {
  size_t askers = l->vertex_count + l->edge_count, total = 0;
  for (size_t i = 0; i < askers; i++) total += (size_t)l->found_count[i];
  l->meetings = ARENA_ARRAY(step, projective_meeting, total);
  if (!l->meetings) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < askers; i++) {
    bool vertex = i < l->vertex_count;
    const int32_t *own = vertex ? l->vertices + i : l->edges + 2 * (i - l->vertex_count);
    for (int32_t k = 0; k < l->found_count[i]; k++) {
      const layers_find *f = &l->found[LAYERS_MOST * i + (size_t)k];
      projective_meeting c = make_meeting(l, own, vertex ? 1 : 2, f, mass);
      if (c.mass > 0) l->meetings[l->count++] = c;
    }
  }
  return TRIBO_OK;
}

/* ---- layers -----------------------------------------------------------------------------------
 */

/* Which meetings a node has. */
typedef struct meeting_graph {
  int32_t *start, *at; /* as in projective_cloth.c */
  int32_t *queue, *level;
} meeting_graph;

static bool make_graph(const projective_layers *l, arena *step, meeting_graph *g) {
  size_t nodes = (size_t)l->model->node_count;
  g->start = ARENA_ARRAY(step, int32_t, nodes + 2);
  g->at = ARENA_ARRAY(step, int32_t, 4 * l->count);
  g->queue = ARENA_ARRAY(step, int32_t, nodes);
  g->level = ARENA_ARRAY(step, int32_t, nodes);
  if (!g->start || !g->at || !g->queue || !g->level) return false;
  int32_t *next = g->start + 1;
  for (size_t i = 0; i < l->count; i++)
    for (int k = 0; k < 4; k++) next[l->meetings[i].node[k] + 1]++;
  for (size_t n = 0; n < nodes; n++) next[n + 1] += next[n];
  for (size_t i = 0; i < l->count; i++)
    for (int k = 0; k < 4; k++) g->at[next[l->meetings[i].node[k]]++] = (int32_t)i;
  return true;
}

/* From the nodes in the queue outwards: every meeting gets the level of the first that reaches it.
 */
static void spread(projective_layers *l, meeting_graph *g, size_t head, size_t *tail) {
  for (; head < *tail; head++) {
    int32_t node = g->queue[head];
    for (int32_t k = g->start[node]; k < g->start[node + 1]; k++) {
      projective_meeting *c = &l->meetings[g->at[k]];
      if (c->layer >= 0) continue;
      c->layer = g->level[node];
      for (int i = 0; i < 4; i++) {
        if (g->level[c->node[i]] >= 0) continue;
        g->level[c->node[i]] = c->layer + 1;
        g->queue[(*tail)++] = c->node[i];
      }
    }
  }
}

/* Obstacles first; then what hangs together in the air, from one side, which is the node of the
 * first meeting that has no layer yet. */
static tribo_status sort_layers(projective_layers *l, const bool *grounded, arena *step,
                                tribo_error *err) {
  meeting_graph g;
  projective_meeting *sorted = ARENA_ARRAY(step, projective_meeting, l->count);
  if (!sorted || !make_graph(l, step, &g)) return status_no_memory(err, "contacts");
  size_t tail = 0, placed = 0;
  for (int32_t n = 0; n < l->model->node_count; n++) {
    g.level[n] = grounded[n] ? 0 : -1;
    if (grounded[n]) g.queue[tail++] = n;
  }
  spread(l, &g, 0, &tail);
  for (size_t i = 0; i < l->count; i++) {
    if (l->meetings[i].layer >= 0) continue;
    size_t head = tail;
    int32_t node = l->meetings[i].node[0];
    if (g.level[node] < 0) g.queue[tail++] = node, g.level[node] = 0;
    spread(l, &g, head, &tail);
  }
  for (int32_t layer = 0; placed < l->count; layer++)
    for (size_t i = 0; i < l->count; i++)
      if (l->meetings[i].layer == layer) sorted[placed++] = l->meetings[i];
  l->meetings = sorted;
  return TRIBO_OK;
}

tribo_status projective_layers_detect(projective_layers *l, const vec3 *x, const vec3 *v,
                                      const double *mass, const bool *grounded, arena *step,
                                      tribo_error *err) {
  l->count = 0;
  l->meetings = NULL;
  if (l->triangle_count == 0) return TRIBO_OK;
  const layers_boxes *triangle = &l->triangle_boxes, *edge = &l->edge_boxes;
  box_all(l, x, triangle->at, edge->at);
  box_all(l, v, triangle->velocity, edge->velocity);
  bvh_moving_refit(&l->tasks, triangle->at, triangle->velocity, &l->triangle_tree);
  bvh_moving_refit(&l->tasks, edge->at, edge->velocity, &l->edge_tree);
  find_job job = {l, x, v, mean_velocity(l, v)};
  tasks_for(&l->tasks, l->vertex_count, 64, find_vertices, &job);
  tasks_for(&l->tasks, l->edge_count, 64, find_edges, &job);
  TRY(list_meetings(l, mass, step, err));
  return l->count > 0 ? sort_layers(l, grounded, step, err) : TRIBO_OK;
}

void projective_layers_resume(const projective_layers *l, vec3 *g) {
  for (size_t i = 0; i < l->count; i++) projective_meeting_resume(&l->meetings[i], g);
}

void projective_layers_update(projective_layers *l, bool first, const vec3 *v, vec3 *g) {
  for (int k = 0; k < (first ? FIRST_SWEEPS : 1); k++)
    for (size_t i = 0; i < l->count; i++) projective_meeting_update(&l->meetings[i], v, g);
}

void projective_layers_separate(projective_layers *l, vec3 *v) {
  bool still = true;
  for (int k = 0; k < LAST_SWEEPS && still; k++) {
    still = false;
    for (size_t i = 0; i < l->count; i++) still |= projective_meeting_separate(&l->meetings[i], v);
  }
}
