/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * set: the contacts of one step, linearised. What every contact and friction solver reads.
 *
 * Contact i has entries start[i] to start[i+1]-1, one a node that it hangs on, of both sides:
 *
 *   gap(x)  ~ gap_i + sum by_node . (x[node] - at[node])          non-penetration, (23)
 *   slip(v) = sum carry v[node] - drift_i                         velocity of the probe against
 * the surface at the contact, in the world
 *   spin(v) = sum turn . v[node] - spin_i                         how fast the probe's body turns
 * against the surface's about the normal, rad/s; cloth and solids have no turning of their own
 *
 * Nodes of a contact are ascending, each once; hard-pinned ones are among them, and external
 * colliders have none: their motion is in gap and drift. The contacts are sorted by key.
 */
#ifndef CONTACT_SET_H
#define CONTACT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/mat3.h"
#include "surface/moment.h"

/* What artists painted on the two sides (model/paint.h), at the contact. A structure is a unit
 * vector across the normal, of either sign; zero: none. Friction is a multiplier; 1: unpainted. */
typedef struct contact_paint {
  vec3 probe_structure, surface_structure;
  double probe_friction, surface_friction;
} contact_paint;

typedef struct contact_point {
  uint64_t key; /* probe and surface: the same contact in the next step has the same */
  vec3 point;   /* the foot of the probe's point, on the mesh's surface */
  vec3 normal;  /* unit, from the surface to the probe */
  double gap;   /* metres, thickness taken off; `allowed` counts as outside */
  double
      allowed; /* metres: how deep it may stay in this step (contact/narrow_phase.h); 0 as a rule */
  vec3 surface_velocity;  /* velocity of an external surface at the contact */
  double spin;            /* its angular velocity about the normal; 0 where it deforms */
  int32_t probe, surface; /* numbers in model.probes and model.surfaces */
  int32_t number;         /* of the point among those probes, or of the segment behind them */
  bool corner;            /* not a point of the probes, but a corner of the surface's collider */
  int32_t vertex;         /* of the probes' body, that stands for the place */
  double part;            /* of a segment: the place on it, 0 to 1 */
  int32_t side;           /* as in surface_hit */
  contact_paint paint;
} contact_point;

typedef struct contact_set {
  size_t count;
  const contact_point *contacts;
  const size_t *start;
  const int32_t *node;
  const vec3 *by_node;
  const mat3 *carry;
  const vec3 *turn;
  const vec3 *at; /* all nodes, where the contacts were linearised */
} contact_set;

/* The gap of contact i with the nodes at x, by the linear model. */
static inline double contact_set_gap(const contact_set *set, size_t i, const vec3 *x) {
  double gap = set->contacts[i].gap;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    gap += vec3_dot(set->by_node[e], vec3_sub(x[set->node[e]], set->at[set->node[e]]));
  return gap;
}

#endif
