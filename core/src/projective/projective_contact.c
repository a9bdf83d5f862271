/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_contact.h"

static void give(const projective_stencil *m, vec3 impulse, vec3 *g) {
  for (int k = 0; k < 4; k++) g[m->node[k]] = vec3_madd(g[m->node[k]], m->weight[k], impulse);
}

void projective_stencil_resume(const projective_stencil *m, vec3 *g) {
  if (m->impulse.x > 0) give(m, projective_to_world(&m->cone, m->impulse), g);
}

vec3 projective_stencil_velocity(const projective_stencil *m, const vec3 *v) {
  vec3 u = {0, 0, 0};
  for (int k = 0; k < 4; k++) u = vec3_madd(u, m->weight[k], v[m->node[k]]);
  return vec3_add(projective_to_frame(&m->cone, u), m->shift);
}

void projective_stencil_update(projective_stencil *m, const vec3 *v, vec3 *g) {
  vec3 u = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    int32_t i = m->node[k];
    u = vec3_madd(u, m->weight[k], vec3_madd(v[i], m->inverse[k], g[i]));
  }
  give(m, projective_stencil_revise(m, u), g);
}

bool projective_stencil_separate(projective_stencil *m, vec3 *v) {
  double u = m->passes;
  for (int k = 0; k < 4; k++) u += m->weight[k] * vec3_dot(m->cone.normal, v[m->node[k]]);
  if (u >= 0) return false;
  double r = -m->mass * u;
  m->impulse.x += r;
  for (int k = 0; k < 4; k++) {
    vec3 *of = &v[m->node[k]];
    *of = vec3_madd(*of, m->weight[k] * m->inverse[k] * r, m->cone.normal);
  }
  return true;
}
