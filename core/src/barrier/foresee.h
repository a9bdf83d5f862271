/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * foresee: what a direction would run into, as part of the direction's own model.
 *
 * A log barrier is felt within its band only, so a Newton direction leads through whatever is
 * further off, and the way that is free may be short; everything then waits for the one contact
 * that comes first. So each vertex and each edge that the full motion would bring through
 * something, at the time t* and with normal n and weights w there, takes part in the model of the
 * direction with a spring
 *
 *   kappa/2 (n . sum w_i (x_i + d_i) - xi - target)^2,   target = half of the band,
 *                                                              or the gap if that is less
 *
 * and the direction is solved for again. The energy has no such springs: they are a way of looking
 * ahead, and what they lead to is judged by the energy. A spring that would pull is left out.
 *
 * Likewise friction: a contact that slides has no stiffness along its slip, and a direction may
 * turn the slip around. Friction that would then drive is taken for one that sticks: f = r + rho u.
 */
#ifndef BARRIER_FORESEE_H
#define BARRIER_FORESEE_H

#include "barrier/barrier.h"

/* When each of the candidates at hand comes too close on the way from b->places to b->swept, into
 * b->times; *limit: the first of all, 1 when none does. */
tribo_status foresee_times(barrier *b, double *limit, tribo_error *err);

/* By these times: adds what the motion from b->places to b->swept runs into, of the candidates at
 * hand; takes out what pulls. *news: how many are new. */
tribo_status foresee_look(barrier *b, size_t *news, tribo_error *err);

/* Its force and stiffness in the model of the direction, at d = 0: of the gap, N and N/m. */
double foresee_force(const barrier *b, const barrier_ahead *a);

#endif
