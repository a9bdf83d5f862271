/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_friction: "friction" of the scene file, in and out.
 */
#ifndef SCENE_SCENE_FRICTION_H
#define SCENE_SCENE_FRICTION_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "scene/scene.h"

/* The value of "friction". */
tribo_status scene_friction_read(const cJSON *value, tribo_scene *scene, tribo_error *err);

/* The object {}, without its key. */
void scene_friction_print(const tribo_scene *scene, FILE *out);

#endif
