/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * astray: objects that were hardly put where they are on purpose: the same thing twice in one
 * place, what falls past everything, what cannot move since all of it is held, and colliders that
 * nothing touches. Facts alone; scene/doubts.h has the words.
 */
#ifndef SCENE_ASTRAY_H
#define SCENE_ASTRAY_H

#include "scene/measure.h"

/* How many vertices of two simulated objects lie in one place with one of the other: 0, unless
 * that is more than half of those of the smaller one. Bricks that are stacked flush share half.
 * places: of all objects, by measure_extent. */
tribo_status astray_twins(const tribo_scene *scene, const measure *places, size_t a, size_t b,
                          size_t *count, tribo_error *err);

/* Whether an object that gravity pulls has no pins, no velocity, no wind, and nothing below it, or
 * beside it by no more than its own length, that could hold it: a collider or something pinned. */
bool astray_falls(const tribo_scene *scene, const measure *places, size_t index);

/* Whether hard pins hold all vertices of something that deforms. */
bool astray_is_held(const tribo_object_def *o);

/* Whether it is a collider, and nothing touches it. */
bool astray_is_idle(const tribo_object_def *o);

#endif
