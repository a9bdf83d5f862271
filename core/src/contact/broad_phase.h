/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * broad_phase: which probes meet which surfaces, and which of them are near enough to be looked at.
 *
 * Whether a pair may touch is decided by objects and roles (find.h says how) and asked for as
 * needed: a list of all pairs would grow with the square of the number of bodies. What touches a
 * collider, or a smooth surface, which may lie outside of its mesh, is always looked at. Of the
 * others a sweep along one axis over balls around the bodies finds those whose balls meet.
 */
#ifndef CONTACT_BROAD_PHASE_H
#define CONTACT_BROAD_PHASE_H

#include "base/arena.h"
#include "model/model.h"

typedef struct contact_pair {
  int32_t probes, surface; /* numbers in the model */
} contact_pair;

/* Whose surfaces are touched. */
typedef enum broad_phase_whom { BROAD_PHASE_ALL, BROAD_PHASE_COLLIDERS } broad_phase_whom;

typedef struct broad_phase {
  const model *model;
  broad_phase_whom whom;
  const int32_t *surface_of, *probes_of; /* by object of the scene; -1: it has none */
  const contact_pair *always;            /* ascending */
  size_t always_count;
  size_t count;           /* of all pairs that may ever touch */
  const int32_t *touched; /* by surface: whether anybody may */
} broad_phase;

tribo_status broad_phase_create(const model *m, broad_phase_whom whom, arena *memory,
                                broad_phase *out, tribo_error *err);

/* Whether these probes are taken for that surface. */
bool broad_phase_allowed(const broad_phase *m, size_t probes, size_t surface);

/* Whether a rigid body's surface is where its mesh is, as other rigid bodies meet it. */
bool broad_phase_exact_rigid(const model *m, const model_surface *s);

/* A ball around a body and all that it may reach. */
typedef struct broad_phase_ball {
  vec3 centre;
  double radius;
} broad_phase_ball;

/* The pairs to look at, ascending by probes, then by surface. balls: of each body of the model. */
tribo_status broad_phase_near(const broad_phase *m, const broad_phase_ball *balls, arena *memory,
                              contact_pair **out, size_t *count, tribo_error *err);

#endif
