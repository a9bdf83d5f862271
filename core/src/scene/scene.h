/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene: what the user described, owned and checked. The public tribo_scene.
 *
 * An object is kept as the public definition it came as, with every pointer replaced by a copy the
 * scene owns. All checks that need no physics are made here, once, so that a scene from a file and
 * one from arrays are refused in the same words.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/array.h"
#include "base/status.h"
#include "tribo/scene.h"

struct tribo_scene {
  tribo_world_params world;
  tribo_time_params time;
  tribo_solver_params solver;
  ARRAY(tribo_object_def) objects;
};

tribo_status scene_create(tribo_scene **out, tribo_error *err);
void scene_free(tribo_scene *scene);

/* Copies def into the scene after checking it: name (given, unique, a sound file name), finite
 * positions, indices in range, no vertex used twice in an element, no flat or inverted tet, no
 * triangle without area, no vertex outside every element, parameters in their ranges, pins in range
 * and pinned once. The message names object, index and value. */
tribo_status scene_add(tribo_scene *scene, const tribo_object_def *def, size_t *index,
                       tribo_error *err);

/* Sets one setting from text: key "time.substeps" or "gravity", value as params_set_text takes it.
 * An unknown key is refused with a suggestion; a refused value leaves the scene as it was. */
tribo_status scene_set(tribo_scene *scene, const char *key, const char *value, tribo_error *err);

/* Checks the settings: ranges of the table, end >= start. */
tribo_status scene_check(const tribo_scene *scene, tribo_error *err);

/* Everything that the motion depends on: geometry, parameters, settings; not time.end, so that a
 * bake can be made longer. */
uint64_t scene_hash(const tribo_scene *scene);

/* Seconds of one substep. */
double scene_step_seconds(const tribo_scene *scene);

#endif
