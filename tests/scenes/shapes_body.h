/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_body: a torso with shoulders, upper arms and a neck, and a tank top cut to measure. The
 * body stands on z = 0 with its arms along the x axis and faces -y.
 */
#ifndef TESTS_SCENES_SHAPES_BODY_H
#define TESTS_SCENES_SHAPES_BODY_H

#include "scenes/shapes.h"

/* Negative inside; near the surface about the distance to it. */
double body_field(const void *context, const double x[3]);

/* Tets. size: of the lattice cubes. */
mesh shape_body(double size);

/* The skin of the body as triangles of about the same size. */
mesh shape_body_skin(double size);

/* The top: the skin of a body of this lattice size, out by `gap`, cut at hem, neck and arms. */
mesh shape_tank_top(double size, double gap);

#endif
