/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collider: where something that is touched but not simulated is at a time. It stands still, moves
 * as a whole (a map a sample) or vertex by vertex; between two samples linearly, a turn along the
 * shortest arc; at rest before the first and after the last. Time is in seconds since the first
 * frame. It may be there for a part of the time only.
 */
#ifndef MODEL_COLLIDER_H
#define MODEL_COLLIDER_H

#include "base/tasks.h"
#include "model/model.h"

/* From object number `object` of a scene, which scene_add has checked; all arrays in `memory`. */
tribo_status collider_build(const tribo_object_def *def, size_t object,
                            const tribo_time_params *time, arena *memory, model_collider *out,
                            tribo_error *err);

/* Whether it moves vertex by vertex; collider_map is not asked of such. */
bool collider_deforms(const model_collider *c);

/* From rest to the world; the identity for what stands still. */
rigid_map collider_map(const model_collider *c, double seconds);

/* Whether it is there. */
bool collider_present(const model_collider *c, double seconds);

/* The time of a switch at a frame: a hair earlier, so that a step which ends there, but for a
 * rounding, ends after it. */
double collider_switch_seconds(double frame, const tribo_time_params *time);

/* All vertices in the world. */
void collider_vertices(const model_collider *c, const tasks *t, double seconds, vec3 *out);

#endif
