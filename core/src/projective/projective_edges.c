/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_edges.h"

#include <math.h>

#include "contact/cloth_paint.h"
#include "contact/painted.h"
#include "contact/set_cones.h"
#include "geom/topology.h"
#include "model/kinematics.h"

enum { GRAIN = 128 };

/* Rounds through all stencils, as in projective_layers.c. */
enum { FIRST_SWEEPS = 6, LAST_SWEEPS = 20 };

/* ---- setting up -------------------------------------------------------------------------------
 */

static tribo_status take_obstacles(projective_edges *e, arena *memory, tribo_error *err) {
  const model *m = e->model;
  e->obstacles = ARENA_ARRAY(memory, sharp_features, m->surface_count);
  e->surfaces = ARENA_ARRAY(memory, int32_t, m->surface_count);
  if (!e->obstacles || !e->surfaces) return status_no_memory(err, "the edges of obstacles");
  for (size_t j = 0; j < m->surface_count; j++) {
    const surface *s = &e->finder->surfaces[j];
    sharp_features *r = &e->obstacles[e->obstacle_count];
    if (!s->def || s->def->collider < 0) continue;
    TRY(sharp_features_create(s, memory, r, err));
    e->surfaces[e->obstacle_count] = (int32_t)j;
    e->obstacle_count += r->parts.edge_count + r->parts.corner_count > 0;
  }
  return TRIBO_OK;
}

static bool meets_any(const projective_edges *e, size_t by) {
  for (size_t k = 0; k < e->obstacle_count; k++)
    if (broad_phase_allowed(&e->finder->broad_phase, by, (size_t)e->surfaces[k])) return true;
  return false;
}

static tribo_status take_cloths(projective_edges *e, arena *memory, tribo_error *err) {
  const model *m = e->model;
  size_t most = 0, vertices = 0;
  e->cloths = ARENA_ARRAY(memory, edges_cloth, m->probe_count);
  if (!e->cloths) return status_no_memory(err, "the edges of cloth");
  for (size_t i = 0; i < m->probe_count; i++) {
    const model_probes *f = &m->probes[i];
    if (!kinematics_vertices_are_nodes(&m->bodies[f->body]) || !meets_any(e, i)) continue;
    topology_list edges;
    TRY(topology_edges(f->triangles, f->triangle_count, memory, &edges, err));
    e->cloths[e->cloth_count++] = (edges_cloth){(int32_t)i, edges.vertices, edges.count};
    if (edges.count + f->triangle_count > most) most = edges.count + f->triangle_count;
    size_t own = (size_t)m->bodies[f->body].node_count;
    if (own > vertices) vertices = own;
  }
  e->near = ARENA_ARRAY(memory, bool, most);
  e->close = ARENA_ARRAY(memory, bool, vertices);
  e->around = ARENA_ARRAY(memory, edges_around, vertices);
  return e->near && e->close && e->around ? TRIBO_OK : status_no_memory(err, "the edges of cloth");
}

tribo_status projective_edges_create(const model *m, const pairs *mu, const contact_finder *finder,
                                     double h, double still, const tasks *t, arena *memory,
                                     projective_edges *out, tribo_error *err) {
  *out = (projective_edges){
      .model = m, .pairs = mu, .finder = finder, .tasks = *t, .h = h, .still = still};
  TRY(take_obstacles(out, memory, err));
  return out->obstacle_count > 0 ? take_cloths(out, memory, err) : TRIBO_OK;
}

/* ---- finding ----------------------------------------------------------------------------------
 */

typedef struct broad_phase_job {
  projective_edges *e;
  const edges_cloth *cloth;
  const sharp_features *sharp_features;
  int32_t surface;
  const vec3 *x, *v; /* of all nodes */
  const double *mass;
  double thickness, margin;
} broad_phase_job;

/* Edge or, behind the edges, triangle i: its nodes; returns how many. */
static int nodes_of(const broad_phase_job *job, size_t i, int32_t node[3]) {
  const model *m = job->e->model;
  const model_probes *f = &m->probes[job->cloth->probes];
  size_t edges = job->cloth->edge_count;
  int count = i < edges ? 2 : 3;
  const int32_t *own = i < edges ? job->cloth->edges + 2 * i : f->triangles + 3 * (i - edges);
  for (int k = 0; k < count; k++) node[k] = m->bodies[f->body].first_node + own[k];
  return count;
}

static const model_body *body_of(const broad_phase_job *job) {
  const model *m = job->e->model;
  return &m->bodies[m->probes[job->cloth->probes].body];
}

/* As that of vertices in contact_find. */
static double reach_of(const broad_phase_job *job, double speed2) {
  double way = job->e->h * sqrt(speed2) + job->sharp_features->fastest;
  return job->thickness + job->margin + 2 * way;
}

