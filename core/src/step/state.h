/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * state: what moves. Together with the model it is all that the next step depends on; a checkpoint
 * holds exactly this.
 */
#ifndef STEP_STATE_H
#define STEP_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

typedef struct state {
  int64_t step; /* substeps done since the first frame; time is step times the substep */
  size_t vertex_count;
  vec3 *x, *v; /* positions and velocities of all vertices, pinned ones included */
} state;

/* To the last bit. */
uint64_t state_hash(const state *s);

#endif
