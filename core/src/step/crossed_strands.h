/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crossed_strands: segments of rods that lie in each other.
 *
 * A strand has no triangle that another could pass through, and between two frames nobody knows the
 * way that it went. So it is asked of the places at hand: two segments cross where their centre
 * lines are nearer to each other than half of the distance that the two keep, the sum of their
 * thicknesses. What passes through something that thick is that near on its way. Neighbours along a
 * strand do not count (proximity/surface_mesh.h).
 *
 * A crossing is new unless it is of two strands that crossed at the first frame.
 */
#ifndef STEP_CROSSED_STRANDS_H
#define STEP_CROSSED_STRANDS_H

#include "proximity/candidates.h"

typedef struct strands_crossing {
  int32_t edge[2]; /* of the mesh */
  double distance; /* of the centre lines, m */
  double depth;    /* by how much less that is than what they keep, m */
  vec3 place;      /* in the middle of the two */
  bool fresh;
} strands_crossing;

typedef struct crossed_strands {
  surface_mesh mesh;
  candidates near;
  double *reach;
  bool *apart, *held;
  vec3 *places;
  ARRAY(strands_crossing) found;
  ARRAY(uint64_t) started; /* pairs of strands that crossed at the first frame, ascending */
  bool any;                /* rods are there */
} crossed_strands;

/* positions: all vertices of bodies at the first frame. In `memory`. */
tribo_status crossed_strands_create(const model *m, const tasks *t, const vec3 *positions,
                                    arena *memory, crossed_strands *out, tribo_error *err);
void crossed_strands_free(crossed_strands *c);

/* Fills `found`, in an order that is always the same. */
tribo_status crossed_strands_count(crossed_strands *c, const tasks *t, const vec3 *positions,
                                   tribo_error *err);

#endif
