/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * friction: the friction contacts of a step of the method barrier: where they start, and how they
 * follow the contacts that bear (barrier/rub.h has one of them).
 */
#ifndef BARRIER_FRICTION_H
#define BARRIER_FRICTION_H

#include "barrier/barrier.h"

/* The stiffness of contacts that bore something in the last step. */
void friction_load(barrier *b);

/* From the contacts at the start of the step and what was borne in the last one. */
tribo_status friction_begin(barrier *b, tribo_error *err);

/* Brings normal forces, frames and r up to date with the contacts at x, for the `times`th time.
 * *changed: by how much that changes what friction bears there, relative to `size` newtons. */
tribo_status friction_follow(barrier *b, int times, double size, double *changed, tribo_error *err);

/* The friction of the contact with the key; NULL: it has none. */
const barrier_rub *friction_of(const barrier *b, uint64_t key);

#endif
