/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * carry: the vertices that nodes carry along, and how motion passes from the one to the other.
 *
 * Within a step `x` holds the nodes, and `turns` the orientation of each rigid body at the start of
 * the step. A rigid body's second node is a rotation vector theta on top of that, times the body's
 * length (model/rigid.h), so that it is in metres: x[node + 1] = length theta. Its vertices stand
 * at x[node] + exp(theta) turn local. At the start of a step it is 0.
 */
#ifndef MODEL_CARRY_H
#define MODEL_CARRY_H

#include "base/tasks.h"
#include "model/model.h"

/* d(point) = sum block_k d(x[node_k]). */
enum { CARRY_ENTRIES = 4 };
typedef struct carry_row {
  int count;
  int32_t node[CARRY_ENTRIES];
  mat3 block[CARRY_ENTRIES];
} carry_row;

/* Where all vertices are. */
void carry_positions(const model *m, const tasks *t, const vec3 *x, const quat *turns, vec3 *out);

/* How fast they move when the nodes move with v: for a rigid body v[node + 1] is its length times
 * the angular velocity, and x[node + 1] is taken as 0. */
void carry_velocities(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                      const vec3 *v, vec3 *out);

/* How a point that rides with vertex `vertex` (the body's own) of body `body` moves; it stands at
 * `at`, which for a rigid body may be anywhere (the arm is measured from the centre), and for the
 * others is the vertex itself. Exact also where the turning is not 0. */
carry_row carry_point(const model *m, const vec3 *x, const quat *turns, int32_t body,
                      int32_t vertex, vec3 at);

/* The orientation after the turning of the step. */
quat carry_turn(const model *m, const vec3 *x, const quat *turns, size_t rigid);

#endif
