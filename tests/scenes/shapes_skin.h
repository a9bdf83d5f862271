/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_skin: the surface of a shape that a function describes, as even triangles: what a smooth
 * contact surface wants, and what cloth is cut from.
 */
#ifndef TESTS_SCENES_SHAPES_SKIN_H
#define TESTS_SCENES_SHAPES_SKIN_H

#include "math/vec3.h"
#include "scenes/shapes_stuffed.h"

/* By differences: fields are smooth but where pieces meet. */
vec3 field_gradient(shape_field field, const void *context, vec3 x);

/* From near the surface onto it, along the gradient. */
vec3 field_onto(shape_field field, const void *context, vec3 x);

/* The skin of shape_stuffed, its triangles evened out on the surface. */
mesh shape_field_skin(shape_field field, const void *context, const double low[3],
                      const double high[3], double size);

#endif
