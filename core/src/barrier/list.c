/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/list.h"

#include "barrier/friction.h"

/* The vertex with the largest share of a contact's side, `first` to before `end`. */
static int largest(const barrier_contact *c, int first, int end) {
  int best = first;
  for (int i = first; i < end; i++)
    if (fabs(c->weight[i]) > fabs(c->weight[best])) best = i;
  return best;
}

/* The closest point of a side. */
static vec3 foot_of(const barrier *b, const barrier_contact *c, int first, int end) {
  vec3 origin = b->places[c->vertex[first]], sum = origin;
  double sign = first == 0 ? 1 : -1;
  for (int i = first; i < end; i++)
    sum = vec3_madd(sum, sign * c->weight[i], vec3_sub(b->places[c->vertex[i]], origin));
  return sum;
}

static friction_cone frictionless(vec3 normal) {
  vec3 t = cone_tangent(normal);
  return (friction_cone){.normal = normal, .t = t, .b = vec3_cross(normal, t)};
}

static barrier_listed listed_of(const barrier *b, const barrier_contact *c) {
  const surface_mesh *m = &b->mesh;
  int split = c->key >> 63 ? 2 : 1;
  bool first = c->vertex[0] < m->body_vertices;
  int at = first ? largest(c, 0, split) : largest(c, split, 4);
  int32_t vertex = c->vertex[at], other = c->vertex[first ? split : 0];
  const surface_part *part = &m->parts[m->part[vertex]];
  barrier_listed l = {.body = part->body,
                      .vertex = m->own[vertex],
                      .surface = m->parts[m->part[other]].name,
                      .point = first ? foot_of(b, c, split, 4) : foot_of(b, c, 0, split),
                      .gap = c->gap,
                      .impulse = {b->h * c->force, 0, 0},
                      .cone = frictionless(c->normal)};
  const barrier_rub *r = friction_of(b, c->key);
  if (r) {
    double u[2];
    barrier_rub_slip(r, b->places, b->start, u);
    l.cone = r->cone;
    l.impulse.y = -b->h * r->f[0];
    l.impulse.z = -b->h * r->f[1];
    l.slip = vec3_scale(1 / b->h, barrier_rub_force(r, u));
  }
  if (first) return l;
  /* Seen from the second side: the frame turns about t. */
  l.cone.normal = vec3_scale(-1, l.cone.normal);
  l.cone.b = vec3_scale(-1, l.cone.b);
  l.impulse.y = -l.impulse.y;
  l.slip = vec3_scale(-1, l.slip);
  return l;
}

tribo_status barrier_list(const barrier *b, barrier_listing *out, tribo_error *err) {
  out->count = 0;
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    if (c->force > 0 && !ARRAY_PUSH(*out, listed_of(b, c)))
      return status_no_memory(err, "contacts");
  }
  return TRIBO_OK;
}
