/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/layers_cones.h"

#include <math.h>

#include "contact/cloth_paint.h"
#include "contact/set_cones.h"

enum { GRAIN = 256 };

static bool weakens(const model *m, const pairs *mu) {
  for (size_t a = 0; a < m->body_count; a++)
    for (size_t b = 0; b <= a; b++) {
      const friction_law *law = pairs_law(mu, m->bodies[a].object, m->bodies[b].object);
      if (law->mu_dynamic < law->mu) return true;
    }
  return false;
}

tribo_status layers_cones_create(const model *m, const pairs *mu, const int32_t *body, double still,
                                 const tasks *t, arena *memory, layers_cones *out,
                                 tribo_error *err) {
  *out = (layers_cones){.model = m, .pairs = mu, .body = body, .still = still, .tasks = *t};
  out->cloth = ARENA_ARRAY(memory, const model_probes *, m->body_count);
  if (!out->cloth) return status_no_memory(err, "layers of cloth");
  out->plain = !weakens(m, mu);
  for (size_t i = 0; i < m->probe_count; i++) {
    const model_probes *f = &m->probes[i];
    out->cloth[f->body] = f;
    if (paint_any(&m->paints[f->object])) out->plain = false;
  }
  return TRIBO_OK;
}

typedef struct cone_job {
  const layers_cones *l;
  const vec3 *x, *v;
  projective_stencil *stencils;
} cone_job;

static double slip_speed(const cone_job *job, const projective_stencil *c) {
  vec3 u = {0, 0, 0}, n = c->cone.normal;
  for (int k = 0; k < 4; k++) u = vec3_madd(u, c->weight[k], job->v[c->node[k]]);
  double speed = vec3_norm(vec3_madd(u, -vec3_dot(u, n), n));
  return speed > job->l->still ? speed : 0;
}

/* A vertex has the weight 1, and the other three are those of a triangle; else there are two edges.
 */
static void set_cone_of(const cone_job *job, projective_stencil *c) {
  const layers_cones *l = job->l;
  int own = c->weight[0] == 1 ? 1 : 2, others = 4 - own;
  const model_probes *above = l->cloth[l->body[c->node[0]]];
  const model_probes *below = l->cloth[l->body[c->node[own]]];
  double weight[3] = {0};
  for (int k = 0; k < others; k++) weight[k] = -c->weight[own + k];
  vec3 n = c->cone.normal;
  paint_value a = cloth_paint(l->model, above, c->node, c->weight, own, job->x, n);
  paint_value b = cloth_paint(l->model, below, c->node + own, weight, others, job->x, n);
  const friction_law *law = pairs_law(l->pairs, above->object, below->object);
  contact_paint with = {a.structure, b.structure, a.friction, b.friction};
  c->cone = painted_cone(law, n, &with, slip_speed(job, c));
}

static void set_cones_of(void *context, size_t begin, size_t end) {
  const cone_job *job = context;
  for (size_t i = begin; i < end; i++) set_cone_of(job, &job->stencils[i]);
}

void layers_cones_set(const layers_cones *l, const vec3 *x, const vec3 *v, size_t count,
                      projective_stencil *stencils) {
  if (l->plain) return;
  cone_job job = {l, x, v, stencils};
  tasks_for(&l->tasks, count, GRAIN, set_cones_of, &job);
}
