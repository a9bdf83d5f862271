/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/distance.h"
#include "model/kinematics.h"

/* Finds of one vertex whose normals are closer than this (cosine) are one contact. */
static const double SAME_SIDE = 0.5;

/* How far what does not approach is looked for, in thicknesses beyond the first: forces may drive
 * it together yet. */
static const double SPARE = 0.25;

/* How far ahead fast cloth looks, in thicknesses: twice its way in a step, up to this. */
static const double FARTHEST = 200;

/* The sine of the angle between edges that count as parallel. */
static const double PARALLEL = 0.2;

/* Two points this close, in parts of the thickness, have no direction between them. */
static const double TOUCHING = 1e-6;

/* ---- setting up -------------------------------------------------------------------------------
 */

static const model_probes *probes_of(const model *m, size_t body) {
  for (size_t i = 0; i < m->probe_count; i++)
    if (m->probes[i].body == (int32_t)body) return &m->probes[i];
  return NULL;
}

static int compare_edges(const void *a, const void *b) {
  const int32_t *one = a, *other = b;
  if (one[0] != other[0]) return one[0] < other[0] ? -1 : 1;
  return (one[1] > other[1]) - (one[1] < other[1]);
}

/* Every side of a triangle once. */
static void list_edges(layers_finder *l) {
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

/* The node that a vertex is; -1: it hangs on several, in a cage of tets that does not fit. */
static int32_t node_of(const model_body *body, int32_t vertex) {
  if (body->kinematics->by_vertex) return body->first_node + vertex;
  int32_t node = -1;
  for (int a = 0; a < 4; a++) {
    if (body->weight[vertex][a] == 0) continue;
    if (node >= 0) return -1;
    node = body->anchor[vertex][a];
  }
  return node;
}

static bool takes_part(const model_body *body, const model_probes *f) {
  if (!f || !(f->params.thickness > 0)) return false;
  for (size_t i = 0; i < f->count; i++)
    if (node_of(body, f->vertices[i]) < 0) return false;
  return true;
}

bool layers_finder_leaves_out(const layers_finder *l, size_t body) {
  const model_probes *f = probes_of(l->model, body);
  return f && f->params.thickness > 0 && !takes_part(&l->model->bodies[body], f);
}

static void take_bodies(layers_finder *l) {
  const model *m = l->model;
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    const model_probes *f = probes_of(m, b);
    for (int32_t i = 0; i < body->node_count; i++) l->body[body->first_node + i] = (int32_t)b;
    if (!takes_part(body, f)) continue;
    l->thickest = fmax(l->thickest, f->params.thickness);
    for (size_t i = 0; i < f->count; i++) {
      int32_t node = node_of(body, f->vertices[i]);
      l->thickness[node] = f->params.thickness;
      l->vertices[l->vertex_count++] = node;
    }
    for (size_t k = 0; k < 3 * f->triangle_count; k++)
      l->triangles[3 * l->triangle_count + k] = node_of(body, f->triangles[k]);
    l->triangle_count += f->triangle_count;
  }
}

static tribo_status build_trees(layers_finder *f, arena *memory, tribo_error *err) {
  const vec3 *rest = f->model->rest;
  TRY(bvh_moving_build(rest, f->vertices, 1, f->vertex_count, memory, &f->vertex_tree, err));
  TRY(bvh_moving_build(rest, f->triangles, 3, f->triangle_count, memory, &f->triangle_tree, err));
  TRY(bvh_moving_build(rest, f->edges, 2, f->edge_count, memory, &f->edge_tree, err));
  const bvh_moving *tree = &f->edge_tree;
  f->eight_triangles = ARENA_ARRAY(memory, eight_triangles, f->triangle_tree.group_count);
  f->eight_edges = ARENA_ARRAY(memory, eight_edges, tree->group_count);
  f->lowest = ARENA_ARRAY(memory, double, tree->group_count);
  if (!f->eight_triangles || !f->eight_edges || !f->lowest)
    return status_no_memory(err, "layers of cloth");
  for (size_t p = 0; p < tree->group_count * EIGHT; p++) {
    eight_edges *eight = &f->eight_edges[p / EIGHT];
    bool there = p < tree->count;
    /* what fills up the last group has no length, and is crossed by nothing */
    eight->number[p % EIGHT] = there ? (double)tree->order[p] : INFINITY;
    for (int k = 0; k < 2 && there; k++)
      eight->end[k][p % EIGHT] = (double)f->edges[2 * tree->order[p] + k];
    double *lowest = &f->lowest[p / EIGHT];
    *lowest = fmin(p % EIGHT ? *lowest : INFINITY, eight->number[p % EIGHT]);
  }
  return TRIBO_OK;
}

