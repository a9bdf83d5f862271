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
#include "friction/pairs.h"
#include "tribo/scene.h"

/* What the user should know of an object and did not ask for. */
typedef struct scene_note {
  size_t object;
  char *text;
} scene_note;

/* What the user gave of the settings that a quality would choose. */
typedef struct scene_given {
  bool method, substeps;
} scene_given;

struct tribo_scene {
  scene_given given;
  tribo_world_params world;
  tribo_time_params time;
  tribo_solver_params solver;
  tribo_combine_params combine;
  tribo_friction_params friction; /* where no pair and no object says otherwise */
  ARRAY(tribo_object_def) objects;
  ARRAY(friction_pair_def) pairs;
  ARRAY(scene_note) notes;
};

tribo_status scene_create(tribo_scene **out, tribo_error *err);
void scene_free(tribo_scene *scene);

/* Copies def into the scene after checking it: name (given, unique, a sound file name), finite
 * positions, indices in range, no vertex used twice in an element, no flat or inverted tet, no
 * triangle of a cloth without area, no vertex of a cloth or solid outside every element, parameters
 * in their ranges, pins in range and pinned once, motion only of colliders and without shear. The
 * message names object, index and value. */
tribo_status scene_add(tribo_scene *scene, const tribo_object_def *def, size_t *index,
                       tribo_error *err);

tribo_status scene_add_note(tribo_scene *scene, size_t object, const char *text, tribo_error *err);

/* The friction of a pair of names; replaces what was set for the same two, in either order. Whether
 * anything bears the names is known only when the scene is compiled. */
tribo_status scene_set_pair(tribo_scene *scene, const char *a, const char *b,
                            const tribo_friction_params *friction, tribo_error *err);

/* Sets one setting from text: key "time.substeps" or "gravity", value as params_set_text takes it.
 * An unknown key is refused with a suggestion; a refused value leaves the scene as it was. */
tribo_status scene_set(tribo_scene *scene, const char *key, const char *value, tribo_error *err);

/* Notes that a setting was given, of those that a quality would choose. */
void scene_note_given(tribo_scene *scene, const char *group, const char *name);

/* Checks the settings: ranges of the table, end >= start. */
tribo_status scene_check(const tribo_scene *scene, tribo_error *err);

/* Of a scene whose quality was made into numbers (scene/quality.h): everything that the motion
 * depends on: geometry, parameters, settings; not time.end, so that a bake can be made longer. */
uint64_t scene_hash(const tribo_scene *scene);

/* Seconds of one substep. */
double scene_step_seconds(const tribo_scene *scene);

#endif
