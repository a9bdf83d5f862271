/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_dancer: a woman of 1.7 m as a closed smooth surface: trunk with bust, neck and head, arms
 * held away from it, legs. She stands on z = 0 and faces -y.
 */
#ifndef TESTS_SCENES_SHAPES_DANCER_H
#define TESTS_SCENES_SHAPES_DANCER_H

#include "scenes/shapes.h"

/* Where the trunk is narrowest, and where the arms start. */
extern const double DANCER_WAIST, DANCER_SHOULDER[3];

/* The depth of the trunk by its width. */
extern const double DANCER_FLAT;

/* Negative inside; near the surface about the distance to it. The torso has trunk, neck and arms,
 * but neither head nor legs. */
double dancer_torso(const void *context, const double x[3]);
double dancer_field(const void *context, const double x[3]);

/* Her skin as triangles of about the size. */
mesh shape_dancer(double size);

#endif
