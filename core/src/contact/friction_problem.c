/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction_problem.h"

#include <string.h>

mat3 friction_rows(const friction_problem *p, size_t i, size_t e) {
  const mat3 *carry = &p->set->carry[e];
  vec3 n = p->set->by_node[e];
  vec3 t = mat3_tmul_vec3(carry, p->cones[i].t), b = mat3_tmul_vec3(carry, p->cones[i].b);
  return (mat3){{{n.x, n.y, n.z}, {t.x, t.y, t.z}, {b.x, b.y, b.z}}};
}

void friction_respond(const friction_problem *p, const vec3 *impulse, vec3 *change) {
  const contact_set *set = p->set;
  memset(change, 0, p->node_count * sizeof *change);
  for (size_t i = 0; i < set->count; i++) {
    vec3 added = vec3_sub(impulse[i], p->given[i]);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t node = set->node[e];
      mat3 rows = friction_rows(p, i, e);
      vec3 push = mat3_tmul_vec3(&rows, added);
      change[node] = vec3_add(change[node], mat3_mul_vec3(&p->inverse_mass[node], push));
    }
  }
}

bool friction_drills(const friction_problem *p, size_t i) {
  const contact_set *set = p->set;
  if (!(p->cones[i].mu_drill > 0)) return false;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    if (vec3_norm2(set->turn[e]) > 0) return true;
  return false;
}

double friction_spin(const friction_problem *p, size_t i) {
  const contact_set *set = p->set;
  double spin = -set->contacts[i].spin;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    spin += vec3_dot(set->turn[e], p->velocity[set->node[e]]);
  return spin;
}

void friction_respond_drill(const friction_problem *p, const double *torque, vec3 *change) {
  const contact_set *set = p->set;
  for (size_t i = 0; i < set->count; i++) {
    if (torque[i] == 0) continue;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t node = set->node[e];
      vec3 push = vec3_scale(torque[i], set->turn[e]);
      change[node] = vec3_add(change[node], mat3_mul_vec3(&p->inverse_mass[node], push));
    }
  }
}
