/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * record: a contact of the last step as everybody outside of a solver is told of it: reports,
 * contacts.jsonl, overlays, the judgement of depths. A field means the same in every method.
 *
 * A contact of several vertices stands under the vertex of its own side that has the largest share.
 */
#ifndef CONTACT_RECORD_H
#define CONTACT_RECORD_H

#include "contact/find.h"
#include "friction/cone.h"

typedef struct contact_record {
  int32_t body;              /* number in the model, of the own side */
  int32_t vertex;            /* of that body; -1: its centre */
  const char *surface;       /* name of the object on the other side */
  vec3 point;                /* on that surface, m */
  double gap;                /* m, thickness taken off; `allowed` counts as outside */
  double allowed;            /* m that it may be inside: it started there, and is let out */
  const friction_cone *cone; /* frame and coefficients; the solver's, until the next step */
  vec3 impulse;              /* (N, t, b) on the own side, N s */
  double torque;             /* of drilling, about the normal, N m */
  vec3 slip;                 /* velocity of the own side against the other, in the plane, m/s */
} contact_record;

/* Contacts between points and surfaces, solved as a contact set: arrays are the set's. */
typedef struct contact_solved {
  const contact_finder *finder;
  const contact_set *set;
  const friction_cone *cones;
  const vec3 *impulses;   /* (N, t, b), N s */
  const double *torques;  /* N m; NULL: none drills */
  const vec3 *velocities; /* of all nodes at the end, m/s */
} contact_solved;

/* Velocity of contact i's own side against the other, in the plane, m/s. */
vec3 contact_slip(const contact_set *set, size_t i, vec3 normal, const vec3 *velocities);

/* One record a contact of the set. end: where nodes and vertices are at the end of the step; x: the
 * nodes by which the set is linear. Returns their number. */
size_t contact_records(const contact_solved *solved, const contact_moment *end, const vec3 *x,
                       contact_record *out);

#endif
