/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quality: what a scene's "quality" makes of it: method, substeps, iterations and the thickness of
 * what has none (docs/quality.md, which has the measurements behind the numbers).
 *
 * A plan is the scene with every number decided, as the model is made from it. It depends on the
 * scene alone, never on how a step went: so it is known before the first one, and a bake that is
 * resumed makes the same. What the scene file says itself is kept. Without a quality ("custom") the
 * plan is the scene, and a thickness that is not given is 0.
 */
#ifndef SCENE_QUALITY_H
#define SCENE_QUALITY_H

#include "scene/scene.h"

typedef struct quality_plan {
  tribo_scene scene; /* shares all that the scene holds but the array of objects */
  tribo_choice choice;
} quality_plan;

/* The scene must outlive the plan. Give it to quality_plan_free, on success. */
tribo_status quality_plan_make(const tribo_scene *scene, quality_plan *out, tribo_error *err);
void quality_plan_free(quality_plan *plan);

/* Word number `number` of a setting of the world: "good" of "quality". Returns out. */
enum { QUALITY_WORD_SIZE = 32 };
char *quality_word(const char *name, int number, char out[QUALITY_WORD_SIZE]);

/* "quality good: method projective, 24 substeps, thickness 0.005 m, for speeds up to 4.4 m/s". */
enum { QUALITY_TEXT_SIZE = 256 };
char *quality_text(const tribo_choice *choice, char out[QUALITY_TEXT_SIZE]);

#endif
