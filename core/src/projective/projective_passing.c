/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_passing.h"

#include <math.h>
#include <string.h>

#include "geom/ccd.h"
#include "geom/crossings.h"
#include "geom/distance.h"

/* Looks at all that is in reach, each followed by impulses; then as many with zones. */
enum { ROUNDS = 8, ZONE_ROUNDS = 32, SWEEPS = 20 };

/* The gap that stays, in thicknesses; and of the gap at the start of the step at most. */
static const double LEAST = 0.1, LEAST_PART = 0.5;

/* A node whose velocity has changed by less than this many thicknesses a step since contacts were
 * found meets nothing but what was in reach then: that is 1.25 thicknesses away or more
 * (projective_find.c), and two nodes come together. */
static const double CHANGED = 0.6;

/* ---- setting up -------------------------------------------------------------------------------
 */

/* The crossings of the first frame, by nodes. */
static tribo_status find_tangled(projective_passing *p, const tasks *t, tribo_error *err) {
  const layers_finder *f = p->finder;
  size_t nodes = (size_t)p->model->node_count;
  arena scratch = {0};
  crossings_mesh mesh;
  crossing_list found = {0};
  tribo_status status = crossings_mesh_build(p->model->rest, nodes, f->triangles, f->triangle_count,
                                             0, &scratch, &mesh, err);
  if (status == TRIBO_OK) {
    crossings_mesh_move(t, p->model->rest, &mesh);
    status = crossings_find(t, &mesh, &mesh, &found, err);
  }
  p->starts_tangled = found.count > 0;
  bool *inner = status == TRIBO_OK ? ARENA_ARRAY(&scratch, bool, nodes) : NULL;
  if (status == TRIBO_OK && !inner) status = status_no_memory(err, "crossings");
  for (size_t i = 0; status == TRIBO_OK && i < found.count; i++) {
    for (int k = 0; k < 2; k++) inner[mesh.edges[2 * found.data[i].edge + k]] = true;
    for (int k = 0; k < 3; k++) inner[f->triangles[3 * found.data[i].triangle + k]] = true;
  }
  for (size_t e = 0; status == TRIBO_OK && e < f->edge_count; e++) {
    const int32_t *end = f->edges + 2 * e;
    if (inner[end[0]] || inner[end[1]]) p->tangled[end[0]] = p->tangled[end[1]] = true;
  }
  ARRAY_FREE(found);
  arena_free(&scratch);
  return status;
}

tribo_status projective_passing_create(const model *m, layers_finder *finder, skins *obstacles,
                                       const double *mass, const tasks *t, arena *memory,
                                       projective_passing *out, tribo_error *err) {
  size_t nodes = (size_t)m->node_count;
  *out = (projective_passing){.finder = finder, .skins = obstacles, .model = m, .h = finder->h};
  if (finder->triangle_count == 0 && obstacles->couple_count == 0) return TRIBO_OK;
  out->tangled = ARENA_ARRAY(memory, bool, nodes);
  out->moved = ARENA_ARRAY(memory, bool, nodes);
  out->asks = ARENA_ARRAY(memory, bool, finder->vertex_count + finder->edge_count);
  out->zone = ARENA_ARRAY(memory, int32_t, nodes);
  out->zone_skin = ARENA_ARRAY(memory, int32_t, nodes);
  out->zone_v = ARENA_ARRAY(memory, vec3, nodes);
  out->zone_mass = ARENA_ARRAY(memory, double, nodes);
  out->inverse = ARENA_ARRAY(memory, double, nodes);
  if (!out->tangled || !out->moved || !out->asks || !out->zone || !out->zone_skin || !out->zone_v ||
      !out->zone_mass || !out->inverse)
    return status_no_memory(err, "what passes");
  for (size_t i = 0; i < nodes; i++) out->inverse[i] = m->row_of_node[i] < 0 ? 0 : 1 / mass[i];
  return finder->triangle_count > 0 ? find_tangled(out, t, err) : TRIBO_OK;
}

