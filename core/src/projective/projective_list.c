/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_list.h"

#include <math.h>

size_t projective_list_count(const projective *p) { return p->edges.count + p->layers.count; }

/* The node with the largest share of a side: 1 the own, whose weights are positive, -1 the other.
 */
static int32_t chief(const projective_stencil *c, int side) {
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (side * c->weight[k] > side * c->weight[best]) best = k;
  return c->node[best];
}

static vec3 own_point(const projective_stencil *c, const vec3 *x) {
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < 4; k++)
    if (c->weight[k] > 0) sum = vec3_madd(sum, c->weight[k], x[c->node[k]]);
  return sum;
}

/* Along the normal with which the step was solved. */
static double layers_gap(const projective *p, const projective_stencil *c, const vec3 *x) {
  vec3 apart = {0, 0, 0};
  for (int k = 0; k < 4; k++) apart = vec3_madd(apart, c->weight[k], x[c->node[k]]);
  return vec3_dot(c->cone.normal, apart) -
         layers_thickness(&p->layers.finder, chief(c, 1), chief(c, -1));
}

size_t projective_list_record(const projective *p, const vec3 *x, size_t i, contact_record *out) {
  const model *m = p->model;
  bool edge = i < p->edges.count;
  const projective_stencil *c =
      edge ? &p->edges.stencils[i] : &p->layers.stencils[i - p->edges.count];
  if (!(c->impulse.x > 0)) return 0;
  vec3 u = projective_stencil_velocity(c, p->v);
  int32_t node = chief(c, 1);
  *out = (contact_record){.impulse = c->impulse, .cone = &c->cone};
  double thickness;
  if (edge) {
    out->body = m->probes[p->edges.by[i]].body;
    out->surface = model_surface_name(m, p->edges.with[i]);
    out->gap = p->options.h * u.x;
    thickness = p->edges.keeps[i];
  } else {
    const layers_finder *f = &p->layers.finder;
    int32_t other = chief(c, -1);
    out->body = f->body[node];
    out->surface = m->bodies[f->body[other]].name;
    out->gap = layers_gap(p, c, x);
    thickness = layers_thickness(f, node, other);
  }
  out->vertex = node - m->bodies[out->body].first_node;
  out->slip = vec3_add(vec3_scale(u.y, c->cone.t), vec3_scale(u.z, c->cone.b));
  out->point = vec3_madd(own_point(c, x), -(out->gap + thickness), c->cone.normal);
  return 1;
}

void projective_list_layers(const projective *p, const vec3 *x, int *count, double *depth) {
  *count = 0;
  *depth = 0;
  for (size_t i = 0; i < p->layers.count; i++) {
    const projective_stencil *c = &p->layers.stencils[i];
    *count += c->impulse.x > 0;
    *depth = fmax(*depth, -layers_gap(p, c, x));
  }
}
