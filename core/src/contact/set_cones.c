/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/set_cones.h"

/* How fast contact i slides where the step begins; what creeps within rounding sticks. */
static double slip_speed(const set_cones *from, size_t i) {
  const contact_set *set = from->set;
  const contact_point *c = &set->contacts[i];
  vec3 slip = vec3_scale(-1, c->surface_velocity);
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    slip = vec3_add(slip, mat3_mul_vec3(&set->carry[e], from->velocities[set->node[e]]));
  double speed = vec3_norm(vec3_madd(slip, -vec3_dot(slip, c->normal), c->normal));
  return speed > from->still ? speed : 0;
}

friction_cone painted_cone(const friction_law *law, vec3 normal, const contact_paint *with,
                           double speed) {
  friction_cone cone = law_cone(law, normal, with->probe_structure, with->surface_structure, speed);
  double grip = with->probe_friction * with->surface_friction;
  cone.mu_t *= grip;
  cone.mu_b *= grip;
  cone.mu_drill *= grip;
  return cone;
}

friction_cone set_cone(const set_cones *from, size_t i) {
  const model *m = from->model;
  const contact_point *c = &from->set->contacts[i];
  const friction_law *law = pairs_law(from->pairs, (size_t)m->probes[c->probe].object,
                                      (size_t)m->surfaces[c->surface].object);
  double speed = law->mu_dynamic < law->mu ? slip_speed(from, i) : 0;
  return painted_cone(law, c->normal, &c->paint, speed);
}