void projective_passing_free(projective_passing *p) {
  ARRAY_FREE(p->hits);
  *p = (projective_passing){0};
}

/* ---- who asks ---------------------------------------------------------------------------------
 */

static bool changed(const projective_passing *p, const vec3 *v0, const vec3 *v, int32_t node) {
  double most = CHANGED * p->finder->thickness[node] / p->h;
  return vec3_norm2(vec3_sub(v[node], v0[node])) > most * most;
}

/* Vertices and edges that have something in reach, or may by what contacts did. */
static void choose(projective_passing *p, const vec3 *v0, const vec3 *v) {
  const layers_finder *f = p->finder;
  bool any = false;
  for (size_t i = 0; i < f->vertex_count; i++) {
    int32_t node = f->vertices[i];
    p->asks[i] = f->close[i] || p->moved[node] || changed(p, v0, v, node);
    p->moved[node] |= p->asks[i]; /* for the edges */
    any |= p->asks[i];
  }
  for (size_t e = 0; e < f->edge_count; e++) {
    const int32_t *end = f->edges + 2 * e;
    bool asks = f->close[f->vertex_count + e] || p->moved[end[0]] || p->moved[end[1]];
    p->asks[f->vertex_count + e] = asks;
    any |= asks;
  }
  for (size_t i = 0; i < f->vertex_count; i++) p->moved[f->vertices[i]] = false;
  p->any_asks = any;
}

/* ---- what meets -------------------------------------------------------------------------------
 */

typedef struct passing_search {
  projective_passing *p;
  const vec3 *x0, *v;
  int32_t asker; /* vertex or edge of the finder */
  bool full;     /* there was no memory */
} passing_search;

/* Four nodes with nothing in common, that mind each other: not the flesh of one solid, and not
 * neighbours at rest (projective_find.c). */
static bool may_meet(const projective_passing *p, const int32_t node[4], int own) {
  const layers_finder *f = p->finder;
  for (int i = 0; i < own; i++)
    for (int j = own; j < 4; j++)
      if (node[i] == node[j]) return false;
  if (p->tangled[node[0]] && p->tangled[node[own]]) return false;
  if (f->body[node[0]] != f->body[node[own]]) return true;
  if (p->model->bodies[f->body[node[0]]].tets) return false;
  vec3 at[4];
  double s, t, thickness = f->thickness[node[0]], distance2;
  for (int k = 0; k < 4; k++) at[k] = p->model->rest[node[k]];
  distance2 = own == 1 ? distance_point_triangle(at[0], at + 1).distance2
                       : distance_edge_edge(at, at + 2, &s, &t);
  return distance2 >= thickness * thickness;
}

bool passing_boxes_apart(const vec3 start[4], const vec3 end[4], int own) {
  for (int axis = 0; axis < 3; axis++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 4; k++) {
      double a = (&start[k].x)[axis], b = (&end[k].x)[axis];
      low[k >= own] = fmin(low[k >= own], fmin(a, b));
      high[k >= own] = fmax(high[k >= own], fmax(a, b));
    }
    if (low[0] > high[1] || low[1] > high[0]) return true;
  }
  return false;
}

double passing_least(double gap, double thickness) {
  return fmin(LEAST * thickness, LEAST_PART * fmax(gap, 0));
}

static void look_at(passing_search *s, const int32_t node[4], int own) {
  projective_passing *p = s->p;
  vec3 start[4], end[4], mean = {0, 0, 0};
  for (int k = 0; k < 4; k++) mean = vec3_madd(mean, 0.25 * p->h, s->v[node[k]]);
  for (int k = 0; k < 4; k++) {
    start[k] = s->x0[node[k]];
    end[k] = vec3_sub(vec3_madd(start[k], p->h, s->v[node[k]]), mean);
  }
  if (passing_boxes_apart(start, end, own) || !may_meet(p, node, own)) return;
  ccd_hit hit;
  ccd_outcome outcome =
      own == 1 ? ccd_point_triangle(start, end, 0, &hit) : ccd_edge_edge(start, end, 0, &hit);
  if (outcome == CCD_FREE) return;
  passing_hit new = {.normal = hit.direction, .skin = -1};
  for (int k = 0; k < 4; k++) {
    new.node[k] = node[k];
    new.weight[k] = k < own ? hit.weight[k] : -hit.weight[k];
    new.gap += new.weight[k] * vec3_dot(new.normal, start[k]);
  }
  new.least = passing_least(new.gap, p->finder->thickness[node[0]]);
  if (!ARRAY_PUSH(p->hits, new)) s->full = true;
}

