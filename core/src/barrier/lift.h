/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lift: what lies exactly on something at the start of a step is lifted off it: a barrier needs a
 * gap to be finite, and a motion some way to go.
 *
 * A vertex that is nearer to a surface than a hundredth of their band, thickness not counted, goes
 * to where it would rest under its own weight (barrier/scale.h): to the outer side of what is
 * closed, against gravity else. Of two things one is a collider; a rigid body is moved as a whole.
 * What passes through something is not put right here, and what a lift would bring to something
 * else (a card under another one that has come down hard) stays where it is.
 */
#ifndef BARRIER_LIFT_H
#define BARRIER_LIFT_H

#include "barrier/barrier.h"

/* x: nodes at the start of a step at `seconds`; changed in place. *lifted: how many vertices. */
tribo_status barrier_lift(barrier *b, double seconds, const quat *turns, vec3 *x, size_t *lifted,
                          tribo_error *err);

#endif
