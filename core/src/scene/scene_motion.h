/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_motion: how a collider moves and when it is there, in and out of the scene file:
 * "animation", "points", "transforms", "motion_start", "motion_interval" and "present" of an
 * object.
 *
 * Points go to a .pc2 file where its floats hold them exactly, and else into the scene file, as the
 * targets of pins do.
 */
#ifndef SCENE_SCENE_MOTION_H
#define SCENE_SCENE_MOTION_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "tribo/scene.h"

/* From the keys of an object. Paths are relative to `folder`. Give the motion to
 * scene_motion_free, also after a failure. */
tribo_status scene_motion_read(const cJSON *object, const char *folder, size_t vertex_count,
                               tribo_motion_def *out, tribo_error *err);
void scene_motion_free(tribo_motion_def *motion);

/* Whether there are points and a .pc2 file holds them without loss. */
bool scene_motion_fits_pc2(const tribo_object_def *o);
tribo_status scene_motion_write_pc2(const tribo_object_def *o, const char *path, tribo_error *err);

/* "points" or "transforms" with start and interval, each after a comma; nothing for what stands
 * still. */
void scene_motion_print(const tribo_object_def *o, FILE *out);

/* The key "present", if it is there; give it to scene_presence_free, also after a failure. */
tribo_status scene_presence_read(const cJSON *object, tribo_presence_def *out, tribo_error *err);
void scene_presence_free(tribo_presence_def *presence);

/* The same after a comma; nothing for what is always there. */
void scene_presence_print(const tribo_presence_def *presence, FILE *out);

#endif
