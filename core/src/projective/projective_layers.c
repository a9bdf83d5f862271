/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_layers.h"

#include <math.h>

/* The part of a gap that is too small that a step opens again: what was squeezed together shall not
 * jump apart. */
static const double RECOVERY = 0.2;

/* Rounds through all stencils: in the first iteration, where nothing is known of what they bear,
 * and at the end. */
enum { FIRST_SWEEPS = 6, LAST_SWEEPS = 20 };

/* Iterations from one look at all stencils to the next. In between only those are revised that were
 * found to matter: of ten, one does. */
enum { LOOK_EVERY = 4 };

/* Meetings that are worth a thread: to be made, once a step, and to be looked at. */
enum { MAKE_GRAIN = 1024, LOOK_GRAIN = 16384 };

/* ---- setting up -------------------------------------------------------------------------------
 */

tribo_status projective_layers_create(const model *m, const pairs *mu, double h, const tasks *t,
                                      arena *memory, projective_layers *out, tribo_error *err) {
  *out = (projective_layers){.model = m,
                             .pairs = mu,
                             .h = h,
                             .inverse = ARENA_ARRAY(memory, double, m->node_count),
                             .driven = ARENA_ARRAY(memory, layers_speed, m->node_count)};
  if (!out->inverse || !out->driven) return status_no_memory(err, "layers of cloth");
  return layers_finder_create(m, h, t, memory, &out->finder, err);
}

/* ---- the list ---------------------------------------------------------------------------------
 */

/* A find that makes a meeting. */
typedef struct stencil_ref {
  const layers_find *find;
  int32_t node[4];
  bool vertex; /* with a triangle */
  int32_t layer;
} stencil_ref;

/* 1/m = sum w_i^2 / M_i  (12) */
static double flexible(const projective_layers *l, const stencil_ref *r) {
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += r->find->weight[k] * r->find->weight[k] * l->inverse[r->node[k]];
  return sum;
}

static projective_stencil make_meeting(const projective_layers *l, const stencil_ref *r) {
  const model *m = l->model;
  const layers_find *f = r->find;
  int32_t own = r->node[0], other = r->node[r->vertex ? 1 : 2];
  projective_stencil c = {.layer = r->layer, .mass = 1 / flexible(l, r)};
  for (int k = 0; k < 4; k++) {
    c.node[k] = r->node[k];
    c.weight[k] = f->weight[k];
    c.inverse[k] = l->inverse[r->node[k]];
  }
  double gap = sqrt(f->distance2) - layers_thickness(&l->finder, own, other);
  c.shift.x = (gap > 0 ? gap : RECOVERY * gap) / l->h;
  c.passes = fmax(gap, 0) / l->h;
  const int32_t *body = l->finder.body;
  const friction_law *law =
      pairs_law(l->pairs, m->bodies[body[own]].object, m->bodies[body[other]].object);
  vec3 none = {0, 0, 0};
  c.cone = law_cone(law, f->normal, none, none, 0);
  return c;
}

static stencil_ref *list_refs(projective_layers *l, arena *step) {
  const layers_finder *by = &l->finder;
  size_t askers = by->vertex_count + by->edge_count, total = 0;
  for (size_t i = 0; i < askers; i++) total += (size_t)by->found_count[i];
  stencil_ref *refs = ARENA_ARRAY(step, stencil_ref, total);
  if (!refs) return NULL;
  for (size_t i = 0; i < askers; i++) {
    bool vertex = i < by->vertex_count;
    int nodes = vertex ? 1 : 2;
    const int32_t *own = vertex ? by->vertices + i : by->edges + 2 * (i - by->vertex_count);
    for (int32_t k = 0; k < by->found_count[i]; k++) {
      const layers_find *f = &by->found[LAYERS_MOST * i + (size_t)k];
      const int32_t *other = vertex ? by->triangles + 3 * f->other : by->edges + 2 * f->other;
      stencil_ref r = {.find = f, .vertex = vertex, .layer = -1};
      for (int n = 0; n < 4; n++) r.node[n] = n < nodes ? own[n] : other[n - nodes];
      if (flexible(l, &r) > 0) refs[l->count++] = r;
    }
  }
  return refs;
}

/* ---- layers -----------------------------------------------------------------------------------
 */

/* Which stencils a node has. */
typedef struct stencil_graph {
  int32_t *start, *at; /* as in projective_cloth.c */
  int32_t *queue, *level;
} stencil_graph;

