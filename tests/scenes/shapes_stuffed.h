/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_stuffed: tets for any shape that a function describes, after Labelle and Shewchuk,
 * "Isosurface stuffing" (2007): a body-centred cubic lattice, whose vertices near the surface move
 * onto it, and whose tets are cut where the surface still runs between their vertices.
 */
#ifndef TESTS_SCENES_SHAPES_STUFFED_H
#define TESTS_SCENES_SHAPES_STUFFED_H

#include "scenes/shapes.h"

/* Continuous; negative inside. */
typedef double (*shape_field)(const void *context, const double x[3]);

/* All of the field's inside, which must lie within the box by two `size` or more: the side of the
 * lattice's cubes. Vertices of the skin are on the field's zero. */
mesh shape_stuffed(shape_field field, const void *context, const double low[3],
                   const double high[3], double size);

/* The part of a surface where the field is negative: vertices near its zero move there along
 * edges, and triangles are cut where it still runs between their vertices. */
mesh shape_clipped(const mesh *m, shape_field field, const void *context);

/* Fields to build from. */
double field_capsule(const double x[3], const double a[3], const double b[3], double radius);

/* A capsule with other radii at its ends. */
double field_cone(const double x[3], const double a[3], const double b[3], double radius_a,
                  double radius_b);

/* The union of two, rounded over where they are within `round` of each other. */
double field_union(double f, double g, double round);

#endif
