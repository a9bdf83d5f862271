/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_maps: what is painted on an object, in and out of the scene file: "structure_map" and
 * "friction_map", or "vertex_structure" and "vertex_friction"; and "vertex_stiffness".
 *
 * A written scene has images of its own beside it, made from the pixels: PNG where its 8 or 16 bits
 * hold them exactly, EXR where not.
 */
#ifndef SCENE_SCENE_MAPS_H
#define SCENE_SCENE_MAPS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/status.h"
#include "tribo/scene.h"

/* From the keys of an object whose mesh was read, transform and all: directions at vertices turn
 * with it. Paths are relative to `folder`. Give def to scene_maps_free, also after a failure. */
tribo_status scene_maps_read(const cJSON *object, const char *folder, tribo_object_def *def,
                             tribo_error *err);
void scene_maps_free(tribo_object_def *def);

/* The images of an object into a folder. */
tribo_status scene_maps_write(const tribo_object_def *o, const char *folder, tribo_error *err);

/* Its keys, each after a comma; nothing for what is unpainted. */
void scene_maps_print(const tribo_object_def *o, FILE *out);

#endif