/* What it meets. */
static int hits_of(const broad_phase_job *job, size_t i, sharp_hit hits[SHARP_FEATURES_MOST]) {
  int32_t node[3];
  int count = nodes_of(job, i, node);
  vec3 x[3];
  double fastest = 0;
  for (int k = 0; k < count; k++) {
    x[k] = job->x[node[k]];
    fastest = fmax(fastest, vec3_norm2(job->v[node[k]]));
  }
  double reach = reach_of(job, fastest);
  return count == 2 ? sharp_features_meet_edge(job->sharp_features, x, reach, hits)
                    : sharp_features_meet_triangle(job->sharp_features, x, reach, hits);
}

/* Few edges of fine cloth are near anything sharp. Whatever an edge or a triangle meets is at most
 * as far from one of its vertices as its longest edge is long. */
static void measure_around(const broad_phase_job *job) {
  const edges_cloth *cloth = job->cloth;
  const model_body *body = body_of(job);
  edges_around *around = job->e->around;
  for (int32_t i = 0; i < body->node_count; i++) around[i] = (edges_around){0};
  for (size_t k = 0; k < cloth->edge_count; k++) {
    int32_t a = cloth->edges[2 * k], b = cloth->edges[2 * k + 1], first = body->first_node;
    double length2 = vec3_norm2(vec3_sub(job->x[first + a], job->x[first + b]));
    double speed2 = fmax(vec3_norm2(job->v[first + a]), vec3_norm2(job->v[first + b]));
    for (int end = 0; end < 2; end++) {
      edges_around *at = &around[end ? b : a];
      at->length2 = fmax(at->length2, length2);
      at->speed2 = fmax(at->speed2, speed2);
    }
  }
}

static void look_around(void *context, size_t begin, size_t end) {
  const broad_phase_job *job = context;
  for (size_t i = begin; i < end; i++) {
    const edges_around *around = &job->e->around[i];
    double reach = reach_of(job, around->speed2) + sqrt(around->length2);
    job->e->close[i] = sharp_features_near(job->sharp_features,
                                           job->x[(size_t)body_of(job)->first_node + i], reach);
  }
}

