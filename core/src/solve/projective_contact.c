/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/projective_contact.h"

static vec3 to_frame(const friction_cone *c, vec3 v) {
  return vec3_make(vec3_dot(c->normal, v), vec3_dot(c->t, v), vec3_dot(c->b, v));
}

static vec3 to_world(const friction_cone *c, vec3 r) {
  return vec3_madd(vec3_madd(vec3_scale(r.x, c->normal), r.y, c->t), r.z, c->b);
}

vec3 projective_contact_world(const projective_contact *c, vec3 r) { return to_world(&c->cone, r); }

vec3 projective_contact_velocity(const projective_contact *c, vec3 v) {
  return vec3_add(to_frame(&c->cone, v), c->shift);
}

/* Within a disc the nearest point needs no equation to be solved. */
vec3 projective_contact_bear(const friction_cone *c, vec3 d, double mass) {
  if (d.x >= 0) return vec3_make(0, 0, 0);
  if (c->mu_t != c->mu_b) return vec3_scale(-1, cone_residual(c, vec3_make(0, 0, 0), d, mass));
  vec3 r = vec3_scale(-mass, d);
  double slip = sqrt(r.y * r.y + r.z * r.z), most = c->mu_t * r.x;
  if (slip <= most) return r;
  return vec3_make(r.x, r.y * (most / slip), r.z * (most / slip));
}

void projective_contact_update(projective_contact *c, vec3 v, vec3 *g) {
  vec3 d = projective_contact_velocity(c, vec3_madd(v, 1 / c->mass, *g));
  c->impulse = projective_contact_bear(&c->cone, d, c->mass);
  *g = vec3_add(*g, to_world(&c->cone, c->impulse));
}

static void give(const projective_meeting *m, vec3 impulse, vec3 *g) {
  for (int k = 0; k < 4; k++) g[m->node[k]] = vec3_madd(g[m->node[k]], m->weight[k], impulse);
}

void projective_meeting_resume(const projective_meeting *m, vec3 *g) {
  if (m->impulse.x > 0) give(m, to_world(&m->cone, m->impulse), g);
}

vec3 projective_meeting_velocity(const projective_meeting *m, const vec3 *v) {
  vec3 u = {0, 0, 0};
  for (int k = 0; k < 4; k++) u = vec3_madd(u, m->weight[k], v[m->node[k]]);
  return vec3_add(to_frame(&m->cone, u), m->shift);
}

/* d without r of the last iteration, which adds r/m to it: sum w_i^2 / M_i = 1/m. */
void projective_meeting_update(projective_meeting *m, const vec3 *v, vec3 *g) {
  vec3 u = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    int32_t i = m->node[k];
    u = vec3_madd(u, m->weight[k], vec3_madd(v[i], m->inverse[k], g[i]));
  }
  vec3 d = vec3_add(to_frame(&m->cone, u), m->shift);
  d = vec3_madd(d, -1 / m->mass, m->impulse);
  vec3 r = projective_contact_bear(&m->cone, d, m->mass), change = vec3_sub(r, m->impulse);
  m->impulse = r;
  if (change.x != 0 || change.y != 0 || change.z != 0) give(m, to_world(&m->cone, change), g);
}

bool projective_meeting_separate(projective_meeting *m, vec3 *v) {
  vec3 u = projective_meeting_velocity(m, v);
  if (u.x >= 0) return false;
  double r = -m->mass * u.x;
  m->impulse.x += r;
  for (int k = 0; k < 4; k++) {
    vec3 *of = &v[m->node[k]];
    *of = vec3_madd(*of, m->weight[k] * m->inverse[k] * r, m->cone.normal);
  }
  return true;
}
