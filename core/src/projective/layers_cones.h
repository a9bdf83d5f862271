/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * layers_cones: friction of cloth with cloth by the whole law of a pair, as of cloth with
 * obstacles: what is painted on both sides, and how fast they slide where the step begins. Two
 * combed cloths have the ellipse of both of their directions.
 */
#ifndef PROJECTIVE_LAYERS_CONES_H
#define PROJECTIVE_LAYERS_CONES_H

#include "base/tasks.h"
#include "friction/pairs.h"
#include "model/model.h"
#include "projective/projective_contact.h"

typedef struct layers_cones {
  const model *model;
  const pairs *pairs;
  const int32_t *body; /* of nodes */
  double still;        /* m/s: what slides no faster than this sticks */
  tasks tasks;
  const model_probes **cloth; /* of bodies; NULL: it has none */
  bool plain;                 /* nothing is painted, and no law weakens: there is nothing to do */
} layers_cones;

tribo_status layers_cones_create(const model *m, const pairs *mu, const int32_t *body, double still,
                                 const tasks *t, arena *memory, layers_cones *out,
                                 tribo_error *err);

/* Meetings of cloth with cloth, their own nodes first, that have the plain cone of their pair. x,
 * v: of all nodes at the start of the step. */
void layers_cones_set(const layers_cones *l, const vec3 *x, const vec3 *v, size_t count,
                      projective_stencil *stencils);

#endif