static void look(void *context, size_t begin, size_t end) {
  const broad_phase_job *job = context;
  int32_t first = body_of(job)->first_node;
  for (size_t i = begin; i < end; i++) {
    int32_t node[3];
    sharp_hit hits[SHARP_FEATURES_MOST];
    bool close = false;
    for (int k = nodes_of(job, i, node); k-- > 0;) close |= job->e->close[node[k] - first];
    job->e->near[i] = close && hits_of(job, i, hits) > 0;
  }
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static tribo_status paint_of(const projective_edges *e, const edges_found *found, const vec3 *x,
                             contact_paint *out, tribo_error *err) {
  *out = painted_none();
  if (!e->finder->painted) return TRIBO_OK;
  const model *m = e->model;
  const surface *s = &e->finder->surfaces[found->surface];
  paint_value above = cloth_paint(m, &m->probes[found->probes], found->node, found->weight,
                                  found->count, x, found->normal);
  surface_hit on = surface_query(s, found->point, INFINITY);
  paint_value below = paint_none();
  if (on.near && !painted_surface(s, &on, &below)) return status_no_memory(err, "contacts");
  *out = (contact_paint){above.structure, below.structure, above.friction, below.friction};
  return TRIBO_OK;
}

tribo_status projective_edges_add(projective_edges *e, const edges_found *found, const vec3 *x,
                                  const vec3 *v, const double *mass, tribo_error *err) {
  const model *m = e->model;
  projective_stencil c = {.layer = 0};
  double flexible = 0;
  vec3 slip = vec3_scale(-1, found->surface_velocity);
  for (int k = 0; k < 4; k++) {
    bool has = k < found->count;
    c.node[k] = found->node[has ? k : 0];
    c.weight[k] = has ? found->weight[k] : 0;
    c.inverse[k] = m->row_of_node[c.node[k]] < 0 ? 0 : 1 / mass[c.node[k]];
    flexible += c.weight[k] * c.weight[k] * c.inverse[k];
    slip = vec3_madd(slip, c.weight[k], v[c.node[k]]);
  }
  if (!(flexible > 0)) return TRIBO_OK; /* all pinned */
  c.mass = 1 / flexible;
  contact_paint with;
  TRY(paint_of(e, found, x, &with, err));
  double speed = vec3_norm(vec3_madd(slip, -vec3_dot(slip, found->normal), found->normal));
  const friction_law *law = pairs_law(e->pairs, m->probes[found->probes].object,
                                      (size_t)m->surfaces[found->surface].object);
  c.cone = painted_cone(law, found->normal, &with, speed > e->still ? speed : 0);
  c.shift =
      vec3_make((found->gap - found->keeps) / e->h, -vec3_dot(c.cone.t, found->surface_velocity),
                -vec3_dot(c.cone.b, found->surface_velocity));
  c.passes = c.shift.x;
  e->stencils[e->count] = c;
  e->with[e->count] = found->surface;
  e->keeps[e->count] = found->keeps;
  e->moves[e->count] = found->moves;
  e->by[e->count++] = found->probes;
  return TRIBO_OK;
}

static tribo_status add_meeting(const broad_phase_job *job, size_t i, const sharp_hit *hit,
                                tribo_error *err) {
  edges_found found = {.surface = job->surface,
                       .probes = job->cloth->probes,
                       .normal = hit->normal,
                       .point = hit->point,
                       .surface_velocity = vec3_scale(1 / job->e->h, hit->way),
                       .moves = job->sharp_features->fastest > 0,
                       .gap = hit->gap,
                       .keeps = job->thickness};
  found.count = nodes_of(job, i, found.node);
  for (int k = 0; k < found.count; k++) found.weight[k] = hit->weight[k];
  return projective_edges_add(job->e, &found, job->x, job->v, job->mass, err);
}

bool projective_edges_grow(projective_edges *e, size_t more, arena *step) {
  projective_stencil *stencils = ARENA_ARRAY(step, projective_stencil, e->count + more);
  int32_t *with = ARENA_ARRAY(step, int32_t, e->count + more);
  int32_t *by = ARENA_ARRAY(step, int32_t, e->count + more);
  double *keeps = ARENA_ARRAY(step, double, e->count + more);
  bool *moves = ARENA_ARRAY(step, bool, e->count + more);
  if (!stencils || !with || !by || !keeps || !moves) return false;
  for (size_t i = 0; i < e->count; i++) {
    stencils[i] = e->stencils[i], with[i] = e->with[i], by[i] = e->by[i];
    keeps[i] = e->keeps[i], moves[i] = e->moves[i];
  }
  e->stencils = stencils, e->with = with, e->by = by, e->keeps = keeps, e->moves = moves;
  return true;
}

static tribo_status meet_obstacle(broad_phase_job *job, arena *step, tribo_error *err) {
  projective_edges *e = job->e;
  const model_probes *f = &e->model->probes[job->cloth->probes];
  size_t all = job->cloth->edge_count + f->triangle_count, near = 0;
  measure_around(job);
  tasks_for(&e->tasks, (size_t)body_of(job)->node_count, GRAIN, look_around, job);
  tasks_for(&e->tasks, all, GRAIN, look, job);
  for (size_t i = 0; i < all; i++) near += e->near[i];
  if (near == 0) return TRIBO_OK;
  if (!projective_edges_grow(e, SHARP_FEATURES_MOST * near, step))
    return status_no_memory(err, "contacts");
  for (size_t i = 0; i < all; i++) {
    sharp_hit hits[SHARP_FEATURES_MOST];
    int count = e->near[i] ? hits_of(job, i, hits) : 0;
    for (int k = 0; k < count; k++) TRY(add_meeting(job, i, &hits[k], err));
  }
  return TRIBO_OK;
}

tribo_status projective_edges_detect(projective_edges *e, const vec3 *x, const vec3 *v,
                                     const double *mass, double margin, arena *step,
                                     tribo_error *err) {
  const contact_finder *f = e->finder;
  e->count = e->sharp_count = 0;
  for (size_t k = 0; k < e->obstacle_count; k++) {
    if (f->surfaces[e->surfaces[k]].absent) continue;
    sharp_features_place(&e->obstacles[k], &e->tasks);
    for (size_t i = 0; i < e->cloth_count; i++) {
      int32_t by = e->cloths[i].probes;
      if (!broad_phase_allowed(&f->broad_phase, (size_t)by, (size_t)e->surfaces[k])) continue;
      broad_phase_job job = {
          .e = e,
          .cloth = &e->cloths[i],
          .sharp_features = &e->obstacles[k],
          .surface = e->surfaces[k],
          .x = x,
          .v = v,
          .mass = mass,
          .thickness = f->probes[by].thickness + f->surfaces[e->surfaces[k]].def->params.thickness,
          .margin = margin};
      TRY(meet_obstacle(&job, step, err));
    }
  }
  e->sharp_count = e->count;
  return TRIBO_OK;
}

/* ---- the local step ---------------------------------------------------------------------------
 */

void projective_edges_resume(const projective_edges *e, vec3 *g) {
  for (size_t i = 0; i < e->count; i++) projective_stencil_resume(&e->stencils[i], g);
}

void projective_edges_update(projective_edges *e, bool first, const vec3 *v, vec3 *g) {
  for (int k = 0; k < (first ? FIRST_SWEEPS : 1); k++)
    for (size_t i = 0; i < e->count; i++) projective_stencil_update(&e->stencils[i], v, g);
}

void projective_edges_separate(projective_edges *e, vec3 *v) {
  bool still = true;
  for (int k = 0; k < LAST_SWEEPS && still; k++) {
    still = false;
    for (size_t i = 0; i < e->count; i++) still |= projective_stencil_separate(&e->stencils[i], v);
  }
}