static void meet_triangles(void *context, int32_t group) {
  passing_search *s = context;
  const layers_finder *f = s->p->finder;
  const bvh_moving *tree = &f->triangle_tree;
  for (size_t at = EIGHT * (size_t)group; at < EIGHT * (size_t)(group + 1) && at < tree->count;
       at++) {
    const int32_t *corner = f->triangles + 3 * tree->order[at];
    look_at(s, (int32_t[4]){f->vertices[s->asker], corner[0], corner[1], corner[2]}, 1);
  }
}

/* Of two edges that ask the one with the higher number looks. */
static void meet_edges(void *context, int32_t group) {
  passing_search *s = context;
  const layers_finder *f = s->p->finder;
  const bvh_moving *tree = &f->edge_tree;
  const int32_t *own = f->edges + 2 * s->asker;
  for (size_t at = EIGHT * (size_t)group; at < EIGHT * (size_t)(group + 1) && at < tree->count;
       at++) {
    int32_t e = tree->order[at];
    const int32_t *end = f->edges + 2 * e;
    if (e == s->asker || (e > s->asker && s->p->asks[f->vertex_count + (size_t)e])) continue;
    look_at(s, (int32_t[4]){own[0], own[1], end[0], end[1]}, 2);
  }
}

/* All that comes together within the step: boxes as they are, and what their speeds bring. */
static void ask(passing_search *s, const bvh_moving *of, const bvh_moving *whom, size_t at,
                bvh_moving_visitor visit) {
  one_box box = bvh_moving_box(of, 0, at);
  box.near = eights_above(1e-6 * s->p->finder->thickest);
  box.time = eights_above(s->p->h);
  box.most = INFINITY;
  s->asker = of->order[at];
  bvh_moving_visit(whom, &box, visit, s);
}

/* Adds what of cloth meets cloth by v. */
static tribo_status meet_layers(projective_passing *p, const vec3 *x0, const vec3 *v,
                                tribo_error *err) {
  layers_finder *f = p->finder;
  bvh_motion_take(&f->tasks, x0, v, (size_t)p->model->node_count, f->motion);
  bvh_moving_refit(&f->tasks, f->motion, &f->vertex_tree);
  bvh_moving_refit(&f->tasks, f->motion, &f->triangle_tree);
  bvh_moving_refit(&f->tasks, f->motion, &f->edge_tree);
  passing_search s = {.p = p, .x0 = x0, .v = v};
  for (size_t at = 0; at < f->vertex_tree.count; at++)
    if (p->asks[f->vertex_tree.order[at]])
      ask(&s, &f->vertex_tree, &f->triangle_tree, at, meet_triangles);
  for (size_t at = 0; at < f->edge_tree.count; at++)
    if (p->asks[f->vertex_count + (size_t)f->edge_tree.order[at]])
      ask(&s, &f->edge_tree, &f->edge_tree, at, meet_edges);
  return s.full ? status_no_memory(err, "what passes") : TRIBO_OK;
}

/* Adds all that meets by v. */
static tribo_status find_hits(projective_passing *p, const vec3 *x0, const vec3 *v,
                              tribo_error *err) {
  if (p->any_asks) TRY(meet_layers(p, x0, v, err));
  return p->skins->couple_count > 0 ? passing_meet_skins(p, v, err) : TRIBO_OK;
}

