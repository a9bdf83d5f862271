/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_check: whether an object may join a scene. Reads only; the message starts with "object
 * 'name': " and names index, value and remedy.
 */
#ifndef SCENE_SCENE_CHECK_H
#define SCENE_SCENE_CHECK_H

#include "scene/scene.h"

/* The most vertices, and the most elements, of all objects together: sixteen entries a vertex
 * can still be counted in 32 bits. */
#define SCENE_MOST ((size_t)1 << 27)

tribo_status scene_check_object(const tribo_scene *scene, const tribo_object_def *def,
                                tribo_error *err);

#endif
