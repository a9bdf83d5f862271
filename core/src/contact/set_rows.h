/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * set_rows: what of a contact set outlives its linearisation.
 *
 * Where the surface has hardly turned since the start of a step, a contact keeps its rows and
 * corrects its gap only: forces along rows of the start change angular momentum by exactly their
 * torque there, which is what x at the end of a backward Euler step is made with.
 */
#ifndef CONTACT_SET_ROWS_H
#define CONTACT_SET_ROWS_H

#include "base/arena.h"
#include "base/status.h"
#include "contact/set.h"

/* The place of a contact in a set; its count when it is not there. Both are sorted by key, and
 * *next, 0 at first, goes along. */
size_t set_rows_find(const contact_set *old, size_t *next, uint64_t key);

/* The new set, with the rows of the old one where they still serve. In `memory`, for as long as
 * both. passes: linearisations of the step so far. */
tribo_status set_rows_keep(const contact_set *old, const contact_set *new, int passes,
                           arena *memory, contact_set *out, tribo_error *err);

/* The contacts `which` of a set, ascending, as a set of their own. In `memory`. */
tribo_status set_rows_pick(const contact_set *from, const size_t *which, size_t count,
                           arena *memory, contact_set *out, tribo_error *err);

#endif