/* ---- impulses ---------------------------------------------------------------------------------
 */

/* n . sum w_i v_i must be (least - gap) / h at least. */
static bool stop(projective_passing *p, passing_hit *hit, vec3 *v) {
  const double *inverse = p->inverse;
  double u = -hit->driven, flexible = 0;
  for (int k = 0; k < 4; k++) {
    u += hit->weight[k] * vec3_dot(hit->normal, v[hit->node[k]]);
    flexible += hit->weight[k] * hit->weight[k] * inverse[hit->node[k]];
  }
  double lack = (hit->least - hit->gap) / p->h - u;
  if (!(lack > 0) || !(flexible > 0)) return false;
  hit->impulse += lack / flexible;
  for (int k = 0; k < 4; k++) {
    int32_t node = hit->node[k];
    v[node] = vec3_madd(v[node], hit->weight[k] * inverse[node] * lack / flexible, hit->normal);
    p->moved[node] = true;
  }
  return true;
}

/* Nothing is driven into an obstacle either. */
static bool keep_out(const projective_passing *p, const projective_contact *c, vec3 *v) {
  if (c->held || !p->moved[c->node]) return false;
  double u = projective_contact_velocity(c, v[c->node]).x;
  if (!(u < 0)) return false;
  v[c->node] = vec3_madd(v[c->node], -u, c->cone.normal);
  return true;
}

typedef struct obstacle_list {
  const projective_contact *at;
  size_t count;
} obstacle_list;

static void stop_all(projective_passing *p, obstacle_list obstacles, vec3 *v) {
  bool still = true;
  for (int k = 0; k < SWEEPS && still; k++) {
    still = false;
    for (size_t i = 0; i < p->hits.count; i++) still |= stop(p, &p->hits.data[i], v);
    for (size_t i = 0; i < obstacles.count; i++) still |= keep_out(p, &obstacles.at[i], v);
  }
}

/* ---- zones ------------------------------------------------------------------------------------
 */

static int32_t root_of(projective_passing *p, int32_t node) {
  while (p->zone[node] != node) node = p->zone[node] = p->zone[p->zone[node]];
  return node;
}

/* Lower numbers are roots: the same zones whatever the order of the hits. */
static void join(projective_passing *p, int32_t a, int32_t b) {
  a = root_of(p, a), b = root_of(p, b);
  if (a != b) p->zone[a > b ? a : b] = a > b ? b : a;
}

/* The momentum of every zone, over its mass; of one with a node that is held, that node's velocity.
 */
static void weigh_zones(projective_passing *p, const vec3 *v) {
  const double *inverse = p->inverse;
  int32_t nodes = p->model->node_count;
  for (int32_t i = 0; i < nodes; i++) p->zone_v[i] = vec3_make(0, 0, 0), p->zone_mass[i] = 0;
  for (int32_t i = 0; i < nodes; i++) {
    if (!p->moved[i]) continue;
    int32_t root = root_of(p, i);
    if (inverse[i] == 0) {
      p->zone_mass[root] = INFINITY;
      p->zone_v[root] = v[i];
    } else if (!isinf(p->zone_mass[root])) {
      p->zone_mass[root] += 1 / inverse[i];
      p->zone_v[root] = vec3_madd(p->zone_v[root], 1 / inverse[i], v[i]);
    }
  }
  for (int32_t i = 0; i < nodes; i++)
    if (p->zone_mass[i] > 0 && !isinf(p->zone_mass[i]))
      p->zone_v[i] = vec3_scale(1 / p->zone_mass[i], p->zone_v[i]);
}

/* Of several obstacles that a zone holds on to the first. */
static int32_t *skin_of(projective_passing *p, int32_t node) {
  return &p->zone_skin[root_of(p, node)];
}

