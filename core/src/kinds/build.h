/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build: from the objects of a scene to a model.
 */
#ifndef KINDS_BUILD_H
#define KINDS_BUILD_H

#include "model/model.h"

/* Builds from objects that scene_add has checked. start_frame and fps turn the frames of pin
 * targets into seconds. */
tribo_status model_build(const tribo_object_def *objects, size_t object_count,
                         const tribo_world_params *world, const tribo_time_params *time, model *out,
                         tribo_error *err);

#endif
