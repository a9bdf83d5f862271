/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/projective_layers.h"

#include <math.h>

/* The part of a gap that is too small that a step opens again: what was squeezed together shall not
 * jump apart. */
static const double RECOVERY = 0.2;

/* Rounds through all meetings: in the first iteration, where nothing is known of what they bear,
 * and at the end. */
enum { FIRST_SWEEPS = 6, LAST_SWEEPS = 20 };

tribo_status projective_layers_create(const model *m, const pairs *mu, double h, const tasks *t,
                                      arena *memory, projective_layers *out, tribo_error *err) {
  *out = (projective_layers){.model = m, .pairs = mu, .h = h};
  return layers_finder_create(m, h, t, memory, &out->finder, err);
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static projective_meeting make_meeting(const projective_layers *l, const int32_t *own, int nodes,
                                       const layers_find *f, const double *mass) {
  const model *m = l->model;
  const layers_finder *finder = &l->finder;
  const int32_t *body = finder->body;
  const int32_t *other =
      nodes == 1 ? finder->triangles + 3 * f->other : finder->edges + 2 * f->other;
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
  double gap = sqrt(f->distance2) - layers_thickness(finder, own[0], other[0]);
  c.shift.x = (gap > 0 ? gap : RECOVERY * gap) / l->h;
  const friction_law *law =
      pairs_law(l->pairs, m->bodies[body[own[0]]].object, m->bodies[body[other[0]]].object);
  vec3 none = {0, 0, 0};
  c.cone = law_cone(law, f->normal, none, none, 0);
  return c;
}

static tribo_status list_meetings(projective_layers *l, const double *mass, arena *step,
                                  tribo_error *err) {
  const layers_finder *by = &l->finder;
  size_t askers = by->vertex_count + by->edge_count, total = 0;
  for (size_t i = 0; i < askers; i++) total += (size_t)by->found_count[i];
  l->meetings = ARENA_ARRAY(step, projective_meeting, total);
  if (!l->meetings) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < askers; i++) {
    bool vertex = i < by->vertex_count;
    const int32_t *own = vertex ? by->vertices + i : by->edges + 2 * (i - by->vertex_count);
    for (int32_t k = 0; k < by->found_count[i]; k++) {
      const layers_find *f = &by->found[LAYERS_MOST * i + (size_t)k];
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
  if (l->finder.triangle_count == 0) return TRIBO_OK;
  layers_finder_look(&l->finder, x, v);
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