tribo_status layers_finder_create(const model *m, double h, const tasks *t, arena *memory,
                                  layers_finder *out, tribo_error *err) {
  size_t nodes = (size_t)m->node_count, triangles = 0;
  for (size_t i = 0; i < m->probe_count; i++) triangles += m->probes[i].triangle_count;
  *out = (layers_finder){.model = m,
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
  out->motion = ARENA_ARRAY(memory, bvh_motion, nodes);
  out->speed = ARENA_ARRAY(memory, double, nodes);
  out->found = ARENA_ARRAY(memory, layers_find, LAYERS_MOST * askers);
  out->found_count = ARENA_ARRAY(memory, int32_t, askers);
  out->close = ARENA_ARRAY(memory, bool, askers);
  if (!out->motion || !out->speed || !out->found || !out->found_count || !out->close)
    return status_no_memory(err, "layers of cloth");
  return build_trees(out, memory, err);
}

/* ---- finding ----------------------------------------------------------------------------------
 */

/* One vertex, or one edge, that looks around. */
typedef struct asker {
  const layers_finder *l;
  const vec3 *x, *v;
  const int32_t *own; /* its nodes */
  int nodes;          /* 1 or 2 */
  double reach;       /* that motion may add to the thickness, m */
  layers_find *found;
  int32_t count;
  bool close;
} asker;

double layers_thickness(const layers_finder *f, int32_t a, int32_t b) {
  return fmax(f->thickness[a], f->thickness[b]);
}

/* What is near, then what will be, each by its distance, then by number. By the distance of now
 * fast cloth would fill up with what is beside it. */
static bool comes_before(const layers_find *a, const layers_find *b) {
  if (a->far != b->far) return b->far;
  return a->ahead < b->ahead || (a->ahead == b->ahead && a->other < b->other);
}

/* Keeps the first of every side. */
static void keep(asker *a, const layers_find *new) {
  int32_t at = 0;
  for (; at < a->count; at++) {
    const layers_find *old = &a->found[at];
    if (!comes_before(old, new)) break;
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
  const layers_finder *l = a->l;
  vec3 closing = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    int32_t i = k < a->nodes ? a->own[k] : other[k - a->nodes];
    closing = vec3_madd(closing, find->weight[k], a->v[i]);
  }
  int32_t node = other[0];
  double thickness = layers_thickness(l, a->own[0], node);
  double most = thickness + fmin(a->reach, SPARE * thickness + 2 * l->h * vec3_norm(closing));
  if (!(find->distance2 < most * most)) return;
  double distance = sqrt(find->distance2);
  if (!(distance > TOUCHING * thickness)) return;
  if (l->body[a->own[0]] == l->body[node]) {
    double weight[4];
    vec3 at_rest;
    if (by(a, find->other, l->model->rest, weight, &at_rest) < thickness * thickness) return;
  }
  a->close = true;
  /* A sheet that is stopped somewhere moves against itself, but not along itself. */
  double approach = fmin(0, l->h * vec3_dot(closing, way) / distance);
  if (!(distance + 2 * approach < (1 + SPARE) * thickness)) return;
  find->normal = vec3_scale(1 / distance, way);
  find->far = distance >= (1 + SPARE) * thickness;
  find->ahead = find->far ? distance + approach : distance;
  keep(a, find);
}

/* Whether the two are of one solid. What it has between them is its own flesh. */
static bool within_solid(const asker *a, int32_t node) {
  const layers_finder *l = a->l;
  int32_t body = l->body[node];
  return body == l->body[a->own[0]] && l->model->bodies[body].tets;
}

/* Triangles of solids face outwards. */
static bool behind(const asker *a, const int32_t *corner, vec3 way) {
  vec3 from = a->x[corner[0]];
  vec3 n = vec3_cross(vec3_sub(a->x[corner[1]], from), vec3_sub(a->x[corner[2]], from));
  return vec3_dot(n, way) <= 0;
}

static void visit_triangle(void *context, int32_t t) {
  asker *a = context;
  const int32_t *corner = a->l->triangles + 3 * t;
  for (int k = 0; k < 3; k++)
    if (corner[k] == a->own[0]) return;
  layers_find find = {.other = t};
  vec3 way;
  find.distance2 = to_triangle(a, t, a->x, find.weight, &way);
  if (within_solid(a, corner[0]) && behind(a, corner, way)) return;
  consider(a, &find, way, corner, to_triangle);
}

/* Side by side there is no one place where two edges are closest, and ends are in reach. */
static bool parallel(const asker *a, const int32_t *end) {
  vec3 mine = vec3_sub(a->x[a->own[1]], a->x[a->own[0]]);
  vec3 other = vec3_sub(a->x[end[1]], a->x[end[0]]);
  double cross2 = vec3_norm2(vec3_cross(mine, other));
  return cross2 < PARALLEL * PARALLEL * vec3_norm2(mine) * vec3_norm2(other);
}

/* Of two edges the one with the higher number looks. Where the closest points are ends, a vertex
 * has seen it. Those of one solid do not know which side is the outer one, and leave it to vertices
 * and triangles. */
static void visit_edge(void *context, int32_t e) {
  asker *a = context;
  const int32_t *end = a->l->edges + 2 * e;
  if (end >= a->own || within_solid(a, end[0])) return;
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

/* ---- by eights --------------------------------------------------------------------------------
 */

/* How far the two sides may come closer in a step: each its own way against the mean of all, and
 * that of gravity. */
static double reach_of(const layers_finder *f, double fastest) {
  double way = f->h * fastest + f->h * f->h * vec3_norm(f->model->gravity);
  return fmin(2 * way, FARTHEST * f->thickest);
}

/* A group of askers, and where they look. */
typedef struct looking {
  layers_finder *f;
  const vec3 *x, *v;
  size_t group;
  double reach; /* the largest of all */
  float near, time, most;
  asker askers[EIGHT];
  one_box boxes[EIGHT]; /* of vertices */
  double highest;       /* number of edges */
  one_box box;          /* of all */
} looking;

typedef struct find_job {
  layers_finder *f;
  const vec3 *x, *v;
} find_job;

/* What `consider` may find in reach, by the same bound. */
static one_box question(const looking *k, const bvh_moving *tree, int level, size_t at,
                        float most) {
  one_box box = bvh_moving_box(tree, level, at);
  box.near = k->near;
  box.time = k->time;
  box.most = most;
  return box;
}

static looking look_out(const find_job *job, const bvh_moving *tree, size_t group, size_t places) {
  layers_finder *f = job->f;
  looking k = {.f = f, .x = job->x, .v = job->v, .group = group};
  for (size_t p = EIGHT * group; p < EIGHT * (group + 1) && p < tree->count; p++) {
    size_t item = (size_t)tree->order[p];
    const int32_t *own = tree->corners + (size_t)tree->arity * item;
    double fastest = fmax(f->speed[own[0]], f->speed[own[tree->arity - 1]]);
    asker *a = &k.askers[p - EIGHT * group];
    *a = (asker){f,
                 job->x,
                 job->v,
                 own,
                 tree->arity,
                 reach_of(f, fastest),
                 f->found + LAYERS_MOST * (places + item),
                 0,
                 false};
    k.reach = fmax(k.reach, a->reach);
  }
  k.near = eights_above((1 + SPARE) * f->thickest);
  k.time = eights_above(2 * f->h);
  k.most = eights_above(f->thickest + k.reach);
  return k;
}

static void note(const looking *k, const bvh_moving *tree, size_t places) {
  for (size_t p = EIGHT * k->group; p < EIGHT * (k->group + 1) && p < tree->count; p++) {
    size_t at = places + (size_t)tree->order[p];
    k->f->found_count[at] = k->askers[p - EIGHT * k->group].count;
    k->f->close[at] = k->askers[p - EIGHT * k->group].close;
  }
}

static void meet_triangles(void *context, int32_t group) {
  looking *k = context;
  layers_finder *f = k->f;
  const bvh_moving *tree = &f->triangle_tree;
  one_box them = question(k, tree, 1, (size_t)group, k->most);
  for (unsigned mine = bvh_moving_met(&f->vertex_tree, k->group, &them); mine; mine &= mine - 1) {
    int l = __builtin_ctz(mine);
    unsigned theirs = bvh_moving_met(tree, (size_t)group, &k->boxes[l]);
    if (!theirs) continue;
    asker *a = &k->askers[l];
    vec3 at = a->x[a->own[0]];
    one_point point = {.at = {at.x, at.y, at.z}};
    tree->by->limits(&tree->nodes[group], &k->boxes[l], point.most2);
    theirs &= tree->by->touched(&f->eight_triangles[group], &point);
    for (; theirs; theirs &= theirs - 1)
      visit_triangle(a, tree->order[EIGHT * group + __builtin_ctz(theirs)]);
  }
}

static void find_vertices(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  layers_finder *f = job->f;
  const bvh_moving *tree = &f->vertex_tree;
  for (size_t group = begin; group < end; group++) {
    looking k = look_out(job, tree, group, 0);
    for (size_t l = 0; l < EIGHT && k.askers[l].l; l++) {
      float most = eights_above(f->thickest + k.askers[l].reach);
      k.boxes[l] = question(&k, tree, 0, EIGHT * group + l, most);
    }
    k.box = question(&k, tree, 1, group, k.most);
    bvh_moving_visit(&f->triangle_tree, &k.box, meet_triangles, &k);
    note(&k, tree, 0);
  }
}

static one_edge edge_of(const looking *k, size_t l) {
  const eight_edges *eight = &k->f->eight_edges[k->group];
  one_edge one = {.length2 = eight->length2[l],
                  .number = eight->number[l],
                  .end = {eight->end[0][l], eight->end[1][l]},
                  .most = k->f->thickest + k->askers[l].reach,
                  .sine = PARALLEL};
  for (int a = 0; a < 3; a++) one.a[a] = eight->a[a][l], one.u[a] = eight->u[a][l];
  return one;
}

/* How near something of a group with these velocities must be to matter to any of the askers. */
static double limit_of(const looking *k, const one_box *them) {
  double speed2 = 0;
  for (int a = 0; a < 3; a++) {
    double ahead = (double)them->fast[a] - (double)k->box.slow[a];
    double behind = (double)k->box.fast[a] - (double)them->slow[a];
    double s = ahead > behind ? ahead : behind;
    speed2 += s * s;
  }
  return (1 + SPARE) * k->f->thickest + 2 * k->f->h * sqrt(speed2);
}

static void meet_edges(void *context, int32_t group) {
  looking *k = context;
  layers_finder *f = k->f;
  const bvh_moving *tree = &f->edge_tree;
  if (f->lowest[group] > k->highest) return;
  one_box them = question(k, tree, 1, (size_t)group, k->most);
  double limit = limit_of(k, &them);
  for (unsigned mine = bvh_moving_met(tree, k->group, &them); mine; mine &= mine - 1) {
    int l = __builtin_ctz(mine);
    one_edge one = edge_of(k, (size_t)l);
    one.most = fmin(limit, one.most);
    unsigned theirs = f->edge_tree.by->crossed(&f->eight_edges[group], &one);
    for (; theirs; theirs &= theirs - 1)
      visit_edge(&k->askers[l], tree->order[EIGHT * group + __builtin_ctz(theirs)]);
  }
}

static void find_edges(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  layers_finder *f = job->f;
  const bvh_moving *tree = &f->edge_tree;
  for (size_t group = begin; group < end; group++) {
    looking k = look_out(job, tree, group, f->vertex_count);
    for (size_t l = 0; l < EIGHT && k.askers[l].l; l++)
      k.highest = fmax(k.highest, f->eight_edges[group].number[l]);
    k.box = question(&k, tree, 1, group, k.most);
    bvh_moving_visit(tree, &k.box, meet_edges, &k);
    note(&k, tree, f->vertex_count);
  }
}

/* ---- the step ---------------------------------------------------------------------------------
 */

static vec3 mean_velocity(const layers_finder *f, const vec3 *v) {
  vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < f->vertex_count; i++) sum = vec3_add(sum, v[f->vertices[i]]);
  return vec3_scale(1 / (double)f->vertex_count, sum);
}

static void set_lane(vec3 from, size_t lane, double to[3][EIGHT]) {
  to[0][lane] = from.x;
  to[1][lane] = from.y;
  to[2][lane] = from.z;
}

static void place_triangles(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  layers_finder *f = job->f;
  for (size_t p = EIGHT * begin; p < EIGHT * end && p < f->triangle_count; p++) {
    const int32_t *node = f->triangles + 3 * f->triangle_tree.order[p];
    eight_triangles *eight = &f->eight_triangles[p / EIGHT];
    vec3 c = job->x[node[0]];
    set_lane(c, p % EIGHT, eight->c);
    set_lane(vec3_sub(job->x[node[1]], c), p % EIGHT, eight->u);
    set_lane(vec3_sub(job->x[node[2]], c), p % EIGHT, eight->w);
  }
}

static void place_edges(void *context, size_t begin, size_t end) {
  const find_job *job = context;
  layers_finder *f = job->f;
  for (size_t p = EIGHT * begin; p < EIGHT * end && p < f->edge_count; p++) {
    const int32_t *node = f->edges + 2 * f->edge_tree.order[p];
    eight_edges *eight = &f->eight_edges[p / EIGHT];
    vec3 from = job->x[node[0]], along = vec3_sub(job->x[node[1]], from);
    set_lane(from, p % EIGHT, eight->a);
    set_lane(along, p % EIGHT, eight->u);
    eight->length2[p % EIGHT] = vec3_norm2(along);
  }
}

void layers_finder_look(layers_finder *f, const vec3 *x, const vec3 *v) {
  if (f->triangle_count == 0) return;
  vec3 mean = mean_velocity(f, v);
  for (size_t i = 0; i < f->vertex_count; i++) {
    int32_t node = f->vertices[i];
    f->speed[node] = vec3_norm(vec3_sub(v[node], mean));
  }
  find_job job = {f, x, v};
  bvh_motion_take(&f->tasks, x, v, (size_t)f->model->node_count, f->motion);
  bvh_moving_refit(&f->tasks, f->motion, &f->vertex_tree);
  bvh_moving_refit(&f->tasks, f->motion, &f->triangle_tree);
  bvh_moving_refit(&f->tasks, f->motion, &f->edge_tree);
  tasks_for(&f->tasks, f->triangle_tree.group_count, 128, place_triangles, &job);
  tasks_for(&f->tasks, f->edge_tree.group_count, 128, place_edges, &job);
  tasks_for(&f->tasks, f->vertex_tree.group_count, 32, find_vertices, &job);
  tasks_for(&f->tasks, f->edge_tree.group_count, 32, find_edges, &job);
}
