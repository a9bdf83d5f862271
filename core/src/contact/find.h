/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * find: from where everything is to the contact set of a step.
 *
 * Which pairs meet: the probes of a body meet the surfaces of all other objects, as far as roles
 * allow. A collider is always the surface. Of two simulated bodies, unless the user says otherwise,
 * the probes are those of the finer mesh: coarse probes would let a fine surface through between
 * them. Two rigid bodies that are touched as they are (mesh, box, capsule) feel each other both
 * ways: a small block on a large one, or the other way round, has its corners over the other's
 * face. Cloth has no surface unless one is asked for. Corners of colliders are felt by the faces of
 * rigid bodies, too.
 *
 * A point of thickness r keeps its distance from the mesh's surface by r; a rigid body whose
 * contact shape is a sphere touches others as one such point, its centre, and rolls without facets.
 */
#ifndef CONTACT_FIND_H
#define CONTACT_FIND_H

#include "contact/broad_phase.h"
#include "contact/first.h"
#include "contact/probes.h"
#include "contact/segments.h"
#include "contact/set.h"
#include "surface/surface.h"

typedef struct contact_finder {
  const model *model;
  tasks tasks;
  mls_transport transport;
  surface *surfaces; /* as in the model; what nobody touches is not built, and has no def */
  surface *exact;    /* the same, of smooth ones that rigid bodies touch: their meshes */
  probes *probes;    /* as in the model */
  probes *bare;      /* the same as vertices, of rigid bodies, for what bends; else no def */
  probes *corners;   /* of colliders that rigid bodies touch, by surface; else no def */
  broad_phase broad_phase;
  surface_hit *hits;      /* scratch: one a probe of the largest body */
  segments_place *places; /* the same of segments */
  first_place *first;     /* the same of both */
  size_t grain;           /* points of a pair that are worth a thread */
  bool painted;           /* some object is */
  arena memory;           /* the finder itself */
  arena sets[2];          /* the last two sets */
  int latest;
} contact_finder;

tribo_status contact_finder_create(const model *m, broad_phase_whom whom, mls_transport transport,
                                   const tasks *t, contact_finder *out, tribo_error *err);
void contact_finder_free(contact_finder *f);

/* All contacts with a gap below their reach: the way the point may still go in the step, as its
 * velocity says (of all vertices, m/s), and `margin` metres. A set is valid until the call after
 * the next. */
tribo_status contact_find(contact_finder *f, const contact_moment *moment, const vec3 *velocities,
                          double margin, contact_set *out, tribo_error *err);

/* The probes of a contact, and the surface that they touch. */
const probes *contact_probes(const contact_finder *f, const contact_point *c);
const surface *contact_surface(const contact_finder *f, const contact_point *c);

/* How deep the probes of a set are at the moment: the worst, 0 when all are outside. */
tribo_status contact_depth(contact_finder *f, const contact_moment *moment, const contact_set *set,
                           arena *scratch, double *worst, tribo_error *err);

#endif
