/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rod_hold: what a hard pin holds of a rod: its points, and with both points of a segment also its
 * director, so that a clamped end keeps its direction and does not turn about it.
 *
 * Where a director goes. Where the points of the pin move as one rigid thing, and do not lie in a
 * line, it turns with them: hair on a head, an end that is bent like a crank. Else it goes from
 * sample to sample by the shortest turn of its segment: no twist, whatever the way.
 */
#ifndef MODEL_ROD_HOLD_H
#define MODEL_ROD_HOLD_H

#include "model/model.h"

typedef struct rod_hold {
  int32_t *nodes; /* of the model: the pin's points, then directors */
  size_t count, point_count;
  int32_t (*ends)[2]; /* of each director: the places of its segment's points among the pin's */
  const vec3 *rest;   /* of each of the nodes */
} rod_hold;

/* Of a hard pin on a rod. samples: where its nodes go, one a node and sample of the pin's targets;
 * one sample, at rest, where it has none. */
tribo_status rod_hold_make(const tribo_object_def *object, const tribo_pin_def *pin,
                           const model_body *body, const vec3 *rest, arena *memory, arena *scratch,
                           rod_hold *out, vec3 **samples, tribo_error *err);

/* Where the nodes go for one sample of the pin's targets, 3 a point. before: where they were in the
 * sample before; those at rest, for the first. */
void rod_hold_aim(const rod_hold *hold, const double *targets, const vec3 *before, vec3 *out);

/* d, turned as the shortest way turns the unit vector `from` to `to`; d where they are opposite. */
vec3 rod_hold_carried(vec3 from, vec3 to, vec3 d);

#endif
