/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_file: the JSON scene file, in and out (docs/scene.md). Paths in it are relative to it.
 */
#ifndef SCENE_SCENE_FILE_H
#define SCENE_SCENE_FILE_H

#include "scene/scene.h"

tribo_status scene_file_read(const char *path, tribo_scene **out, tribo_error *err);

/* From memory; paths in it are relative to `folder`. name stands for the path in messages. */
tribo_status scene_file_parse(const char *name, const char *folder, const char *text, size_t size,
                              tribo_scene **out, tribo_error *err);

/* folder/scene.json with its meshes and pin animations: reading it gives the same scene. */
tribo_status scene_file_write(const tribo_scene *scene, const char *folder, tribo_error *err);

#endif
