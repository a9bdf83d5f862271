/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * state: what moves. Together with the model it is all that the next step depends on; a checkpoint
 * holds exactly this.
 */
#ifndef METHOD_STATE_H
#define METHOD_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "contact/set.h"
#include "math/quat.h"

typedef struct state {
  int64_t step; /* substeps done since the first frame; time is step times the substep */
  size_t node_count;
  vec3 *x, *v; /* of all nodes, pinned ones included; x is 0 for the turning of a rigid body */
  size_t rigid_count;
  quat *turns;    /* of the rigid bodies, from their frames to the world */
  touch *touches; /* what contacts bore; ascending by key, each key once */
  size_t touch_count, touch_capacity;
} state;

/* At step 0 with everything 0 and nothing turned; false when memory has run out, and then there is
 * nothing to free. */
bool state_create(size_t node_count, size_t rigid_count, state *out);
void state_free(state *s);

/* Both have been created for the same model. False when there is no memory for the touches; `to` is
 * then as it was. */
bool state_copy(const state *from, state *to);

/* Room for `count` touches; those there are stay. False when memory has run out. */
bool state_reserve_touches(state *s, size_t count);

/* To the last bit. */
uint64_t state_hash(const state *s);

#endif
