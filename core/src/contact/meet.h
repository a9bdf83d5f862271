/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * meet: which feelers meet which surfaces, and which of them are near enough to be looked at.
 *
 * Whether a pair may touch is decided by objects and roles (find.h says how) and asked for as
 * needed: a list of all pairs would grow with the square of the number of bodies. What touches a
 * collider, or a smooth surface, which may lie outside of its mesh, is always looked at. Of the
 * others a sweep along one axis over balls around the bodies finds those whose balls meet.
 */
#ifndef CONTACT_MEET_H
#define CONTACT_MEET_H

#include "base/arena.h"
#include "model/model.h"

typedef struct contact_pair {
  int32_t feelers, surface; /* numbers in the model */
} contact_pair;

/* Whose surfaces are touched. */
typedef enum meet_whom { MEET_ALL, MEET_COLLIDERS } meet_whom;

typedef struct meet {
  const model *model;
  meet_whom whom;
  const int32_t *surface_of, *feelers_of; /* by object of the scene; -1: it has none */
  const contact_pair *always;             /* ascending */
  size_t always_count;
  size_t count;           /* of all pairs that may ever touch */
  const int32_t *touched; /* by surface: whether anybody may */
} meet;

tribo_status meet_create(const model *m, meet_whom whom, arena *memory, meet *out,
                         tribo_error *err);

/* Whether these feelers are taken for that surface. */
bool meet_allowed(const meet *m, size_t feelers, size_t surface);

/* Whether a rigid body's surface is where its mesh is, as other rigid bodies meet it. */
bool meet_exact_rigid(const model *m, const model_surface *s);

/* A ball around a body and all that it may reach. */
typedef struct meet_ball {
  vec3 centre;
  double radius;
} meet_ball;

/* The pairs to look at, ascending by feelers, then by surface. balls: of each body of the model. */
tribo_status meet_near(const meet *m, const meet_ball *balls, arena *memory, contact_pair **out,
                       size_t *count, tribo_error *err);

#endif
