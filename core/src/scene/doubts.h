/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * doubts: what a scene can be simulated with, and what its author will hardly mean: meshes in loose
 * pieces, turned triangles, colliders that are inside out, sizes of another unit, objects that pass
 * through each other with the chosen method. Each is one sentence with object, place, value and
 * remedy. Found when a simulation is made, and told as warnings.
 */
#ifndef SCENE_DOUBTS_H
#define SCENE_DOUBTS_H

#include "base/log.h"
#include "scene/scene.h"

/* Free *out with free(). */
tribo_status doubts_find(const tribo_scene *scene, tribo_doubt **out, size_t *count,
                         tribo_error *err);

/* All of them, to the log. *inside_out: whether some surface is; what seems to start inside of it
 * does not. */
tribo_status doubts_tell(const tribo_scene *scene, const log_sink *log, bool *inside_out,
                         tribo_error *err);

/* Whether two objects can touch with the scene's method; of one and the same, whether it touches
 * itself. */
bool doubts_meet(const tribo_scene *scene, size_t a, size_t b);

#endif
