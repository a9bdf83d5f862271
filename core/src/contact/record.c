/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/record.h"

vec3 contact_slip(const contact_set *set, size_t i, vec3 normal, const vec3 *velocities) {
  vec3 slip = vec3_scale(-1, set->contacts[i].surface_velocity);
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    slip = vec3_add(slip, mat3_mul_vec3(&set->carry[e], velocities[set->node[e]]));
  return vec3_sub(slip, vec3_scale(vec3_dot(slip, normal), normal));
}

/* Below the point of the own side, where the step has brought that: point - (gap + thickness) n. */
static vec3 foot_at_end(const contact_finder *finder, const contact_moment *end,
                        const contact_point *c, double gap) {
  if (c->corner) return c->point;
  const probes *with = contact_probes(finder, c);
  size_t i = (size_t)c->number;
  vec3 point = probes_place(with, finder->model, end, i, c->part);
  double thickness = finder->model->surfaces[c->surface].params.thickness +
                     probes_thickness(with, finder->model, end, i, c->normal);
  return vec3_madd(point, -(gap + thickness), c->normal);
}

size_t contact_records(const contact_solved *solved, const contact_moment *end, const vec3 *x,
                       contact_record *out) {
  const contact_set *set = solved->set;
  const contact_finder *finder = solved->finder;
  for (size_t i = 0; i < set->count; i++) {
    const contact_point *c = &set->contacts[i];
    double gap = contact_set_gap(set, i, x);
    out[i] =
        (contact_record){.body = finder->model->probes[c->probe].body,
                         .vertex = c->vertex,
                         .surface = model_surface_name(finder->model, c->surface),
                         .point = foot_at_end(finder, end, c, gap),
                         .gap = gap,
                         .allowed = c->allowed,
                         .cone = &solved->cones[i],
                         .impulse = solved->impulses[i],
                         .torque = solved->torques ? solved->torques[i] : 0,
                         .slip = contact_slip(set, i, solved->cones[i].normal, solved->velocities)};
  }
  return set->count;
}
