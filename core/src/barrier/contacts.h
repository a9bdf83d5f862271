/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contacts: what is within its band, and the barrier energy of it.
 *
 *   B = sum_i n_i m_i k b^2 beta(g/b),   beta(s) = -(s - 1)^2 ln s  for 0 < s < 1, 0 above
 *
 * in joules, with thickness, band b and stiffness k of barrier/scale.h: the log barrier of "Li et
 * al. 2020, Incremental potential contact" on the gap. n is a count, 1 for two edges; m fades, 1
 * for a vertex and a surface. For two edges m is the mollifier (proximity/stencil.h) times a window
 * of each closest point on its edge: 0 at the ends, smoothly 1 from a fifth of the edge on. What is
 * near an end is near a vertex, and that has the faces beside the other edge for its contact: with
 * windows no contact of a vertex counts again for each of its edges.
 *
 * Counts. A vertex near a mesh is near several of its triangles, and near an edge all of its
 * triangles have the same closest point. The barrier of a vertex against a part is
 *
 *   sum_faces B(d_f) - sum_edges (n_e - 1) B(d_e) + sum_points (1 - n_p + sum_{e at p} (n_e - 1))
 * B(d_p)
 *
 * over the faces in reach that do not have the vertex, their edges with n_e and corners with n_p of
 * these faces: over a flat, and at every corner that bulges, each point counts once, however it is
 * cut into triangles (inclusion and exclusion, as in Li et al. 2023, "Convergent incremental
 * potential contact"). Every term is continuous, so is the sum. Counts may be negative where a
 * surface is hollow. Of a rod the faces are its segments: sum_segments B(d_s) - sum_points (n_p -
 * 1) B(d_p).
 */
#ifndef BARRIER_CONTACTS_H
#define BARRIER_CONTACTS_H

#include "barrier/scale.h"
#include "base/array.h"
#include "proximity/stencil.h"

typedef struct barrier_contact {
  uint64_t key;      /* the same for the same two features at any time */
  int32_t vertex[4]; /* of the mesh */
  double weight[4];  /* slip and gap hang on sum weight x; 0: no part in it */
  vec3 normal;       /* unit, from the second to the first */
  double gap, energy;
  double force; /* -dB/dg, N */
  double curve; /* d2B/dg2, N/m; at least 0 */
  double count; /* n */
  barrier_constants of;
  int32_t other;    /* part of the second */
  int32_t triangle; /* of a vertex: one that has the closest point */
  bool fades;       /* the mollifier is below 1 */
  vec3 fade[4];     /* what it adds to the gradient, N */
  bool glides;      /* of a vertex and a smooth surface (barrier/glide.h): */
  mat3 bend;        /* second derivative of the gap by the vertex, by the length of the first */
} barrier_contact;

typedef ARRAY(barrier_contact) barrier_contact_list;

/* The second derivatives of a contact's energy by its vertices at x, 12 x 12, row-major: exact, but
 * for those of the closest points' parameters within a window. */
void barrier_contact_hessian(const barrier_contact *c, const surface_mesh *m, const vec3 *x,
                             double h[144]);

/* Contacts: candidates with a gap below their band, vertices at x; in an order that is always the
 * same. *blocked: some gap is not above 0, where the energy is infinite. */
tribo_status barrier_contacts_find(const barrier_scale *s, const candidates *near, const vec3 *x,
                                   barrier_contact_list *out, bool *blocked, tribo_error *err);

/* The start of a step at x: what begins closer to a smooth surface than it should keeps that. */
void barrier_contacts_start(const barrier_scale *s, const vec3 *x);

/* The sum of all energies, J; infinite where something is blocked. */
tribo_status barrier_contacts_energy(const barrier_scale *s, const candidates *near, const vec3 *x,
                                     barrier_contact_list *scratch, double *out, tribo_error *err);

/* d gap / d vertex k of a contact is weight[k] normal; its gradient: -force of that, and fade. */
static inline vec3 barrier_contact_gradient(const barrier_contact *c, int k) {
  vec3 g = vec3_scale(-c->force * c->weight[k], c->normal);
  return c->fades ? vec3_add(g, c->fade[k]) : g;
}

#endif
