/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_pin: "pin" of the scene file, in and out.
 *
 * Targets go to a .pc2 file where its floats hold them exactly, and else into the scene file as
 * "targets": a scene that is written and read again is the same to the last bit.
 */
#ifndef SCENE_SCENE_PIN_H
#define SCENE_SCENE_PIN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "io/mesh.h"
#include "tribo/scene.h"

/* Paths are relative to `folder`; vertices are those of `shape`. Give the pin to scene_pin_free. */
tribo_status scene_pin_read(const cJSON *value, const char *folder, const mesh *shape,
                            tribo_pin_def *out, tribo_error *err);
void scene_pin_free(tribo_pin_def *pin);

/* Whether a .pc2 file holds the targets without loss. */
bool scene_pin_fits_pc2(const tribo_pin_def *pin);
tribo_status scene_pin_write_pc2(const tribo_pin_def *pin, const char *path, tribo_error *err);

/* The keys "targets", "target_start" and "target_interval", each after a comma. */
void scene_pin_print_targets(const tribo_pin_def *pin, FILE *out);

#endif
