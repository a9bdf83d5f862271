/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_check: whether an object may join a scene. Reads only; the message starts with "object
 * 'name': " and names index, value and remedy.
 */
#ifndef SCENE_SCENE_CHECK_H
#define SCENE_SCENE_CHECK_H

#include "kinds/mesh_check.h"
#include "scene/scene.h"

/* The most vertices, and the most elements, of all objects together: sixteen entries a vertex
 * can still be counted in 32 bits. */
#define SCENE_MOST ((size_t)1 << 27)

#define SCENE_FARTHEST MESH_CHECK_FARTHEST

tribo_status scene_check_object(const tribo_scene *scene, const tribo_object_def *def,
                                tribo_error *err);

/* The part of it that concerns the name: it names files on any system, and is like no other one. */
tribo_status scene_check_name(const tribo_scene *scene, const char *name, tribo_error *err);

/* The part of it that concerns contact: motion, surface, material. */
tribo_status scene_check_contact(const tribo_object_def *def, tribo_error *err);

/* And what is painted on it. */
tribo_status scene_check_maps(const tribo_object_def *def, tribo_error *err);

/* Names and coefficients of a pair; not whether anything bears the names. */
tribo_status scene_check_pair(const char *a, const char *b, const tribo_friction_params *friction,
                              tribo_error *err);

#endif
