/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/projective_contact.h"

static vec3 to_frame(const friction_cone *c, vec3 v) {
  return vec3_make(vec3_dot(c->normal, v), vec3_dot(c->t, v), vec3_dot(c->b, v));
}

static vec3 to_world(const friction_cone *c, vec3 r) {
  return vec3_madd(vec3_madd(vec3_scale(r.x, c->normal), r.y, c->t), r.z, c->b);
}

vec3 projective_contact_velocity(const projective_contact *c, vec3 v) {
  return vec3_add(to_frame(&c->cone, v), c->shift);
}

/* Within a disc the nearest point needs no equation to be solved. */
static vec3 bear(const friction_cone *c, vec3 d, double mass) {
  if (d.x >= 0) return vec3_make(0, 0, 0);
  if (c->mu_t != c->mu_b) return vec3_scale(-1, cone_residual(c, vec3_make(0, 0, 0), d, mass));
  vec3 r = vec3_scale(-mass, d);
  double slip = sqrt(r.y * r.y + r.z * r.z), most = c->mu_t * r.x;
  if (slip <= most) return r;
  return vec3_make(r.x, r.y * (most / slip), r.z * (most / slip));
}

void projective_contact_update(projective_contact *c, vec3 v, vec3 *g) {
  vec3 d = projective_contact_velocity(c, vec3_madd(v, 1 / c->mass, *g));
  c->impulse = bear(&c->cone, d, c->mass);
  *g = vec3_add(*g, to_world(&c->cone, c->impulse));
}
