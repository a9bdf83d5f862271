/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gather: what is felt becomes contacts: the rows of a contact set (set.h) by node of both sides,
 * the place where forces act, what moves there, and what is painted.
 *
 * What a collider's corner feels of a rigid body (probes.h) is a contact of the body with the
 * collider like any other: the body is the side that feels, the normal leads from the corner to it.
 */
#ifndef CONTACT_GATHER_H
#define CONTACT_GATHER_H

#include "contact/broad_phase.h"
#include "contact/probes.h"
#include "contact/set.h"
#include "model/kinematics.h"

/* One place that is felt. */
typedef struct gather_place {
  contact_pair pair; /* a body's probes and a surface, numbers in the model */
  const probes *probes;
  const surface *surface; /* of the pair; for a collider's corner, of the body */
  size_t i;               /* point or segment of the probes, */
  double part;            /* and there so much of the way */
  surface_hit hit;
} gather_place;

/* Grows in the arena: nothing is given back before the next set. */
typedef struct gathering {
  const model *model;
  const contact_moment *moment;
  mls_transport transport;
  bool painted; /* some object is */
  arena *memory;
  contact_point *contacts;
  gather_place *places; /* of the contacts, where something is painted */
  size_t *start;
  size_t count, capacity;
  int32_t *node;
  vec3 *by_node;
  mat3 *carry;
  vec3 *turn;
  size_t entries, entry_capacity;
  kinematic_row row; /* of the probe at work */
} gathering;

tribo_status gather_begin(gathering *g, tribo_error *err);

/* Contacts come ascending by key. */
tribo_status gather_add(gathering *g, const gather_place *at, tribo_error *err);

/* What is painted there, and the set. */
tribo_status gather_end(gathering *g, const tasks *t, contact_set *out, tribo_error *err);

#endif