static bool make_graph(const projective_layers *l, const stencil_ref *refs, arena *step,
                       stencil_graph *g) {
  size_t nodes = (size_t)l->model->node_count;
  g->start = ARENA_ARRAY(step, int32_t, nodes + 2);
  g->at = ARENA_ARRAY(step, int32_t, 4 * l->count);
  g->queue = ARENA_ARRAY(step, int32_t, nodes);
  g->level = ARENA_ARRAY(step, int32_t, nodes);
  if (!g->start || !g->at || !g->queue || !g->level) return false;
  int32_t *next = g->start + 1;
  for (size_t i = 0; i < l->count; i++)
    for (int k = 0; k < 4; k++) next[refs[i].node[k] + 1]++;
  for (size_t n = 0; n < nodes; n++) next[n + 1] += next[n];
  for (size_t i = 0; i < l->count; i++)
    for (int k = 0; k < 4; k++) g->at[next[refs[i].node[k]]++] = (int32_t)i;
  return true;
}

/* From the nodes in the queue outwards: every meeting gets the level of the first that reaches it.
 */
static void spread(stencil_ref *refs, stencil_graph *g, size_t head, size_t *tail) {
  for (; head < *tail; head++) {
    int32_t node = g->queue[head];
    for (int32_t k = g->start[node]; k < g->start[node + 1]; k++) {
      stencil_ref *c = &refs[g->at[k]];
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
 * first meeting that has no layer yet. Returns how many layers there are. */
static int32_t find_layers(const projective_layers *l, const bool *touches_obstacle,
                           stencil_ref *refs, stencil_graph *g) {
  size_t tail = 0;
  int32_t layers = 0;
  for (int32_t n = 0; n < l->model->node_count; n++) {
    g->level[n] = touches_obstacle[n] ? 0 : -1;
    if (touches_obstacle[n]) g->queue[tail++] = n;
  }
  spread(refs, g, 0, &tail);
  for (size_t i = 0; i < l->count; i++) {
    if (refs[i].layer < 0) {
      size_t head = tail;
      int32_t node = refs[i].node[0];
      if (g->level[node] < 0) g->queue[tail++] = node, g->level[node] = 0;
      spread(refs, g, head, &tail);
    }
    if (refs[i].layer >= layers) layers = refs[i].layer + 1;
  }
  return layers;
}

typedef struct stencil_job {
  projective_layers *l;
  const stencil_ref *refs;
  const int32_t *order;
} stencil_job;

static void make_meetings(void *context, size_t begin, size_t end) {
  const stencil_job *job = context;
  for (size_t i = begin; i < end; i++) {
    projective_stencil c = make_meeting(job->l, &job->refs[job->order[i]]);
    const double normal[3] = {c.cone.normal.x, c.cone.normal.y, c.cone.normal.z};
    layers_gate gate = {.shift = (float)c.shift.x};
    for (int k = 0; k < 3; k++) gate.normal[k] = (float)normal[k];
    for (int k = 0; k < 4; k++) gate.weight[k] = (float)c.weight[k], gate.node[k] = c.node[k];
    job->l->stencils[i] = c;
    job->l->gates[i] = gate;
    job->l->passes[i] = (float)c.passes;
    job->l->place[i] = -1;
  }
}

/* Layer by layer, and within one as they were found. */
static tribo_status sort_meetings(projective_layers *l, const bool *touches_obstacle,
                                  stencil_ref *refs, arena *step, tribo_error *err) {
  stencil_graph g;
  int32_t *order = ARENA_ARRAY(step, int32_t, l->count);
  l->stencils = ARENA_ARRAY(step, projective_stencil, l->count);
  l->gates = ARENA_ARRAY(step, layers_gate, l->count);
  l->passes = ARENA_ARRAY(step, float, l->count);
  l->place = ARENA_ARRAY(step, int32_t, l->count);
  l->near = ARENA_ARRAY(step, bool, l->count);
  l->live = ARENA_ARRAY(step, projective_stencil, l->count);
  l->spare = ARENA_ARRAY(step, projective_stencil, l->count);
  l->live_of = ARENA_ARRAY(step, int32_t, l->count);
  bool whole = order && l->stencils && l->gates && l->passes && l->place && l->near && l->live &&
               l->spare && l->live_of && make_graph(l, refs, step, &g);
  int32_t layers = whole ? find_layers(l, touches_obstacle, refs, &g) : 0;
  int32_t *next = ARENA_ARRAY(step, int32_t, layers + 1);
  if (!whole || !next) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < l->count; i++) next[refs[i].layer + 1]++;
  for (int32_t k = 0; k < layers; k++) next[k + 1] += next[k];
  for (size_t i = 0; i < l->count; i++) order[next[refs[i].layer]++] = (int32_t)i;
  stencil_job job = {l, refs, order};
  tasks_for(&l->finder.tasks, l->count, MAKE_GRAIN, make_meetings, &job);
  return TRIBO_OK;
}

tribo_status projective_layers_detect(projective_layers *l, const vec3 *x, const vec3 *v,
                                      const double *mass, const bool *touches_obstacle, arena *step,
                                      tribo_error *err) {
  l->count = l->live_count = 0;
  l->stencils = NULL;
  if (l->finder.triangle_count == 0) return TRIBO_OK;
  for (int32_t i = 0; i < l->model->node_count; i++)
    l->inverse[i] = l->model->row_of_node[i] < 0 ? 0 : 1 / mass[i];
  layers_finder_look(&l->finder, x, v);
  stencil_ref *refs = list_refs(l, step);
  if (!refs) return status_no_memory(err, "contacts");
  return l->count > 0 ? sort_meetings(l, touches_obstacle, refs, step, err) : TRIBO_OK;
}

/* ---- the local step ---------------------------------------------------------------------------
 */

typedef float quad __attribute__((vector_size(16), may_alias));
typedef int32_t quad_mask __attribute__((vector_size(16)));

/* Notes where a node is driven, and the largest of all. */
static inline void drive(layers_speed *to, vec3 by, quad *most) {
  quad now = {(float)by.x, (float)by.y, (float)by.z, 0};
  quad size = (quad)((quad_mask)now & INT32_MAX);
  quad_mask more = size > *most;
  *most = (quad)(((quad_mask)size & more) | ((quad_mask)*most & ~more));
  *(quad *)to->at = now;
}

static float largest(quad most) {
  float xy = most[0] > most[1] ? most[0] : most[1];
  return xy > most[2] ? xy : most[2];
}

/* How far off floats may be, of weights up to 1, velocities and the shift: far more than they are.
 */
static const float FLOATS_OFF = 1e-5F;

/* Whether what is driven comes together faster than this, by what is known in floats. */
static inline bool may_meet(const projective_layers *l, size_t i, float most) {
  const layers_gate *g = &l->gates[i];
  quad u = {0};
  for (int k = 0; k < 4; k++) u += g->weight[k] * *(const quad *)l->driven[g->node[k]].at;
  quad along = u * *(const quad *)g->normal; /* the shift: times 0 */
  float apart = along[0] + along[1] + along[2] + most;
  return !(apart > FLOATS_OFF * (l->fastest + fabsf(most)));
}

static void look(void *context, size_t begin, size_t end) {
  const projective_layers *l = context;
  for (size_t i = begin; i < end; i++) {
    int32_t at = l->place[i];
    l->near[i] = (at >= 0 && l->live[at].impulse.x > 0) || may_meet(l, i, l->gates[i].shift);
  }
}

/* Lists anew those that matter, in their order. Those that no longer do bear nothing. */
static void look_at_all(projective_layers *l, const vec3 *v, const vec3 *g) {
  quad most = {0};
  for (int32_t n = 0; n < l->model->node_count; n++)
    drive(&l->driven[n], vec3_madd(v[n], l->inverse[n], g[n]), &most);
  l->fastest = largest(most);
  tasks_for(&l->finder.tasks, l->count, LOOK_GRAIN, look, l);
  projective_stencil *list = l->spare;
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) {
    int32_t at = l->place[i];
    l->place[i] = l->near[i] ? (int32_t)count : -1;
    if (!l->near[i]) continue;
    list[count] = at >= 0 ? l->live[at] : l->stencils[i];
    l->live_of[count++] = (int32_t)i;
  }
  l->spare = l->live;
  l->live = list;
  l->live_count = count;
}

void projective_layers_resume(const projective_layers *l, vec3 *g) {
  for (size_t i = 0; i < l->live_count; i++) projective_stencil_resume(&l->live[i], g);
}

void projective_layers_update(projective_layers *l, int round, const vec3 *v, vec3 *g) {
  if (l->count == 0) return;
  for (int k = 0; k < (round == 0 ? FIRST_SWEEPS : 1); k++) {
    if (round == 0 ? k < 2 : round % LOOK_EVERY == 0) look_at_all(l, v, g);
    for (size_t i = 0; i < l->live_count; i++) projective_stencil_update(&l->live[i], v, g);
  }
}

void projective_layers_separate(projective_layers *l, vec3 *v) {
  for (size_t i = 0; i < l->live_count; i++)
    l->stencils[l->live_of[i]].impulse = l->live[i].impulse;
  bool still = l->count > 0;
  quad most = {0};
  for (int32_t n = 0; still && n < l->model->node_count; n++) drive(&l->driven[n], v[n], &most);
  l->fastest = largest(most);
  for (int k = 0; k < LAST_SWEEPS && still; k++) {
    still = false;
    for (size_t i = 0; i < l->count; i++) {
      projective_stencil *m = &l->stencils[i];
      if (!may_meet(l, i, l->passes[i])) continue;
      still |= projective_stencil_separate(m, v);
      for (int c = 0; c < 4; c++) drive(&l->driven[m->node[c]], v[m->node[c]], &most);
      l->fastest = largest(most);
    }
  }
}