static void hold_on(projective_passing *p) {
  int32_t nodes = p->model->node_count;
  for (int32_t i = 0; i < nodes; i++) {
    int32_t skin = p->zone_skin[i], *of = skin_of(p, i);
    if (skin >= 0 && (*of < 0 || skin < *of)) *of = skin;
  }
  for (size_t i = 0; i < p->hits.count; i++) {
    int32_t skin = p->hits.data[i].skin, *of = skin_of(p, p->hits.data[i].node[0]);
    if (skin >= 0 && (*of < 0 || skin < *of)) *of = skin;
  }
}

/* Every zone, nodes that are moved, goes on as one. */
static void move_zones(projective_passing *p, const vec3 *x0, obstacle_list obstacles, vec3 *v) {
  weigh_zones(p, v);
  hold_on(p);
  for (size_t i = 0; i < obstacles.count; i++) {
    const projective_contact *c = &obstacles.at[i];
    int32_t root = p->moved[c->node] ? root_of(p, c->node) : -1;
    if (root < 0 || isinf(p->zone_mass[root])) continue;
    double u = projective_contact_velocity(c, p->zone_v[root]).x;
    if (u < 0) p->zone_v[root] = vec3_madd(p->zone_v[root], -u, c->cone.normal);
  }
  for (int32_t i = 0; i < p->model->node_count; i++) {
    if (!p->moved[i] || p->inverse[i] == 0) continue;
    int32_t skin = *skin_of(p, i);
    v[i] = skin >= 0 ? skins_carried(p->skins, (size_t)skin, x0[i]) : p->zone_v[root_of(p, i)];
  }
}

static tribo_status stop_by_zones(projective_passing *p, const vec3 *x0, obstacle_list obstacles,
                                  vec3 *v, passing_report *report, tribo_error *err) {
  int32_t nodes = p->model->node_count;
  for (int32_t i = 0; i < nodes; i++) {
    p->zone[i] = i;
    p->zone_skin[i] = -1;
    p->moved[i] = false;
  }
  for (int round = 0; round < ZONE_ROUNDS && p->hits.count > 0; round++) {
    for (size_t i = 0; i < p->hits.count; i++)
      for (int k = 0; k < 4; k++) {
        join(p, p->hits.data[i].node[0], p->hits.data[i].node[k]);
        p->moved[p->hits.data[i].node[k]] = true;
      }
    move_zones(p, x0, obstacles, v);
    for (size_t i = 0; i < p->finder->vertex_count; i++)
      p->any_asks |= p->asks[i] |= p->moved[p->finder->vertices[i]];
    p->hits.count = 0;
    TRY(find_hits(p, x0, v, err));
  }
  for (int32_t i = 0; i < nodes; i++) report->zoned += p->moved[i];
  report->passed = (int)p->hits.count;
  if (p->hits.count > 0) {
    const passing_hit *first = &p->hits.data[0];
    report->node = first->node[0];
    report->skin = first->skin;
    report->other = first->skin < 0 ? first->node[3] : -1;
  }
  return TRIBO_OK;
}

/* ---- the end of a step ------------------------------------------------------------------------
 */

tribo_status projective_passing_stop(projective_passing *p, const vec3 *x0, const vec3 *v0,
                                     const projective_contact *obstacles, size_t obstacle_count,
                                     vec3 *v, passing_report *report, tribo_error *err) {
  *report = (passing_report){0};
  p->hits.count = 0;
  if (p->finder->triangle_count == 0 && p->skins->couple_count == 0) return TRIBO_OK;
  obstacle_list list = {obstacles, obstacle_count};
  memset(p->moved, 0, (size_t)p->model->node_count * sizeof *p->moved);
  choose(p, v0, v);
  size_t known = 0;
  for (int round = 0; round < ROUNDS; round++) {
    TRY(find_hits(p, x0, v, err));
    if (p->hits.count == known) return TRIBO_OK;
    known = p->hits.count;
    report->stopped = (int)known;
    stop_all(p, list, v);
    choose(p, v0, v);
  }
  p->hits.count = 0;
  TRY(find_hits(p, x0, v, err));
  return stop_by_zones(p, x0, list, v, report, err);
}
