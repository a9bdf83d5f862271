/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * set_cones: the friction cones of a contact set, from the laws of its pairs, what is painted on
 * both sides and how fast things slide where the step begins.
 */
#ifndef CONTACT_SET_CONES_H
#define CONTACT_SET_CONES_H

#include "contact/set.h"
#include "friction/cone.h"
#include "friction/pairs.h"
#include "model/model.h"

typedef struct set_cones {
  const model *model;
  const pairs *pairs;
  const contact_set *set;
  const vec3 *velocities; /* of nodes, at the start of the step */
  double still;           /* m/s: what slides no faster than this sticks */
} set_cones;

friction_cone set_cone(const set_cones *from, size_t contact);

/* The cone of any contact under a law, between two sides with what is painted on them, that slides
 * at this speed. */
friction_cone painted_cone(const friction_law *law, vec3 normal, const contact_paint *with,
                           double speed);

#endif
