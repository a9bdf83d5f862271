/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * find: where strands touch, or may within the step (004, section 4.5).
 *
 * Each strand is a row of straight pieces: its elements, and parts of those that are bent. Boxes of
 * the pieces, along the way that they would go without contacts, say which pairs to look at
 * (geom/bvh). On bent elements the closest points are then looked for on the curve itself: corners
 * that the piece has and the strand has not would be felt as friction. Pieces that lie side by side
 * touch where one ends beside the other; others touch once. Places of one strand nearer along the
 * arc than pi r are no contact: that is as tight as it can turn.
 */
#ifndef FIBERS_FIND_H
#define FIBERS_FIND_H

#include "fibers/fibers.h"

/* In the order of strands, then of arc lengths. Strands have begun the step (strand_begin). */
tribo_status fibers_find(const fibers *f, arena *memory, fiber_contact **out, size_t *count,
                         tribo_error *err);

/* The impulses of the last step's contacts, for those of this one: the nearest along the strands.
 */
void fibers_carry(const fibers *f, const fiber_contact *last, size_t last_count, fiber_contact *now,
                  size_t count);

/* The velocity of a place with the freedoms' velocities v. columns: room for the freedoms. */
vec3 fibers_velocity(const strand *s, const strand_place *at, const double *v, vec3 *columns);

#endif
