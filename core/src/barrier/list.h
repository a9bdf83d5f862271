/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * list: what touched in the last step of the method barrier, for those who look on. A contact
 * stands at the vertex of a body that has the largest share of it.
 */
#ifndef BARRIER_LIST_H
#define BARRIER_LIST_H

#include "barrier/barrier.h"

typedef struct barrier_listed {
  int32_t body, vertex; /* the body's own */
  const char *surface;  /* the object that it touches */
  vec3 point;           /* on the other side, m */
  vec3 slip;            /* m/s, in the world */
  double gap;           /* m, thickness taken off */
  vec3 impulse;         /* on the vertex, (N, t, b), N s */
  friction_cone cone;
} barrier_listed;

typedef ARRAY(barrier_listed) barrier_listing;

/* Contacts that bear a force, as barrier_solve left them. */
tribo_status barrier_list(const barrier *b, barrier_listing *out, tribo_error *err);

#endif
