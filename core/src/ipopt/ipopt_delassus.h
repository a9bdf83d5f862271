/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_delassus: how velocities at the contacts answer to impulses there.
 *
 *   u = u* + W (r - r0),   W = J M^-1 J^T
 *
 * both in the frames of the contacts, u = (s + dv_N, slip_t, slip_b). W is the paper's M_e^-1, the
 * Delassus operator: a block of 3x3 for every two contacts that share a node that moves.
 */
#ifndef IPOPT_IPOPT_DELASSUS_H
#define IPOPT_IPOPT_DELASSUS_H

#include "contact/friction_problem.h"
#include "math/bcsr.h"

typedef struct delassus {
  const friction_problem *p;
  int32_t count;
  bcsr w;           /* rows and columns (N, t, b) */
  vec3 *free;       /* u* */
  vec3 *impulse;    /* r, the caller's */
  vec3 *velocity;   /* u */
  vec3 *difference; /* r - r0 */
  tasks tasks;
} delassus;

/* Everything but `impulse`, which is the caller's, from `memory`. */
tribo_status delassus_build(const friction_problem *p, vec3 *impulse, arena *memory, delassus *out,
                            tribo_error *err);

/* velocity and difference from impulse. */
void delassus_respond(delassus *d);

/* 1/2 d' W d + d' u*, d = r - r0, after delassus_respond. Both projections lower it, each over its
 * own part of r. */
double delassus_energy(const delassus *d);

static inline const mat3 *delassus_own(const delassus *d, int32_t i) {
  return &d->w.blocks[d->w.pattern->diagonal[i]];
}

#endif
